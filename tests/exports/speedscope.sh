#!/bin/bash
# SPDX-License-Identifier: MIT
# speedscope.sh BAREPROF FOLDER: the sums of a file for speedscope; tests/viewers opens it there.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
from judge import *

for name in CAPTURES:
    TITLE = ", " + meaning_of_paths(name)
    file, whole = json.loads(export("speedscope", name)), profile(name)
    frames = file["shared"]["frames"]
    expected = parts(name) or {f"{FOLDER}/{name}.elf": whole["total"]}
    check_equal(f"{name}: profiles", {p["name"] for p in file["profiles"]}, {part + TITLE for part in expected})
    for part in file["profiles"]:
        part_name = part["name"].removesuffix(TITLE)
        title = f"{name}: {part_name[-40:]}"
        check(f"{title}: stacks and weights", len(part["samples"]) == len(part["weights"]) and
              all(0 <= frame < len(frames) for stack in part["samples"] for frame in stack))
        check_close(f"{title}: weights add up", sum(part["weights"]), expected[part_name])
        check_close(f"{title}: the end", part["endValue"], expected[part_name])
        check_equal(f"{title}: unit", part["unit"], "seconds" if whole["time_unit"] == "seconds" else "none")
    check(f"{name}: the title says what the paths are", meaning_of_paths(name) in file["name"])
names = {frame["name"] for frame in json.loads(export("speedscope", "hostile"))["shared"]["frames"]}
check("hostile: JSON has the names", {"quo\"te", "back\\slash\\", "line\nfeed", "Größe"} <= names, names)
END
