# SPDX-License-Identifier: MIT
# Imported by the tests of bareprof top: terminals of tmux, servers that can be cut off, and findings.
import atexit
import os
import re
import select
import shlex
import socket
import subprocess
import threading
import time

TIMEOUT = 120


def check(name, passed, why=""):
    print(f"ok {name}" if passed else f"not ok {name}: " + str(why).replace("\n", " | ")[:1500], flush=True)


class Terminal:
    """A terminal that runs a command of the shell."""

    count = 0

    def __init__(self, folder, command, columns=80, lines=24, environment=""):
        Terminal.count += 1
        self.name = f"{os.getpid()}-{Terminal.count}"
        self.socket = f"{folder}/tmux-{self.name}"
        atexit.register(self.close)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines),
                  f"env {environment} {command}; echo \"EXIT $?\"; exec cat")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *words], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout.decode()

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, columns, lines):
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def is_alternate(self):
        """Whether the program has a screen of its own, which it leaves when it restores the terminal."""
        return self.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def process(self):
        """The number of the process of the command."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        with open(f"/proc/{shell}/task/{shell}/children") as children:
            return int(children.read().split()[0])

    def wait(self, expected, timeout=TIMEOUT):
        """Waits for text that matches an expression; returns the screen, or None after the time-out."""
        end = time.monotonic() + timeout
        while True:
            screen = self.screen()
            if re.search(expected, screen, re.MULTILINE):
                return screen
            if time.monotonic() > end:
                return None
            time.sleep(0.05)

    def expect(self, name, expected, timeout=TIMEOUT):
        screen = self.wait(expected, timeout)
        check(name, screen is not None, f"no {expected} in {'' if screen else self.screen()}")
        return screen or ""

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], stderr=subprocess.DEVNULL)


class Relay:
    """A port of this machine that leads to a server, until it is cut."""

    def __init__(self, host, port):
        self.server = (host, port)
        self.is_cut = False
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.is_cut:
                client.close()
                continue
            try:
                server = socket.create_connection(self.server)
            except OSError:
                client.close()
                continue
            self.connections.append((client, server))
            threading.Thread(target=self.pump, args=(client, server), daemon=True).start()

    @staticmethod
    def pump(client, server):
        other = {client: server, server: client}
        try:
            while True:
                for side in select.select([client, server], [], [])[0]:
                    data = side.recv(65536)
                    if not data:
                        raise OSError
                    other[side].sendall(data)
        except (OSError, ValueError):
            for side in other:
                try:
                    side.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                side.close()

    def cut(self):
        self.is_cut = True
        for pair in self.connections:
            for side in pair:
                try:
                    side.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.connections.clear()


ROW = re.compile(r"^ *(\d+\.\d\d) +(\d+\.\d\d)? +(\d+\.\d\d) +(\d+\.\d\d)? +(\d+)? +(?:(\d[\d.]*) (s|ms|us|ns))? +(\S.*?) *$",
                 re.MULTILINE)


def functions(screen):
    """The rows of a list of functions: by name, shares, errors and calls."""
    rows = {}
    for row in ROW.finditer(screen):
        share, error, total, total_error, calls, _, _, name = row.groups()
        rows[name] = {"self": float(share), "error": error and float(error), "total": float(total),
                      "total_error": total_error and float(total_error), "calls": int(calls or 0)}
    return rows


def command(*words):
    return " ".join(shlex.quote(word) for word in words)
