# SPDX-License-Identifier: MIT
# gdbserver.py [OPTION]...: pyocd-gdbserver. That of Debian 12 calls isAlive(), which its Python no longer has.
import threading

threading.Thread.isAlive = threading.Thread.is_alive

from pyocd.tools.gdb_server import main

main()
