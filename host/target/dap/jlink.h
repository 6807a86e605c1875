/* SPDX-License-Identifier: MIT */
/* The pins of a J-Link debug probe, by libjaylink over USB. */
#ifndef TARGET_DAP_JLINK_H
#define TARGET_DAP_JLINK_H

#include "target/dap/pins.h"
#include "target/usb/interface.h"

/* Opens the wanted probe and switches it to SWD, or to JTAG if that is preferred and the probe has it, or has nothing
 * else. cancel: a descriptor, -1 = none. *millivolts: at VTref. */
enum status jlink_open(const struct usb_kind *kind, const struct usb_address *wanted, bool prefers_jtag, int cancel,
                       struct pins **pins, unsigned *millivolts, struct error *error);

#endif
