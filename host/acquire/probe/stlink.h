/* SPDX-License-Identifier: MIT */
/* A target's memory and debug registers through an ST-Link of version 2 or 3. The probe itself drives SWD; a command
 * reads up to 6 KiB. The core is neither halted nor reset. */
#ifndef ACQUIRE_PROBE_STLINK_H
#define ACQUIRE_PROBE_STLINK_H

#include "acquire/dap/access.h"
#include "acquire/usb/exchange.h"

/* Takes the probe out of DFU, where it waits for new firmware. *comes_back: the probe disconnects and has to be opened
 * again in a moment. Call this before stlink_open(). */
enum status stlink_leave_dfu(struct exchange *exchange, bool *comes_back, struct error *error);

/* Connects. setup->speed 0: the default; setup->observer->trace() receives a line per command. Takes ownership of
 * exchange, and closes it on failure, too. */
enum status stlink_open(struct exchange *exchange, const struct target_setup *setup, struct access **access,
                        struct error *error);

#endif
