# SPDX-License-Identifier: MIT
# claimed.py COMMAND...: runs the command while this program has claimed the probe, which must be the only device except hubs.
import subprocess
import sys

import usb.core
import usb.util

device = usb.core.find(custom_match=lambda one: one.bDeviceClass != usb.CLASS_HUB)
for interface in device[0]:
    usb.util.claim_interface(device, interface)
sys.exit(subprocess.run(sys.argv[1:]).returncode)
