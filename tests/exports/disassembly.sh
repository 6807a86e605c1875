#!/bin/bash
# SPDX-License-Identifier: MIT
# disassembly.sh BAREPROF FOLDER: the instructions of `annotate --disassemble`, compared with objdump and with the times of functions.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
import shutil
from judge import *

ELF, CAPTURE = f"{FOLDER}/demo.elf", f"{FOLDER}/demo.bprof"
INSTRUCTION = re.compile(r"^([\d. ]*?)[ |] ( *[0-9a-f]+)  (\S.*)$")


def annotate(*options):
    return subprocess.run([BAREPROF, "annotate", "--disassemble", *options, ELF, CAPTURE],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def instructions(text, function):
    """Addresses, texts and the sum of times of a function's listing."""
    listing = re.search(rf"^{re.escape(function)}: [\d.]+ %\n\n[^\n]*address  instruction\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)[1]
    rows = [row for row in map(INSTRUCTION.match, listing.split("\n")) if row]
    return {int(row[2], 16): row[3].split()[0] for row in rows}, sum(float(row[1].split()[1]) for row in rows if row[1].strip())


def objdump(function):
    start, end = function["address"], function["address"] + function["size"]
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", f"--start-address={start}", f"--stop-address={end}", ELF],
                          check=True, stdout=subprocess.PIPE).stdout.decode()
    return {int(row[1], 16): row[2] for row in re.finditer(r"^ *([0-9a-f]+):\t(\S+)", text, re.M)}


text = annotate().stdout.decode()
hot = [f for f in profile("demo")["functions"] if f["kind"] == "function" and f["self"] >= 0.01 * profile("demo")["total"]]
for function in hot:
    found, time = instructions(text, function["name"])
    check_equal(f"{function['name']}: instructions", found, objdump(function))
    # Each time is rounded to 0.1 ms.
    check(f"{function['name']}: times add up", abs(time - function["self"]) <= 0.00005 * (len(found) + 1), f"{time} {function['self']}")
check("cold functions are left out", not re.search(r"^acquisition_take: ", text, re.M) and re.search(r"^fir_step: ", text, re.M))
check("a named function is shown even if it is cold", "acquisition_take: " in annotate("--function=acquisition_take").stdout.decode())
check("the source is above its instructions", re.search(r"crc\.c:16 +remainder \^= byte;\n.*\tldrb|crc\.c:16 +remainder \^= byte;\n[^\n]*ldrb\.w", text))


def program(name, text):
    """A program to be given as --objdump."""
    path = f"{FOLDER}/{name}"
    with open(path, "w", encoding="ascii") as script:
        script.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)
    return path


endless_line = program("endless_line", "head -c 50000000 /dev/zero")
endless_lines = program("endless_lines", "yes '  8000: nop' | head -c 50000000")
for options, message in [(["--objdump=/does/not/exist"], "/does/not/exist: cannot run it: No such file or directory"),
                         (["--objdump=false"], "false: it could not disassemble"),
                         ([f"--objdump={endless_line}"], "endless_line: is not an objdump: it printed more than a disassembly of "),
                         ([f"--objdump={endless_lines}"], "endless_lines: is not an objdump: it printed more than a disassembly of ")]:
    done = annotate(*options)
    check(f"{options[0]} is an error", done.returncode == 1 and message in done.stderr.decode(), done.stderr.decode())

# --- A large source is read once, also if it has the code of many functions, or if code alternates between two files.

SOURCE = f"{FOLDER}/large"
os.makedirs(SOURCE, exist_ok=True)


def assemble(name, lines, samples):
    """Nops, each with its file and line; functions begin at the first line of file 1. Sampled in bins of 8 bytes."""
    text = '.syntax unified\n.thumb\n.file 1 "one.c"\n.file 2 "two.c"\n'
    for i, (file, line) in enumerate(lines):
        text += f".type f{i}, %function\n.thumb_func\nf{i}:\n" if line == 1 else ""
        text += f".loc {file} {line}\nnop\n"
    run = {"check": True, "cwd": SOURCE}
    subprocess.run(["arm-none-eabi-as", "-mcpu=cortex-m3", "-o", f"{name}.o"], input=text.encode(), **run)
    subprocess.run(["arm-none-eabi-ld", "-Ttext=0x8000", "-e", "0x8000", "-o", f"{name}.elf", f"{name}.o"], **run)
    description = "clock 1000000\nperiod 1000\nshift 3\nrange 0x8000 0xa000\n" + \
        "".join(f"sample {0x8000 + 8 * i} 1\n" for i in range(samples))
    with open(f"{SOURCE}/{name}.bprof", "wb") as file:
        subprocess.run(["build/tests/make_capture"], input=description.encode(), stdout=file, check=True)


def read_once(check_name, name, *command):
    try:
        done = subprocess.run([BAREPROF, *command, "--directory=.", f"{name}.elf", f"{name}.bprof"], cwd=SOURCE,
                              stdout=subprocess.PIPE, timeout=120)
        check(check_name, done.returncode == 0 and b"the last line" in done.stdout, done.stdout[-300:])
    except subprocess.TimeoutExpired:
        check(check_name, False, "it takes longer than 30 s")


for file in "one.c", "two.c":
    with open(f"{SOURCE}/{file}", "w", encoding="ascii") as stream:
        stream.write("\n" + "the last line\n" + "\n" * 10000000)
assemble("alternating", [(1, 1)] + [(i % 2 + 1, 2) for i in range(3999)], 1)
read_once("a source is read once, though code alternates", "alternating", "annotate", "--disassemble")
with open(f"{SOURCE}/one.c", "a", encoding="ascii") as stream:
    stream.write("\n" * 50000000)
assemble("many", [(1, line) for _ in range(150) for line in (1, 2, 2, 2)], 150)
read_once("a source is read once for many functions", "many", "report", "--html=/dev/stdout")
shutil.rmtree(SOURCE)
END
