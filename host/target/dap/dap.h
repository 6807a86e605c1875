/* SPDX-License-Identifier: MIT */
/*
 * A debug port of the Arm Debug Interface (IHI 0031, "ADIv5") as a probe gives it: registers of the debug port and of
 * access ports, read and written in order. One file per kind of probe. Knows nothing of what the registers mean.
 */
#ifndef TARGET_DAP_DAP_H
#define TARGET_DAP_DAP_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a transfer ended, as the target acknowledges it on the wire (IHI 0031, B4.2). */
enum dap_ack {
	DAP_OK = 1,
	DAP_WAIT = 2,           /* the access port was busy longer than the probe tries again */
	DAP_FAULT = 4,          /* an error of before is still noted: CTRL/STAT says which */
	DAP_NO_ACK = 7,         /* nobody drove the line */
	DAP_PROTOCOL_ERROR = 8, /* no such acknowledge, or the parity of what was read is wrong */
	DAP_LOST = 16,          /* nothing is known of it: what the probe said got lost, or was about something else */
};

/* What an acknowledge says: the three bits of the wire, the first lowest; whatever else a probe gives is garbled. */
static inline enum dap_ack dap_ack_of(unsigned said)
{
	switch (said) {
	case DAP_OK:
	case DAP_WAIT:
	case DAP_FAULT:
	case DAP_NO_ACK:
		return (enum dap_ack)said;
	default:
		return DAP_PROTOCOL_ERROR;
	}
}

/* A register: bit 0 is APnDP, bit 1 RnW, bits 3 and 2 are A[3:2]. */
#define DAP_DP   0u
#define DAP_AP   1u
#define DAP_READ 2u

/* One register, read or written count times (at least once) in a row. */
struct dap_transfer {
	uint8_t reg; /* DAP_DP or DAP_AP, with DAP_READ or not, plus the address: 0, 4, 8 or 12 */
	uint32_t count;
	uint32_t *words; /* what is written, or where to what is read */
};

struct dap;

struct dap_ops {
	/* Sends bits on SWDIO with a clock each, the lowest of bits[0] first. What came of them shows the next
	 * transfer, also whether they got lost on their way to the probe. */
	enum status (*send_bits)(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error);
	/* Writes TARGETSEL, which no target acknowledges (IHI 0031, B4.3.4), as send_bits. */
	enum status (*select_target)(struct dap *dap, uint32_t target, struct error *error);
	/*
	 * Makes transfers in order, with as many on their way as the probe takes. What is read of an access port is the
	 * value of that very access: that reads are posted is the probe's business, as are some repetitions after WAIT.
	 * *ack is DAP_OK, or says how the first ended that failed: of that one and those behind it, words are
	 * undefined and may or may not have been read or written. A failure: the probe itself does not work.
	 */
	enum status (*transfer)(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
	                        struct error *error);
	/* The clock, in Hz: this or the next slower that there is. */
	enum status (*set_speed)(struct dap *dap, uint32_t speed, struct error *error);
	/* Pulls the reset pin of the target down, or lets go of it. */
	enum status (*drive_reset)(struct dap *dap, bool is_reset, struct error *error);
	/* From now on nothing cancels what it waits for: the target is taken leave of. */
	void (*finish)(struct dap *dap);
	/* Leaves the pins alone, and frees. */
	void (*close)(struct dap *dap);
};

/* Every implementation's state begins with this. */
struct dap {
	const struct dap_ops *ops;
	char source[256];      /* as the user would name the probe, for messages */
	unsigned packets_lost; /* or wrong, so far, to and from the probe */
};

#endif
