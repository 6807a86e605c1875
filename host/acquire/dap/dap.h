/* SPDX-License-Identifier: MIT */
/* A probe's transfers on an Arm debug port (IHI 0031, "ADIv5"): registers of the debug port and of access ports, read
 * and written in order. CMSIS-DAP probes make these transfers themselves; for probes that only move bits, swd.c and
 * jtag_dp.c make them. */
#ifndef ACQUIRE_DAP_DAP_H
#define ACQUIRE_DAP_DAP_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a transfer ended: the acknowledge on the wire (IHI 0031, B4.2). */
enum dap_ack {
	DAP_OK = 1,
	DAP_WAIT = 2,           /* the access port was busy for longer than the probe retries */
	DAP_FAULT = 4,          /* an earlier error is still flagged: CTRL/STAT says which */
	DAP_NO_ACK = 7,         /* nothing drove the line */
	DAP_PROTOCOL_ERROR = 8, /* invalid acknowledge, or wrong parity of data read */
	DAP_LOST = 16,          /* unknown: the probe's answer was lost, or belonged to another command */
};

/* Decodes the three bits of an acknowledge, the first one lowest. Anything else is a protocol error. */
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

/* Bits of a register number: 0 is APnDP, 1 is RnW, 3 and 2 are A[3:2]. */
#define DAP_DP   0u
#define DAP_AP   1u
#define DAP_READ 2u

/* One register, read or written count times in a row, at least once. */
struct dap_transfer {
	uint8_t reg; /* DAP_DP or DAP_AP, with DAP_READ or not, plus the address: 0, 4, 8 or 12 */
	uint32_t count;
	uint32_t *words; /* the words to write, or room for the words read */
};

struct dap;

struct dap_ops {
	/* JTAG: resets and examines the chain, coming from SWD or a dormant state. The next transfer shows whether the
	 * port answers. NULL: SWD, whose port the next two functions wake up; for JTAG these may be NULL. */
	enum status (*wake)(struct dap *dap, bool from_dormant, struct error *error);
	/* Clocks out bits on SWDIO, the lowest of bits[0] first. The next transfer shows whether they arrived. */
	enum status (*send_bits)(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error);
	/* Writes TARGETSEL, which no target acknowledges (IHI 0031, B4.3.4); otherwise like send_bits. */
	enum status (*select_target)(struct dap *dap, uint32_t target, struct error *error);
	/* Makes transfers in order, with as many in flight as the probe allows. Words read from an access port belong
	 * to that very access: the probe handles posted reads, and some retries after WAIT. *ack is DAP_OK, or how the
	 * first failed transfer ended; its words and all later ones are undefined, and may or may not have been
	 * transferred. A failure status means that the probe itself does not work. */
	enum status (*transfer)(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
	                        struct error *error);
	/* Sets the clock to *speed in Hz or the next lower one available, and *speed to the result if the probe reports
	 * it. */
	enum status (*set_speed)(struct dap *dap, uint32_t *speed, struct error *error);
	/* Drives the target's reset pin low, or releases it. */
	enum status (*drive_reset)(struct dap *dap, bool is_low, struct error *error);
	/* From now on nothing cancels: the target is being disconnected. */
	void (*finish)(struct dap *dap);
	/* Releases the pins, including the reset pin if it may be low, and frees dap. */
	void (*close)(struct dap *dap);
};

/* Every implementation's state begins with this. */
struct dap {
	const struct dap_ops *ops;
	char source[256];      /* the SOURCE of the probe, for messages */
	unsigned packets_lost; /* packets lost or corrupted so far, to and from the probe */
	bool is_speed_limit;   /* the probe does not report its clock, which may be lower than the wanted one */
};

#endif
