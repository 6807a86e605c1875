# SPDX-License-Identifier: MIT
# gdbserver.py [OPTION]...: pyocd-gdbserver that prints its port when it listens, as OpenOCD does. Debian 12's version calls
# isAlive(), which its Python no longer has.
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
