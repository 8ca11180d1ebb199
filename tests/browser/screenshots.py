# SPDX-License-Identifier: Apache-2.0
"""screenshots: pictures of pages, as docs/view.md shows them.

    screenshots.py GALLERY FOLDER

Each is of a page of the gallery at a moment, in few colours, so that it stays small.
"""

import os
import subprocess
import sys

from browser import address, browser

# picture: page, moment, height, light or dark
PICTURES = {
    "view-benes": ("matching", "round=5&packet=2", 980, "light"),
    "view-clos": ("gf11", "round=30&node=100", 860, "light"),
    "view-omega": ("circulant-omega", "round=8", 980, "dark"),
    "view-multicast": ("fabric-broadcast", "round=3", 980, "light"),
    "view-exchange": ("total-exchange", "round=9", 810, "light"),
    "view-postal": ("postal-pipeline", "time=6", 740, "dark"),
    "view-tree": ("tree-all-gather", "round=5", 900, "light"),
    "view-cube": ("cube-all-gather", "round=10", 760, "light"),
    "view-gallery": ("index", "", 700, "light"),
}
WIDTH, COLOURS, MOST_BYTES = 1360, 48, 100_000
CONVERT = ("-strip", "-define", "png:exclude-chunks=date,time", "+dither", "-colors", str(COLOURS))


def shoot(driver, name, gallery, folder):
    page, moment, height, scheme = PICTURES[name]
    size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
    colours = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", colours)
    driver.get("about:blank")
    driver.get(address(os.path.join(gallery, page + ".html"), moment))
    whole, small = (os.path.join(place, name + ".png") for place in (gallery, folder))
    driver.save_screenshot(whole)
    subprocess.run(["convert", whole, *CONVERT, "PNG8:" + small], check=True)
    if os.path.getsize(small) > MOST_BYTES:
        sys.exit(f"{small}: {os.path.getsize(small)} bytes; expected at most {MOST_BYTES}")


driver = browser()
try:
    for picture in PICTURES:
        shoot(driver, picture, *sys.argv[1:3])
finally:
    driver.quit()
