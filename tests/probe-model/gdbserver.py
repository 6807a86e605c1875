# SPDX-License-Identifier: MIT
# gdbserver.py [OPTION]...: pyocd-gdbserver, which says where it listens, as OpenOCD does, and only once it does. That of
# Debian 12 calls isAlive(), which its Python no longer has.
import threading

threading.Thread.isAlive = threading.Thread.is_alive

from pyocd.gdbserver import gdbserver
from pyocd.tools.gdb_server import main


class Socket(gdbserver.GDBSocket):
    def init(self):
        is_listening = self.s is not None
        super().init()
        if not is_listening:
            print("Listening on port %d for gdb connections" % self.s.getsockname()[1], flush=True)


gdbserver.GDBSocket = Socket
main()
