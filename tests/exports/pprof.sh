#!/bin/bash
# SPDX-License-Identifier: MIT
# pprof.sh BAREPROF FOLDER: the profile, read by go tool pprof.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import math
import re
from judge import *

os.environ["PPROF_TMPDIR"] = FOLDER
os.environ["HOME"] = FOLDER


def pprof(title, *arguments):
    return run(title, ["go", "tool", "pprof", "-symbolize=none", *arguments])


def top(name, index, *options):
    """Flat and cumulative values by function, in the unit of the column."""
    unit = "count" if index == "samples" else "ns"
    text = pprof(f"{name}: pprof -top of {index}", "-top", f"-sample_index={index}", f"-unit={unit}", "-nodefraction=0",
                 "-nodecount=100000", *options, f"{FOLDER}/{name}.pprof")
    functions = {}
    for line in text.splitlines():
        row = re.match(r"^\s*(-?[\d.]+)(?:ns)?\s+\S+%\s+\S+%\s+(-?[\d.]+)(?:ns)?\s+\S+%\s{2}(.*)$", line)
        if row:
            functions[row[3]] = (float(row[1]), float(row[2]))
    return text, functions


def in_pprof(function):
    """Rows that are not functions have names in square brackets."""
    name = shown(function.get("demangled", function["name"]).encode(errors="surrogateescape"))
    return f"[{name[1:-1]}]" if function["kind"] != "function" else name


for name in CAPTURES:
    export("pprof", name)
    whole = profile(name)
    has_time = whole["time_unit"] == "seconds"
    text, functions = top(name, "samples")
    check_equal(f"{name}: samples add up", sum(flat for flat, _ in functions.values()), round(whole["total_samples"]))
    if has_time:
        text, functions = top(name, "cpu")
        found = sum(flat for flat, _ in functions.values()) / 1e9
        check(f"{name}: times add up", abs(found - whole["total"]) <= 1e-8 * (len(whole["functions"]) + 1000), found)
    raw = pprof(f"{name}: pprof -raw", "-raw", f"{FOLDER}/{name}.pprof")
    check(f"{name}: comments say what the paths are", meaning_of_paths(name) in raw, raw[:300])
    check(f"{name}: a comment says whose profile it is", re.search("^Comment: firmware: .+", raw, re.M), raw[:300])

# Functions are as the report has them, with the inlined ones in the functions that contain them.
text, functions = top("demo", "cpu", "-noinlines")
whole = profile("demo")
cycles = {member for cycle in whole["cycles"] for member in cycle["members"]}
bound = 1e9 * (whole["total"] / whole["total_samples"]) * (1 + 0.54 * math.sqrt(whole["total_samples"]))
for function in whole["functions"]:
    if not has_values(function) or function["id"] in cycles or total(function) == 0:
        continue
    flat, cumulative = functions.get(in_pprof(function), (0, 0))
    check(f"demo: {function['name']}", abs(flat - function["self"] * 1e9) <= 1e5
          and abs(cumulative - total(function) * 1e9) <= bound, f"{flat} {cumulative}")
check("demo: the build-id", re.search(r"^Build ID: [0-9a-f]{40}$", text, re.M), text[:300])
check("demo: inlined functions are frames", "crc32_update (inline)" in top("demo", "cpu")[0])

# The time of each source line is the same as in annotate.
listing = pprof("demo: pprof -list", "-list=^crc32$", "-source_path=.", "-unit=ns", "-sample_index=cpu", f"{FOLDER}/demo.pprof")
annotated = subprocess.run([BAREPROF, "annotate", "--function=crc32", f"{FOLDER}/demo.elf", f"{FOLDER}/demo.bprof"],
                           check=True, stdout=subprocess.PIPE).stdout.decode()
hottest = re.search(r"^ *\S+ +(\S+) +\S+ +tests/firmware/demo/crc.c:26$", annotated, re.M)
line = re.search(r"^ *([\d.]+)ns +\S+ +26:", listing, re.M)
check("demo: a line has the time that annotate shows", hottest and line and
      abs(float(line[1]) / 1e9 - float(hottest[1])) < 2e-4, f"{hottest and hottest[1]} {line and line[1]}")

tags = pprof("tasks: pprof -tags", "-tags", f"{FOLDER}/tasks.pprof")
check("tasks: contexts are labels", all(f": {context}" in tags for context in ("uart", "idle", "[context 2]", "[no context]"))
      or all(context in tags for context in ("uart", "idle", "<context 2>", "<no context>")), tags)
tags = pprof("cores: pprof -tags", "-tags", "-sample_index=samples", f"{FOLDER}/cores.pprof")
check("cores: cores are labels", re.search(r"^ core: Total .*\n +60\.0 .*: 1\n +40\.0 .*: 0$", tags, re.M), tags)
check("cores: so are contexts", re.search(r"^ +60\.0 .*: idle$", tags, re.M), tags)
same = pprof("demo: pprof -diff_base of itself", "-top", "-nodefraction=0", f"-diff_base={FOLDER}/demo.pprof", f"{FOLDER}/demo.pprof")
check("demo: it does not differ from itself", "Showing nodes accounting for 0, 0% of" in same, same[:400])
for report in ("-tree", "-peek=.", "-traces"):
    pprof(f"demo: pprof {report}", report, f"{FOLDER}/demo.pprof")
again = export("pprof", "demo")
check("demo: the same bytes every time", again == export("pprof", "demo"))
END
