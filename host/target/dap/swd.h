/* SPDX-License-Identifier: MIT */
/*
 * A debug port behind a probe that only moves bits (IHI 0031, B4, "serial wire debug"). Transfers go as one stream of
 * bits without a look at the acknowledges in between. Knows nothing of how bits get to the wire.
 * So far no probe of the table moves bits; the tests do, to a model of a target.
 */
#ifndef TARGET_DAP_SWD_H
#define TARGET_DAP_SWD_H

#include "target/dap/dap.h"

struct swd_wire;

struct swd_wire_ops {
	/*
	 * Makes count clocks. For each, of the lowest bit of the first byte on: SWDIO is driven as bits says where
	 * direction has a one, else it is left to the target; in gets what SWDIO was just before the rising edge of
	 * SWCLK. Nothing is clocked between one call and the next.
	 */
	enum status (*shift)(struct swd_wire *wire, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
	                     size_t count, struct error *error);
	/* As those of dap_ops. */
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

/* Takes wire over, also on failure. */
enum status swd_dap_open(struct swd_wire *wire, struct dap **dap, struct error *error);

#endif
