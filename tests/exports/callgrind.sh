#!/bin/bash
# SPDX-License-Identifier: MIT
# callgrind.sh BAREPROF FOLDER: the file, read by callgrind_annotate.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
from judge import *

ROW = re.compile(r"^\s*((?:[\d,.]+(?: \([ \d.]+%\))?\s+)+)[^:]*:(.*) \[.*\]$")


def shares(text):
    """The numbers of a row, without their percentages."""
    return [int(number.replace(",", "").replace(".", "0")) for number in re.sub(r"\([^)]*\)", "", text).split()]


def annotate(name, inclusive):
    """The totals, and the costs of functions by name, which files may share."""
    text = run(f"{name}: callgrind_annotate reads it", [
        "callgrind_annotate", "--threshold=100", "--auto=no", f"--inclusive={inclusive}", f"{FOLDER}/{name}.callgrind"])
    totals, functions = None, {}
    for line in text.splitlines():
        if line.endswith("PROGRAM TOTALS"):
            totals = shares(line[:-len("PROGRAM TOTALS")])
        elif row := ROW.match(line):
            costs = shares(row[1])
            found = functions.setdefault(row[2], [0] * len(costs))
            functions[row[2]] = [a + b for a, b in zip(found, costs)]
    return totals, functions


def name_in_file(function):
    return shown(function.get("demangled", function["name"]).encode(errors="surrogateescape"))


for name in CAPTURES:
    text, whole = export("callgrind", name).decode(), profile(name)
    has_time = whole["time_unit"] == "seconds"
    scale = 1e9 if has_time else 1
    totals, own = annotate(name, "no")
    _, inclusive = annotate(name, "yes")
    check_equal(f"{name}: total samples", totals[-1], round(whole["total_samples"]))
    check(f"{name}: total time", abs(totals[0] - whole["total"] * scale) <= len(whole["functions"]), totals)
    check(f"{name}: cfi= is before each cfn=", all(
        before.startswith("cfi=") for before, line in zip(text.split("\n"), text.split("\n")[1:]) if line.startswith("cfn=")))
    # Several functions of one name are a row each in JSON, and one here.
    expected, cyclic = {}, set()
    for function in whole["functions"]:
        key = name_in_file(function)
        if "]" in key or ":" in key or "  " in key or "\ufffd" in key:
            continue
        sums = expected.setdefault(key, [0, 0])
        sums[0] += function["self"] * scale
        sums[1] += total(function) * scale
        if function["cycle"] is not None or function["kind"] != "function":
            cyclic.add(key)
    rounding = 2 if has_time else 1
    wrong = {key: (own.get(key), sums[0]) for key, sums in expected.items()
             if abs(own.get(key, [0, 0])[0] - sums[0]) > rounding}
    check(f"{name}: own time", not wrong, wrong)
    # callgrind_annotate adds up the calls of a function, but not stacks that begin with it, as only measured ones do.
    def is_wrong(found, sum):
        return found > sum + 20 * rounding or (found < sum - 20 * rounding and "measured" not in whole)
    wrong = {key: (inclusive.get(key), sums[1]) for key, sums in expected.items() if key not in cyclic
             and is_wrong(inclusive.get(key, own.get(key, [0, 0]))[0], sums[1])}
    check(f"{name}: inclusive time outside of cycles", not wrong, wrong)
    # KCachegrind numbers the cycles that it finds.
    check(f"{name}: no cycle has a number", not re.search(r"<cycle \d", text))
    for cycle in whole["cycles"]:
        first = name_in_file(whole["functions"][cycle["members"][0]])
        found = inclusive.get(f"<cycle of {first}>", [0, 0])[0]
        check(f"{name}: inclusive time of cycle {cycle['cycle']}",
              abs(found - (cycle["self"] + cycle["children"]) * scale) <= 20 * rounding, found)
        for member in cycle["members"]:
            function = whole["functions"][member]
            found = inclusive.get(name_in_file(function), [0, 0])[0]
            check(f"{name}: inclusive time of {function['name']}, a member",
                  abs(found - total(function) * scale) <= 20 * rounding, found)
    calls = sum(int(line[6:].split()[0]) for line in text.splitlines() if line.startswith("calls="))
    arcs = sum(arc["caller"] != arc["callee"] if arc["count"] is None else arc["count"] for arc in whole["arcs"])
    check(f"{name}: calls", calls - arcs == 0 if not whole["cycles"] else calls > arcs, f"{calls} instead of {arcs}")

# Each call is at its line: the three of message_put_number() in send_message() are not on the function's first one.
text = export("callgrind", "demo").decode()
blocks = {re.search(r"^fn=\(\d+\)(?: (.*))?$", block, re.M)[1]: block for block in text.split("\n\n") if "\nfn=" in "\n" + block}
lines = set(re.findall(r"^calls=\d+ \d+\n(\d+) ", blocks.get("send_message", ""), re.M))
check("demo: calls of send_message are on several lines", len(lines) > 2, lines)
END
