/* SPDX-License-Identifier: MIT */
/* A debug port on a probe that only moves bits (IHI 0031, B4, "serial wire debug"). A whole list of transfers goes
 * as one stream of bits; acknowledges are checked afterwards. No backend moves bits yet; the tests do. */
#ifndef TARGET_DAP_SWD_H
#define TARGET_DAP_SWD_H

#include "target/dap/dap.h"

struct swd_wire;

struct swd_wire_ops {
	/* Clocks count bits. For each, from the lowest bit of the first byte on: drives SWDIO as in bits where
	 * direction has a one, else leaves it to the target; samples SWDIO into in just before the rising edge of
	 * SWCLK. The clock stops between calls. */
	enum status (*shift)(struct swd_wire *wire, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
	                     size_t count, struct error *error);
	/* See dap_ops. */
	enum status (*set_speed)(struct swd_wire *wire, uint32_t speed, struct error *error);
	enum status (*drive_reset)(struct swd_wire *wire, bool is_reset, struct error *error);
	void (*finish)(struct swd_wire *wire);
	void (*close)(struct swd_wire *wire);
};

/* Every implementation's state begins with this. */
struct swd_wire {
	const struct swd_wire_ops *ops;
	char source[256]; /* for messages */
};

/* Owns wire, which is closed on failure, too. */
enum status swd_dap_open(struct swd_wire *wire, struct dap **dap, struct error *error);

#endif
