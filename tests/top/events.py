# SPDX-License-Identifier: MIT
# events.py BAREPROF FOLDER ELF OTHER: bareprof top when the target is reset or flashed with OTHER, when the server is gone, and
# when the ELF changes.
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys

sys.path.insert(0, "tests/top")
from tmux import *

bareprof, folder, elf, other = os.path.abspath(sys.argv[1]), *sys.argv[2:]
firmware = f"{folder}/fw.elf"
shutil.copy(elf, firmware)
relay = Relay("127.0.0.1", int(os.environ["GDB_PORT"]))
tool = command(bareprof, "top", f"gdb:127.0.0.1:{relay.port}", "-e", firmware, "--interval", "0.3")


def monitor(execute):
    """Lets QEMU's monitor execute a command."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"{folder}/qmp")
        stream = connection.makefile("rw")
        stream.readline()
        for name in "qmp_capabilities", execute:
            stream.write(json.dumps({"execute": name}) + "\n")
            stream.flush()
            while "return" not in json.loads(stream.readline()):
                pass


def replace(source):
    """Replaces the ELF as a linker does that writes a new file."""
    shutil.copy(source, f"{firmware}.new")
    os.rename(f"{firmware}.new", firmware)


def samples(screen):
    return int(re.search(r"([\d,]+) samples", screen)[1].replace(",", ""))


machines = []


def flash(firmware):
    """Replaces the target by one that has just started with this firmware, at the same port. It has few samples: an
    instruction takes 1/16 of the usual virtual time."""
    ports = f"{folder}/ports-{len(machines)}"
    machine = subprocess.Popen(["tests/qemu/run.sh", "--shift", "1", "--until", "demo: round 16", "mps2-an385", firmware, "sh", "-c",
                                f"echo $GDB_PORT >{ports}.new && mv {ports}.new {ports} && sleep 600"], start_new_session=True)
    machines.append(machine)
    while not os.path.exists(ports) and machine.poll() is None:
        time.sleep(0.05)
    with open(ports) as file:
        relay.server = ("127.0.0.1", int(file.read()))
    relay.cut()
    relay.is_cut = False


terminal = Terminal(folder, tool, columns=250)
terminal.keys("i")
before = terminal.expect("the profile is shown", r"^Start     [\d,]+ samples")

# --- Resets

monitor("system_reset")
screen = terminal.expect("a reset that keeps the RAM is reported", r"target reset \d+ s ago, counts continue")
check("counts go on", samples(screen) > samples(before), screen)
before = terminal.wait(r"^Start     (\d{3}|[3-9]\d),\d{3} samples")
flash(elf)
screen = terminal.expect("a reset that loses the RAM is reported", r"target reset \d+ s ago, [\d,]+ ticks so far")
check("counts begin again", samples(screen) < samples(before), screen)
terminal.keys("i")
terminal.expect("intervals go on after a reset", r"^Interval .*\n.*\n.*\n +\d.*<bareprof>")

# --- A server that is gone

relay.cut()
screen = terminal.expect("a server that is gone is reported", r"^Target    no capture for \d+ s: .*; next try in \d+ s")
check("the last picture stays", "fir_step" in screen and re.search("^Interval", screen, re.M), screen)
relay.is_cut = False
terminal.expect("the server is found again", r"^Target    running, pulled .*; connected again \d+ s ago")

# --- An ELF that changes

with open(elf, "rb") as source, open(firmware, "wb") as target:
    target.write(source.read(20000))
terminal.expect("half an ELF is not used", r"the changed ELF is not used: .*fw\.elf: ")
replace(other)
terminal.expect("another ELF is refused", r"^Target    no capture for \d+ s: .*fw\.elf.*build")
replace(elf)
terminal.expect("the right ELF is read again", r"^Target    running, .*ELF read again")
os.remove(firmware)
os.mkfifo(firmware)
time.sleep(3)
terminal.expect("a pipe in place of the ELF is not opened", r"^Target    running, pulled 0\.\d s ago")

# --- A target that is flashed

flash(other)
terminal.expect("a flashed target is reported", r"^Target    no capture for \d+ s: .*build")
replace(other)
terminal.expect("the new firmware is shown with its ELF", r"^Target    running, .*ELF read again")
terminal.expect("the new firmware has intervals", r"^Interval .*\n.*\n.*\n +\d.*<bareprof>")
terminal.keys("q")
terminal.expect("the end is a success", r"^EXIT 0$")
terminal.close()
for machine in machines:
    os.killpg(machine.pid, signal.SIGTERM)
    machine.wait()

# --- From the start

relay.cut()
done = subprocess.run([bareprof, "top", f"gdb:127.0.0.1:{relay.port}", "-e", firmware, "--batch"], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, timeout=300)
check("a server that was never there is a failure", done.returncode == 1 and done.stderr.startswith(b"bareprof: ") and done.stdout == b"",
      done.stderr)
