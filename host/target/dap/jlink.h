/* SPDX-License-Identifier: MIT */
/* The pins of a J-Link debug probe, through libjaylink. */
#ifndef TARGET_DAP_JLINK_H
#define TARGET_DAP_JLINK_H

#include "target/dap/pins.h"
#include "target/usb/interface.h"

/* Opens the wanted probe and switches it to SWD, or to JTAG if that is preferred and available, or all that it has.
 * cancel: a descriptor, -1 = none. *millivolts: at VTref. */
enum status jlink_open(const struct usb_kind *kind, const struct usb_address *wanted, bool prefers_jtag, int cancel,
                       struct pins **pins, unsigned *millivolts, struct error *error);

#endif
