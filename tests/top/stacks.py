# SPDX-License-Identifier: MIT
# stacks.py BAREPROF FOLDER ELF: bareprof top of a firmware that keeps slices, without -pg: total times of an interval are measured
# from the stacks that were taken in it, and no number of calls is shown.
import os
import re
import subprocess
import sys

sys.path.insert(0, "tests/top")
from tmux import check

bareprof, elf = os.path.abspath(sys.argv[1]), sys.argv[3]
gdb = f"gdb:127.0.0.1:{os.environ['GDB_PORT']}"


def tables(count, *options):
    result = subprocess.run([bareprof, "top", gdb, "-e", elf, "--batch", f"--count={count}", "--interval=0.7", *options],
                            stdout=subprocess.PIPE, timeout=300)
    check(f"{count} tables {options}", result.returncode == 0, result.returncode)
    return result.stdout.decode().split("\n\n")


def stacks_of(table):
    return int(re.search(r"([\d,]+) stacks", table)[1].replace(",", ""))


def row(table, name):
    """The numbers of a row, without those that are blank."""
    found = re.search(rf"^ *([-\d., ]*[\d]) +{re.escape(name)}$", table, re.M)
    return [] if found is None else [float(number.replace(",", "")) for number in found[1].split()]


whole = tables(1, "--since-start")[0]
# Stacks of the recorder are not counted.
check("nearly all slices are used", 56 <= stacks_of(whole) <= 64, whole)
last = tables(3, "--sort=total")[-1]
check("an interval has fewer stacks than there is room for", 0 < stacks_of(last) < 64, last)
numbers = row(last, "run_round")
check("a function that only calls others has a measured total time", len(numbers) >= 2 and 80 < numbers[-2] <= 100, last)
check("calls that were not counted are blank", len(numbers) <= 4, last)
arcs = tables(1, "--since-start", "--list=arcs")[0]
numbers = row(arcs, "main -> run_round")
check("an arc that is known from stacks has its time alone", len(numbers) == 1 and 80 < numbers[0] <= 100, arcs)
