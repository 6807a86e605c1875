# SPDX-License-Identifier: MIT
# read.py FILE ADDRESS SIZE: pyOCD reads memory through the first access port of the connected probe.
import sys

from pyocd.coresight.ap import AccessPort
from pyocd.coresight.dap import DebugPort
from pyocd.probe.aggregator import DebugProbeAggregator

path, address, size = sys.argv[1], int(sys.argv[2], 0), int(sys.argv[3], 0)
probe = DebugProbeAggregator.get_all_connected_probes()[0]
probe.open()
probe.connect()
port = DebugPort(probe, None)
port.init()
port.power_up_debug()
memory = AccessPort.create(port, 0)
memory.init()
words = memory.read_memory_block32(address, size // 4)
with open(path, "wb") as file:
    file.write(b"".join(word.to_bytes(4, "little") for word in words))
probe.disconnect()
probe.close()
