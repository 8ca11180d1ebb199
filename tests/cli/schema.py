# SPDX-License-Identifier: Apache-2.0
# schema: compares reports with docs/schema/reports.json.
#
#     schema.py SCHEMA NAME FILE… [-- NAME FILE…]…
#
# Prints two lines for each NAME: `NAME good WRONG` with the errors of a file as a report of that
# name, and `NAME bad WRONG` with the changes of a file (a key removed, a key added, a value of
# another type) that are not detected. WRONG is empty if there are none. One process checks all
# files, because starting it takes longer than a check.
import copy
import json
import sys

import jsonschema


def changes(report):
    """Reports that are none, and what was done to them: (what, report)."""
    whole = report[0] if isinstance(report, list) else report
    for key in whole:
        for what in ("without", "another type"):
            changed = copy.deepcopy(report)
            inside = changed[0] if isinstance(report, list) else changed
            if what == "without":
                del inside[key]
            else:
                inside[key] = [[{"x": 1.5}]]
            yield f"{what}: {key}", changed
    changed = copy.deepcopy(report)
    (changed[0] if isinstance(report, list) else changed)["pony"] = 1
    yield "with a key more", changed


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check(definitions, name, files):
    """Print the two lines of a name."""
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/" + name, "$defs": definitions})
    optional = set(definitions[name].get("properties", {}))
    optional -= set(definitions[name].get("required", []))
    good, bad = [], []
    for file in files:
        report = load(file)
        good += [f"{file}: {error.json_path}: {error.message[:200]}"
                 for error in validator.iter_errors(report)]
        bad += [f"{file}: {what}" for what, changed in changes(report)
                if validator.is_valid(changed)
                and what.removeprefix("without: ") not in optional]
    for kind, wrong in ("good", good), ("bad", bad):
        print(name, kind, "; ".join(wrong).replace("\n", " "))


def main():
    schema = load(sys.argv[1])
    jsonschema.Draft202012Validator.check_schema(schema)
    words = sys.argv[2:]
    while words:
        end = words.index("--") if "--" in words else len(words)
        check(schema["$defs"], words[0], words[1:end])
        words = words[end + 1:]


main()
