#!/bin/bash
# SPDX-License-Identifier: MIT
# lcov.sh BAREPROF FOLDER: the tracefile, read by lcov and genhtml.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
import shutil
from judge import *


def read(name):
    """The calls by name, and the lines with hits and without, of all files, which must have valid sums."""
    calls, hit, missed, sums = {}, set(), set(), []
    text = export("lcov", name).decode()
    for record in text.split("\nend_of_record\n")[:-1]:
        lines = record.split("\n")
        counts = [int(line[5:].split(",")[0]) for line in lines if line.startswith("FNDA:")]
        hits = [int(line.split(",")[1]) for line in lines if line.startswith("DA:")]
        path = next(line[3:] for line in lines if line.startswith("SF:"))
        sums.append([f"FNF:{len(counts)}", f"FNH:{sum(c > 0 for c in counts)}", f"LF:{len(hits)}",
                     f"LH:{sum(h > 0 for h in hits)}"] == [l for l in lines if re.match("(FN|L)[FH]:", l)])
        for line in lines:
            if line.startswith("FNDA:"):
                count, function = line[5:].split(",", 1)
                calls[function] = calls.get(function, 0) + int(count)
            elif line.startswith("DA:"):
                number, count = line[3:].split(",")
                (hit if int(count) > 0 else missed).add((path, int(number)))
    check(f"{name}: sums of each file", all(sums), "wrong")
    return calls, hit, missed


for name in CAPTURES:
    functions = [f for f in profile(name)["functions"] if "file" in f]
    if not functions:
        refused = subprocess.run([BAREPROF, "export", "lcov", f"{FOLDER}/{name}.elf", f"{FOLDER}/{name}.bprof"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(f"{name}: without lines there is no tracefile", refused.returncode == 1 and refused.stdout == b"" and
              b"compile the firmware with -g" in refused.stderr, refused.stderr)
        continue
    calls, hit, missed = read(name)
    check_equal(f"{name}: calls of functions with a line", sum(calls.values()), sum(map(all_calls, functions)))
    check_equal(f"{name}: functions with calls", sum(c > 0 for c in calls.values()), len({f["name"] for f in functions if all_calls(f) > 0}))
    sampled = {shown(f["name"].encode()) for f in functions if f["self_samples"] > 0 and all_calls(f) == 0}
    check_equal(f"{name}: functions with samples and no calls", sampled & set(calls), set())
    if not calls:
        continue
    summary = run(f"{name}: lcov reads it", ["lcov", "--summary", f"{FOLDER}/{name}.lcov"])
    check(f"{name}: lcov counts the same", f"({len(hit)} of {len(hit | missed)} lines)" in summary
          and f"({sum(c > 0 for c in calls.values())} of {len(calls)} functions)" in summary, summary)

# station_failures() is in the demo, and no round calls it.
calls, hit, missed = read("demo")
check_equal("demo: functions that were never called", [f for f, count in calls.items() if count == 0], ["station_failures"])
check("demo: code of the recorder and without -pg is not claimed to be unused", "memcpy" not in calls and "bareprof_arc" not in calls)
pages = f"{FOLDER}/lcov-pages"
shutil.rmtree(pages, ignore_errors=True)
run("demo: genhtml shows it", ["genhtml", "--quiet", "-o", pages, f"{FOLDER}/demo.lcov"])
with open(f"{pages}/demo/sort.c.func.html") as page:
    check("demo: genhtml shows the calls of sift_down", re.search(r"sift_down</a></td>\s*<td[^>]*>%d<" % calls["sift_down"], page.read()))

# A function without calls ran never only if it is counted, its calls cannot have been lost, and it left no trace.
for name, unused in [("hostile", True), ("dropped", False), ("gmon", False)]:
    calls, hit, missed = read(name)
    check_equal(f"{name}: a function that was never called has 0 calls", calls.get("not_called"), 0 if unused else None)
    check(f"{name}: a function without -pg has no count", "not_counted" not in calls)
    check(f"{name}: a function that only calls others has no count", "=cmd|calc" not in calls)
    names = [n for n in hostile_names()[1:] if n not in (b"not_called", b"not_counted")]
    known = {shown(n).replace(",", "\\x2c") for n in names}
    check_equal(f"{name}: hostile names", known ^ set(calls), {"same"} | ({"not_called"} if unused else set()))
    check_equal(f"{name}: functions of the same name are one", calls["same"], 10)
END
