# SPDX-License-Identifier: MIT
# claimed.py COMMAND...: runs the command while this program has claimed the probe.
import subprocess
import sys

import usb.core
import usb.util

device = usb.core.find(idVendor=0xCAFE, idProduct=0x4011)
for interface in device[0]:
    usb.util.claim_interface(device, interface)
sys.exit(subprocess.run(sys.argv[1:]).returncode)
