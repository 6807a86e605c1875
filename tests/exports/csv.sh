#!/bin/bash
# SPDX-License-Identifier: MIT
# csv.sh BAREPROF FOLDER: the table of functions, read by Python's csv module.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import csv
import io
import math
from judge import *


def is_formula(cell):
    return cell[:1] in ("=", "+", "-", "@", "\t", "\r")


def is_error(cell, function):
    """Lower bounds have none."""
    return cell == "" if function.get("is_lower_bound") else is_close(float(cell), math.sqrt(function["total_variance"]))


for name in CAPTURES:
    text = export("csv", name).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    expected = profile(name)
    functions = {(f["kind"], f["address"], f["size"]): f for f in expected["functions"] if has_values(f)}
    check_equal(f"{name}: a line is a row", text.count("\n"), len(rows) + 1)
    check(f"{name}: all rows have all columns", all(None not in row and None not in row.values() for row in rows))
    check_equal(f"{name}: functions with samples, time or calls", len(rows), len(functions))
    check_close(f"{name}: self samples add up", sum(float(row["self_samples"]) for row in rows), expected["total_samples"])
    time = "seconds" if expected["time_unit"] == "seconds" else "time_samples"
    error = "seconds" if expected["time_unit"] == "seconds" else "samples"
    check_close(f"{name}: self times add up", sum(float(row["self_" + time]) for row in rows), expected["total"])
    times = [float(row["self_" + time]) for row in rows]
    check(f"{name}: most self time first", times == sorted(times, reverse=True))
    for row in rows:
        function = functions.get((row["kind"], int(row["address"] or "0", 16), int(row["size"] or "0")))
        row_name = f"{name}: {row['name'][:40]}"
        if function is None:
            check(row_name, False, "JSON does not have it")
            continue
        check(row_name, is_close(float(row["self_" + time]), function["self"])
              and is_close(float(row["self_error_" + error]), math.sqrt(function["self_variance"]))
              and is_close(float(row["total_" + time]), total(function))
              and is_error(row["total_error_" + error], function)
              and row.get("total_is_lower_bound", "no") == ("yes" if function.get("is_lower_bound") else "no")
              and int(row["calls"] or 0) == all_calls(function) and int(row["self_calls"] or 0) == (function["self_calls"] or 0)
              and (row["cycle"] or "None") == str(function["cycle"])
              and (row["line"] or "None") == str(function.get("line")), f"{row} instead of {function}")
    check(f"{name}: no cell is a formula", not any(is_formula(cell) for row in rows for cell in row.values()))

rows = csv.DictReader(io.StringIO(export("csv", "hostile").decode(), newline=""), strict=True)
actual = {row["symbol"] or row["name"] for row in rows}
for name in hostile_names()[:-2]:
    text = shown(name)
    text = f"\\x{ord(text[0]):02x}{text[1:]}" if is_formula(text) else text
    check(f"hostile: {text[:40]}", text in actual, "no such name")
text = export("csv", "hostile", "--errors=off").decode()
check("without errors of total times their column is empty",
      all(row["total_error_seconds"] == "" for row in csv.DictReader(io.StringIO(text, newline=""))))
END
