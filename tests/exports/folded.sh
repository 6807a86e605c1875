#!/bin/bash
# SPDX-License-Identifier: MIT
# folded.sh BAREPROF FOLDER: the sums of folded stacks.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import math
from judge import *


def read(name, *options):
    """The stacks with their samples: lists of names, outermost first."""
    lines = export("folded", name, *options).decode().splitlines()
    return [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1])) for line in lines]


def in_frames(function):
    """The function's name in a stack. Demangled names have blanks and parentheses, but no semicolon."""
    return shown(function.get("demangled", function["name"]).encode(errors="surrogateescape")).replace(";", ":")


for name in CAPTURES:
    stacks, whole = read(name), profile(name)
    contexts = set(parts(name))
    check_equal(f"{name}: all samples have a stack", sum(count for _, count in stacks), round(whole["total_samples"]))
    # Two functions of the hostile firmware have one name.
    twice = len(stacks) - len({tuple(frames) for frames, _ in stacks})
    check_equal(f"{name}: stacks that are there twice", twice, int(any("same" in frames for frames, _ in stacks)))
    check(f"{name}: contexts are outermost", all(frames[0] in contexts for frames, _ in stacks) if contexts else
          not any(frames[0] == "<no context>" for frames, _ in stacks), stacks[:3])
    own, inclusive = {}, {}
    for frames, count in stacks:
        frames = frames[1:] if contexts else frames
        own[frames[-1]] = own.get(frames[-1], 0) + count
        for frame in set(frames):
            inclusive[frame] = inclusive.get(frame, 0) + count
    expected = {}
    # JSON does not have the bytes of names that are not UTF-8.
    functions = [function for function in whole["functions"] if "\ufffd" not in function["name"]]
    for function in functions:
        key = in_frames(function)
        expected[key] = expected.get(key, 0) + function["self_samples"]
    # Samples in granules that functions share are fractions, of which whole ones make the stacks.
    check(f"{name}: samples of functions", all(abs(own.get(key, 0) - count) < 1 for key, count in expected.items()), own)
    if contexts:
        continue
    # Propagation is exact; the stacks of whole samples may differ from it by about half the sampling error.
    per_second = whole["total_samples"] / (whole["total"] - (whole["handler_time"] or 0)) if whole["total"] else 0
    worst = max((abs(inclusive.get(in_frames(f), 0) - total(f) * per_second) for f in functions
                 if f["cycle"] is None and f["kind"] == "function" and in_frames(f) != "same"), default=0)
    check(f"{name}: inclusive samples outside of cycles", worst <= 1 + 0.54 * math.sqrt(whole["total_samples"]), worst)

frames = {frame for stack, _ in read("hostile") for frame in stack}
for name in hostile_names()[:-2]:
    text = shown(name).replace(";", ":")
    check(f"hostile: {text[:40]}", text in frames or name.startswith(b"_Z"), "no such frame")
stacks = read("demo")
check("demo: there are few stacks", len(stacks) < 60, len(stacks))
check("demo: an interrupt begins its stacks", any(stack[:2] == ["<exception>", "work_interrupt"] for stack, _ in stacks))
check("demo: a member of a cycle follows the one that was called", any(
    stack[-3:] == ["parse_expression", "parse_term", "parse_number"] for stack, _ in stacks))
END
