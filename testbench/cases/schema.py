# SPDX-License-Identifier: Apache-2.0
# schema: hold reports against docs/schema/reports.json.
#
#     schema.py SCHEMA good NAME FILE…     each is a report of that name; prints those that are not
#     schema.py SCHEMA bad NAME FILE…      no change of one is: a key taken away, a key added, or a
#                                          value of another type; prints those that are taken
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


def main():
    path, kind, name = sys.argv[1:4]
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    definitions = schema["$defs"]
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/" + name, "$defs": definitions})
    failed = False
    for report in sys.argv[4:]:
        with open(report, encoding="utf-8") as file:
            value = json.load(file)
        if kind == "good":
            wrong = [f"{error.json_path}: {error.message[:200]}"
                     for error in validator.iter_errors(value)]
        else:
            optional = set(definitions[name].get("properties", {}))
            optional -= set(definitions[name].get("required", []))
            wrong = [what for what, changed in changes(value) if validator.is_valid(changed)
                     and what.removeprefix("without: ") not in optional]
        for line in wrong:
            print(f"{report}: {line}")
            failed = True
    sys.exit(failed)


main()
