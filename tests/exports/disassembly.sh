#!/bin/bash
# SPDX-License-Identifier: MIT
# disassembly.sh BAREPROF FOLDER: the instructions of `annotate --disassemble`, compared with objdump and with the times of functions.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests/exports PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$@" <<'END'
import re
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
END
