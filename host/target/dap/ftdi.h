/* SPDX-License-Identifier: MIT */
/* The pins of an FTDI chip with an MPSSE (FT232H, FT2232H, FT4232H), through libftdi. */
#ifndef TARGET_DAP_FTDI_H
#define TARGET_DAP_FTDI_H

#include "target/dap/ftdi_layout.h"
#include "target/dap/pins.h"
#include "target/usb/interface.h"

/* Opens the wanted chip. layout: how its pins are connected; NULL = chosen by its ids and name. cancel: a descriptor,
 * -1 = none. */
enum status ftdi_open_pins(const struct usb_kind *kind, const struct usb_address *wanted,
                           const struct ftdi_layout *layout, int cancel, struct pins **pins, struct error *error);

#endif
