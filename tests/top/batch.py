# SPDX-License-Identifier: MIT
# batch.py BAREPROF FOLDER ELF: the tables of bareprof top --batch have the counts of bareprof pull, and it ends as filters of the
# shell expect.
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, "tests/top")
from tmux import check, functions

bareprof, folder, elf = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
gdb = f"gdb:127.0.0.1:{os.environ['GDB_PORT']}"
link = f"tcp:{os.environ['SERIAL']}"


def pull(name, *options):
    """Takes a capture; returns the calls by function, and the samples."""
    path = f"{folder}/{name}.bprof"
    subprocess.run([bareprof, "pull", gdb, "-e", elf, "-o", path, *options], check=True, stderr=subprocess.DEVNULL)
    profile = json.loads(subprocess.run([bareprof, "export", "json", elf, path], check=True, stdout=subprocess.PIPE).stdout)
    return {function["name"]: function["calls"] + function["self_calls"] for function in profile["functions"]}, \
        round(sum(function["self_samples"] for function in profile["functions"])), path


def batch(source, *options, **others):
    return subprocess.run([bareprof, "top", source, "-e", elf, "--batch", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, **others)


def samples_of(table):
    return int(re.search(r"^(?:Start|Interval).*?([\d,]+) samples", table, re.M)[1].replace(",", ""))


def handles(process, number):
    """Whether a process catches a signal or reads it from a descriptor, as signalfd(2) does."""
    with open(f"/proc/{process.pid}/status") as status:
        masks = re.findall(r"^Sig(?:Cgt|Blk):\s*(\w+)", status.read(), re.M)
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


def without_cycle(name):
    return re.sub(r" <cycle \d+>$", "", name)


# --- The same counts as in a report

calls, samples, path = pull("stopped", "--stop")
done = batch(gdb, "--since-start", "--count", "1")
table = done.stdout.decode()
rows = functions(table)
check("one table is a success", done.returncode == 0 and done.stderr == b"", done.stderr)
check("a stopped profile is reported", "Target    stopped, pulled" in table and "nothing is counted until" in table, table)
check("samples equal a pull's", samples_of(table) == samples and samples > 1000, f"{samples_of(table)} not {samples}")
check("calls equal a pull's",
      {without_cycle(name): row["calls"] for name, row in rows.items() if row["calls"]} ==
      {name: count for name, count in calls.items() if count} and len(rows) > 20, table)
report = subprocess.run([bareprof, "report", "-p", elf, path], check=True, stdout=subprocess.PIPE).stdout.decode()
shares = {name: re.search(rf"^ +(\d+\.\d\d) .* {re.escape(name)}( \(shared only\))?$", report, re.M) for name in rows}
differing = [name for name, row in rows.items() if shares[name] is None or float(shares[name][1]) != row["self"]]
check("shares equal a report's", differing == [], differing)

# --- Intervals add up to a pull

process = subprocess.Popen([bareprof, "top", link, "-e", elf, "--batch", "--interval", "0.3"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
output = os.fdopen(os.dup(process.stdout.fileno()), "rb")
text = ""


def read_table(is_expected):
    """Reads until a table is as expected."""
    global text
    end = time.monotonic() + 120
    while time.monotonic() < end:
        text += os.read(output.fileno(), 65536).decode()
        tables = [table for table in text.split("\n\n") if table.count("\n") >= 5]
        if tables and is_expected(tables[-1]):
            return


read_table(lambda table: True)
pull("running", "--start")
read_table(lambda table: samples_of(table) > 0)
read_table(lambda table: samples_of(table) > 0)
after, samples_after, _ = pull("after", "--stop")
read_table(lambda table: samples_of(table) == 0)
process.send_signal(signal.SIGINT)
rest, errors = process.communicate(timeout=120)
text += rest.decode()
check("Ctrl-C ends with success", process.returncode == 0 and errors == b"", f"{process.returncode} {errors}")
tables = [table for table in text.split("\n\n") if table.strip()]
check("intervals have the samples between two pulls", sum(map(samples_of, tables)) == samples_after - samples > 0,
      f"{[samples_of(table) for table in tables]} {samples_after} - {samples}")
sums = {}
for table in tables:
    for name, row in functions(table).items():
        sums[without_cycle(name)] = sums.get(without_cycle(name), 0) + row["calls"]
check("intervals have the calls between two pulls",
      all(sums.get(name, 0) == after[name] - calls.get(name, 0) for name in after) and sum(sums.values()) > 10000, sums)
check("no interval is taken for a reset", "reset" not in text and "cleared" not in text, text)
pull("again", "--start")

# --- Lists and limits

table = batch(gdb, "--count", "1", "--interval", "0.3", "--top", "3", "--sort", "calls").stdout.decode()
rows = functions(table)
ordered = [row["calls"] for name, row in rows.items() if name != "<bareprof>"]
check("the limit leaves rows and the recorder", len(rows) == 4 and "<bareprof>" in rows, table)
check("the order is by calls", ordered == sorted(ordered, reverse=True), table)
table = batch(gdb, "--count", "1", "--interval", "0.3", "--list", "arcs", "--filter", "/^main -> run_round$/").stdout.decode()
check("arcs are filtered", re.search(r"caller -> callee\n +\S+ +\d+ +\S+ \S\S +main -> run_round\n$", table), table)
table = batch(gdb, "--count", "1", "--interval", "0.3", "--list", "contexts").stdout.decode()
check("no contexts are said to be none", "(no contexts:" in table, table)

# --- Ends

done = subprocess.run(["bash", "-c", '"$@" | head -n 3; echo "${PIPESTATUS[0]}"', "", bareprof, "top", gdb, "-e", elf, "--batch",
                       "--interval", "0.2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
check("a closed pipe ends it", done.stdout.splitlines()[-1] == b"141" and done.stderr == b"" and len(done.stdout.splitlines()) == 4,
      f"{done.stdout} {done.stderr}")
done = subprocess.run(["bash", "-c", '"$@" | true; echo "${PIPESTATUS[0]}"', "", bareprof, "top", gdb, "-e", elf, "--batch",
                       "--interval", "600"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
check("a pipe closed within an interval ends it at once", done.stdout == b"141\n", done.stdout)
with open("/dev/full", "w") as full:
    done = subprocess.run([bareprof, "top", gdb, "-e", elf, "--batch", "--interval", "0.2"], stdout=full, stderr=subprocess.PIPE, timeout=300)
check("a full disk is one line", done.returncode == 1 and done.stderr == b"bareprof: standard output: cannot write: No space left on device\n",
      done.stderr)
reading, writing = os.pipe()
os.set_blocking(writing, False)
try:
    while True:
        os.write(writing, b"x" * 4096)
except BlockingIOError:
    os.set_blocking(writing, True)
process = subprocess.Popen([bareprof, "top", gdb, "-e", elf, "--batch", "--interval", "0.1"], stdout=writing)
while process.poll() is None and not handles(process, signal.SIGINT):
    time.sleep(0.05)
time.sleep(2)
process.send_signal(signal.SIGINT)
try:
    check("Ctrl-C ends it while nobody reads", process.wait(timeout=120) == 0, process.returncode)
except subprocess.TimeoutExpired:
    process.kill()
    check("Ctrl-C ends it while nobody reads", False, "it does not end")
os.close(reading)
os.close(writing)
done = batch(gdb, "--count", "1", stdin=subprocess.DEVNULL)
check("no terminal is needed", done.returncode == 0, done.stderr)
done = subprocess.run([bareprof, "top", gdb, "-e", elf], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
check("a screen needs a terminal", done.returncode == 2 and b"--batch" in done.stderr and done.stderr.count(b"\n") == 1, done.stderr)
