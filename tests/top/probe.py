# SPDX-License-Identifier: MIT
# probe.py BAREPROF FOLDER UMOCKDEV: bareprof top through the model of a CMSIS-DAP probe (tests/probe-model/firmware.sh), which
# is unplugged meanwhile.
import os
import sys

sys.path.insert(0, "tests/top")
from tmux import *

bareprof, folder, umockdev = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
elf = os.environ["MODEL_ELF"]
target = os.environ["MODEL_TARGET"].split()
tool = [bareprof, "top", "cmsis-dap:", "-e", elf, "--interval", "0.3"]

terminal = Terminal(folder, command(umockdev, "--packet", "512", *target, "--", *tool), columns=200)
screen = terminal.expect("a probe shows intervals", r"^Interval .*\n.*\n.*\n +\d.*<bareprof>")
check("a probe shows calls", functions(screen).get("fir_step", {"calls": 0})["calls"] > 0, screen)
terminal.keys("q")
terminal.expect("a probe ends with success", r"^EXIT 0$")
terminal.close()

terminal = Terminal(folder, command(umockdev, "--plug-in-again", "--packet", "512", "--unplug-after", "900", *target, "--", *tool),
                    columns=200)
terminal.wait("^Interval")
screen = terminal.expect("an unplugged probe is used again", r"^Target    running, pulled .*; connected again \d+ s ago")
check("counts go on", "reset" not in screen and "fir_step" in screen, screen)
terminal.keys("q")
terminal.expect("the end is a success", r"^EXIT 0$")
terminal.close()
