#!/bin/bash
# SPDX-License-Identifier: MIT
# schema.sh BAREPROF FOLDER: docs/profile.schema.json describes what `export json` writes, by Python's jsonschema, and
# refuses what it does not write.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import copy
import jsonschema
from judge import *

with open("docs/profile.schema.json") as file:
    schema = json.load(file)


def close(part):
    """Allows no members but those that the schema names: readers must ignore others, but we document all that we write."""
    if isinstance(part, dict):
        if "properties" in part:
            part["additionalProperties"] = False
        for item in list(part.values()):
            close(item)
    elif isinstance(part, list):
        for item in part:
            close(item)


def undescribed(part, path=""):
    """Paths of properties without a description."""
    for name, item in part.get("properties", {}).items():
        if "description" not in item and "$ref" not in item:
            yield f"{path}/{name}"
        yield from undescribed(item, f"{path}/{name}")
        yield from undescribed(item.get("items", {}), f"{path}/{name}[]")


jsonschema.Draft7Validator.check_schema(schema)
closed = copy.deepcopy(schema)
close(closed)
validator = jsonschema.Draft7Validator(closed)
documents = [(name, profile(name)) for name in CAPTURES]
documents += [("five --errors=off", profile("five", "--errors=off")), ("tasks --context", profile("tasks", "--context=uart")),
              ("demo --break-cycles", profile("demo", "--break-cycles=1"))]
for name, document in documents:
    faults = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(document)]
    check(f"{name} is valid", not faults, "; ".join(faults[:3]))

missing = list(undescribed(schema)) + [f"{d}{p}" for d, part in schema["definitions"].items() for p in undescribed(part)]
check("every member has a description", not missing, " ".join(missing))

# The documents together have every member that the schema names.
used = set()
def use(part, value):
    part = closed["definitions"][part["$ref"].split("/")[-1]] if "$ref" in part else part
    for name, item in part.get("properties", {}).items():
        if isinstance(value, dict) and name in value:
            used.add(id(item))
            use(item, value[name])
    for item in value if isinstance(value, list) else []:
        use(part["items"], item)
def properties(part):
    for name, item in part.get("properties", {}).items():
        yield name, item
        yield from properties(item)
        yield from properties(item.get("items", {}))
for name, document in documents:
    use(closed, document)
unused = [name for part in [closed, *closed["definitions"].values()] for name, item in properties(part) if id(item) not in used]
check("every member is in some export", not unused, " ".join(unused))

# A change of a valid document, as a function of it; each must be refused, also by the schema as it is, except for a new member.
MUTATIONS = {
    "a missing member": lambda d: d.pop("total"),
    "a missing member of a function": lambda d: d["functions"][0].pop("self_variance"),
    "a missing loss": lambda d: d["losses"].pop("arcs_dropped"),
    "a number as text": lambda d: d["functions"][0].update(calls="1"),
    "a negative count": lambda d: d["arcs"][0].update(count=-1),
    "a fraction of a call": lambda d: d["arcs"][0].update(count=0.5),
    "an unknown kind": lambda d: d["functions"][0].update(kind="routine"),
    "an unknown unit": lambda d: d.update(time_unit="minutes"),
    "another version": lambda d: d.update(version=2),
    "another format": lambda d: d.update(format="bareprof-comparison"),
    "a null that is never written": lambda d: d["functions"][0].update({"self": None}),
    "cycle 0": lambda d: d["functions"][0].update(cycle=0),
    "a cycle of one function": lambda d: d["cycles"][0].update(members=[2]),
    "a file without a line": lambda d: d["functions"][0].update(file="a.c"),
}
plain = jsonschema.Draft7Validator(schema)
for what, mutate in MUTATIONS.items():
    document = copy.deepcopy(dict(documents)["five"])
    mutate(document)
    check(f"{what} is refused", not plain.is_valid(document), "it is valid")
document = copy.deepcopy(dict(documents)["five"])
document["functions"][0]["surprise"] = 1
check("readers may meet new members", plain.is_valid(document), "refused")
check("this release documents all of its members", not validator.is_valid(document), "a new one is valid")
END
