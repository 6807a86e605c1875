# SPDX-License-Identifier: MIT
# screen.py BAREPROF FOLDER ELF: the screen of bareprof top, by QEMU's gdb stub and the console's UART: rows, keys, sizes, and
# the terminal afterwards.
import os
import re
import signal
import sys
import time

sys.path.insert(0, "tests/top")
from tmux import *

bareprof, folder, elf = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
gdb = f"gdb:127.0.0.1:{os.environ['GDB_PORT']}"


def top(source, *options):
    return command(bareprof, "top", source, "-e", elf, "--interval", "0.3", *options)


def first_rows(screen):
    return screen.splitlines()[5:]


# --- Rows

terminal = Terminal(folder, top(gdb))
screen = terminal.expect("an interval is shown", r"^Interval  \d\.\d\d s: [\d,]{3,} samples \([\d,]+/s\), recorder \d+\.\d\d %, \d+\.\d{3} s of t")
check("the title names source and firmware", screen.startswith(f"bareprof top  {gdb}  {elf}"[:80]), screen)
check("the state is shown", re.search(r"^Target    running, pulled \d\.\d s ago$", screen, re.M), screen)
check("the keys fit the screen", screen.splitlines()[-1].endswith("space:freeze"), screen)
check("losses are shown", re.search(r"^Losses    none; missed ticks are unknown$", screen, re.M), screen)
rows = functions(screen)
check("the recorder has a row", 5 < rows.get("<bareprof>", {"self": 0})["self"] < 60, screen)
check("functions have shares, errors and calls",
      all(rows.get(name, {"error": None})["error"] and rows[name]["calls"] > 0 and rows[name]["total_error"]
          for name in ("fir_step", "crc32")), screen)
check("shares fall", [row["self"] for row in rows.values()] == sorted((row["self"] for row in rows.values()), reverse=True), screen)
check("errors are computed as for shares",
      all(abs(row["error"] - (row["self"] * (100 - row["self"]) / int(re.search(r": ([\d,]+) samples", screen)[1].replace(",", ""))) ** 0.5)
          < 0.02 + row["error"] / 3 for row in rows.values() if row["self"] > 5), screen)
first = screen.splitlines()[2]
terminal.wait(f"^(?!{re.escape(first)})Interval")
check("the interval is renewed", terminal.screen().splitlines()[2] != first, first)

# --- Keys

terminal.keys("i")
terminal.expect("i shows all since the start", r"^Start     [\d,]+ samples")
terminal.keys("/", "r", "u", "n", "_", "Enter")
terminal.expect("a filter hides rows", r"^Filter: run_, hides \d+ rows")
check("a filter keeps matches", set(functions(terminal.screen())) == {"run_round"}, terminal.screen())
terminal.keys("Enter")
screen = terminal.expect("Enter shows callers and callees", r"callers, function, callees")
check("the keys include the way back", "Esc:back" in screen.splitlines()[-1], screen)
check("the filter does not hide relatives", "called by main" in screen, screen)
check("callees follow the function", re.search(r"called by main\n[^\n]* run_round\n[^\n]*calls \w+", screen), screen)
terminal.keys("Down", "Down", "Enter")
screen = terminal.expect("Enter goes on to a callee", r"called by run_round$")
terminal.keys("BSpace")
terminal.expect("Backspace goes back", r"called by main$")
terminal.keys("Escape")
terminal.expect("Escape goes back to the list", r"\*self %.* function$")
terminal.keys("/", *["BSpace"] * 4, "/", "^", "(", "f", "i", "r", "|", "C", "R", "C", ")", "/", "Enter")
terminal.expect("an expression is a filter", r"^Filter: /\^\(fir\|CRC\)/, hides")
check("an expression keeps matches", set(functions(terminal.screen())) == {"fir_step", "crc32"}, terminal.screen())
terminal.keys("/", *["BSpace"] * 20, "/", "(", "/", "Enter")
terminal.expect("a wrong expression is refused", r"^Not a valid expression, or too many repetitions; the filter is off$")
terminal.keys("<")
terminal.expect("< sorts by name", r"\*function$")
names = list(functions(terminal.screen()))
check("names are in order", names == sorted(names) and len(names) > 10, names)
terminal.keys("r")
terminal.wait(r"\*function\n(?!.*<bareprof>)")
names = list(functions(terminal.screen()))
check("r reverses the order", names == sorted(names, reverse=True), names)
terminal.keys("r", ">", ">", ">")
terminal.expect("> sorts by calls", r"\*calls")
calls = [row["calls"] for row in functions(terminal.screen()).values() if row["calls"]]
check("calls fall", calls == sorted(calls, reverse=True), calls)
terminal.keys("a")
screen = terminal.expect("a shows arcs", r"main -> run_round$")
check("arcs have a time per call", re.search(r"^ +\d+\.\d\d +\d+ +\d+(\.\d+)? (us|ms) +main -> run_round$", screen, re.M), screen)
terminal.keys("c")
terminal.expect("c says why there are no contexts", r"^\(no contexts: make the library WITH=contexts, firmware -DBAREPROF_CONTEXTS=N\)$")
check("contexts do not offer Enter", "Enter" not in terminal.screen().splitlines()[-1], terminal.screen())
terminal.keys("f", "h")
terminal.expect("h shows the keys", r"^bareprof top: keys$")
terminal.keys("x")
terminal.expect("any key ends the help", r"^Target ")
terminal.keys(" ")
screen = terminal.expect("space freezes", r"FROZEN")
time.sleep(1)
frozen = terminal.screen()
check("a frozen picture stays", screen.splitlines()[2:] == frozen.splitlines()[2:], frozen)
terminal.keys(" ")
terminal.wait(r"^bareprof top  gdb")
terminal.keys("End")
terminal.wait("x", 0.3)
terminal.keys("Home", "PageDown", "PageUp", "k", "j", "j")

# --- Sizes

for columns, lines in (40, 10), (7, 3), (1, 1), (200, 60), (80, 24):
    terminal.resize(columns, lines)
    time.sleep(0.2)
terminal.expect("the screen survives sizes down to one character", r"^Target    running")

# --- The terminal afterwards

terminal.keys("q")
terminal.expect("q ends with success", r"^EXIT 0$")
check("q restores the terminal", not terminal.is_alternate())
terminal.close()

for name, end in ("INT", "EXIT 0"), ("TERM", "EXIT 0"), ("HUP", "EXIT 0"):
    terminal = Terminal(folder, top(gdb))
    terminal.wait("^Interval")
    was_alternate = terminal.is_alternate()
    os.kill(terminal.process(), getattr(signal, f"SIG{name}"))
    terminal.expect(f"SIG{name} ends with success", f"^{end}$")
    check(f"SIG{name} restores the terminal", was_alternate and not terminal.is_alternate())
    terminal.close()

terminal = Terminal(folder, "bash --norc -i")
terminal.keys(f"stty -a >{folder}/before; " + top(gdb), "Enter")
terminal.wait("^Interval")
terminal.keys("C-\\")
terminal.keys("C-z")
terminal.expect("Ctrl-Z suspends", r"^\[1\]\+ +Stopped")
check("Ctrl-Z restores the terminal", not terminal.is_alternate())
terminal.keys("fg", "Enter")
terminal.expect("fg shows the screen again", r"^Interval")
terminal.keys("q")
terminal.wait("bash.*")
terminal.keys(f"stty -a >{folder}/after; echo DO''NE", "Enter")
terminal.expect("the shell goes on", r"^DONE$")
with open(f"{folder}/before") as before, open(f"{folder}/after") as after:
    check("the modes of the terminal are restored", before.read() == after.read())
terminal.close()

# --- Terminals

terminal = Terminal(folder, top(gdb), environment="LC_ALL=C NO_COLOR=1")
terminal.expect("the screen works in the C locale without colours", r"^ +\d.* fir_step$")
terminal.close()
terminal = Terminal(folder, top(gdb), environment="TERM=nonsense")
terminal.expect("an unknown terminal is refused", r"^bareprof: TERM=nonsense: ncurses cannot use this terminal; --batch prints tab")
terminal.close()

# --- Over the console's UART

terminal = Terminal(folder, top(f"tcp:{os.environ['SERIAL']}"))
screen = terminal.expect("a link shows intervals", r"^Interval")
check("a link shows functions", functions(screen).get("fir_step", {"calls": 0})["calls"] > 0, screen)
terminal.keys("q")
terminal.expect("a link ends with success", r"^EXIT 0$")
terminal.close()
