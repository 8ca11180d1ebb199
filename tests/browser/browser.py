# SPDX-License-Identifier: Apache-2.0
"""browser: Chromium without a screen, driven by its own driver; both are the distribution's."""

import os
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def browser():
    """A driver; to be ended with quit()."""
    options = Options()
    for argument in (
        "--headless=new",
        "--no-sandbox",  # tests run as root in containers, and open our own files only
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
        "--lang=en",
        "--window-size=1360,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def address(path, moment=""):
    """Of a file, at a moment such as "round=3"."""
    return "file://" + urllib.parse.quote(os.path.abspath(path)) + ("#" + moment if moment else "")
