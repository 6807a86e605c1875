/* SPDX-License-Identifier: MIT */
/* The pins of a probe that only moves bits, for SWD or JTAG. One file per kind of probe. */
#ifndef ACQUIRE_DAP_PINS_H
#define ACQUIRE_DAP_PINS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pins;

/* The first bit is the lowest of the first byte. The clock stops between calls. */
struct pins_ops {
	/* SWD: for each of count clocks, drives SWDIO as in bits where direction has a one, else leaves it to the
	 * target; samples SWDIO into in just before the rising edge of SWCLK. NULL: not wired for SWD. */
	enum status (*shift_swd)(struct pins *pins, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
	                         size_t count, struct error *error);
	/* JTAG: for each of count clocks, drives TMS and TDI, and samples TDO into tdo just before the rising edge of
	 * TCK. tdo may be NULL. NULL: not wired for JTAG. */
	enum status (*shift_jtag)(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo, size_t count,
	                          struct error *error);
	/* See dap_ops. */
	enum status (*set_speed)(struct pins *pins, uint32_t *speed, struct error *error);
	enum status (*drive_reset)(struct pins *pins, bool is_low, struct error *error);
	void (*finish)(struct pins *pins);
	void (*close)(struct pins *pins);
};

/* Every implementation's state begins with this. */
struct pins {
	const struct pins_ops *ops;
	char source[256];      /* the SOURCE of the probe, for messages */
	unsigned packets_lost; /* so far, to and from the probe; after a loss the stream reads as ones, like pins that
	                          nothing drives */
	bool is_speed_limit;   /* see struct dap */
};

#endif
