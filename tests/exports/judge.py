# SPDX-License-Identifier: MIT
# Imported by the tests of formats: the captures of captures.sh, exported, and findings. Arguments of the program: BAREPROF FOLDER.
import json
import os
import subprocess
import sys
import unicodedata

BAREPROF = os.path.abspath(sys.argv[1])
FOLDER = os.path.abspath(sys.argv[2])
CAPTURES = sorted(name[:-6] for name in os.listdir(FOLDER) if name.endswith(".bprof"))


def export(form, name, *options):
    """The profile of a capture in a format, as bytes. It also stays in FOLDER/NAME.FORMAT."""
    path = f"{FOLDER}/{name}.{form}"
    command = [BAREPROF, "export", form, *options, "-o", path, f"{FOLDER}/{name}.elf", f"{FOLDER}/{name}.bprof"]
    subprocess.run(command, check=True)
    with open(path, "rb") as file:
        return file.read()


def profile(name, *options):
    """The same as JSON, parsed: the values that other formats are compared with."""
    # Formats are judged at the same time, so each reads JSON of its own.
    return json.loads(subprocess.run(
        [BAREPROF, "export", "json", *options, f"{FOLDER}/{name}.elf", f"{FOLDER}/{name}.bprof"],
        check=True, stdout=subprocess.PIPE).stdout)


def parts(name):
    """The times of a capture by core and context, by the name that viewers show; {}: it has neither."""
    cores = [["core 0, ", "--core=0"], ["core 1, ", "--core=1"]] if name == "cores" else [[""]]
    return {prefix + (context["name"] or (f"<context {context['context']}>" if context["context"] is not None
                                          else "<no context>")): context["total"]
            for prefix, *options in cores for context in profile(name, *options)["contexts"]}


def all_calls(function):
    """All calls; 0: none, or their number is unknown."""
    return (function["calls"] or 0) + (function["self_calls"] or 0)


def meaning_of_paths(name):
    """What a file of call paths says that they are."""
    return "paths as measured from stacks" if "measured" in profile(name) else "paths as gprof's propagation implies"


def total(function):
    return function["self"] + function["children"]


def has_values(function):
    return function["self_samples"] > 0 or total(function) > 0 or all_calls(function) > 0


def hostile_names():
    """The names of the functions of hostile.elf, as bytes, in the order of their addresses."""
    with open(f"{FOLDER}/hostile.names", "rb") as file:
        return file.read().split(b"\0")[:-1]


def shown(name):
    """A name as all formats of text show it: unprintable bytes as \\xNN."""
    text = ""
    for character in name.decode(errors="surrogateescape"):
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            text += "".join(f"\\x{byte:02x}" for byte in character.encode(errors="surrogateescape"))
        else:
            text += character
    return text


def is_close(left, right, tolerance=1e-6):
    return abs(left - right) <= tolerance * max(1, abs(left), abs(right))


def check(name, ok, why=""):
    print(f"ok {name}" if ok else f"not ok {name}: {why}")


def check_equal(name, actual, expected):
    check(name, actual == expected, f"{actual!r} instead of {expected!r}")


def check_close(name, actual, expected, tolerance=1e-6):
    check(name, is_close(actual, expected, tolerance), f"{actual!r} instead of {expected!r}")


def run(name, command, **options):
    """Runs a program that judges, which must succeed without a word on standard error. Returns its standard output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    complaint = done.stderr.decode(errors="replace").strip()
    check(name, done.returncode == 0 and not complaint, f"exit status {done.returncode}: {complaint[:500]!r}")
    return done.stdout.decode(errors="replace")
