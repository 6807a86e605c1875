/* SPDX-License-Identifier: MIT */
/* An ST-Link in memory, and its target: both are those of tests/probe-model/. It answers at once; a test may spoil its
 * answers. */
#ifndef UNIT_ACQUIRE_PROBE_FAKE_STLINK_H
#define UNIT_ACQUIRE_PROBE_FAKE_STLINK_H

#include "../../../probe-model/stlink_firmware.h"

#include "acquire/usb/exchange.h"

#include <stdbool.h>
#include <stdint.h>

#define FAKE_STLINK_BASE 0x20000000u
#define FAKE_STLINK_SIZE (2u << 20) /* bytes of memory at that address */
#define FAKE_STLINK_LOG  8192u

struct fake_stlink {
	struct exchange exchange; /* first: the host's end */

	/* Set these after fake_stlink_init(); NULL: none. */
	/* Changes the answer with this number, from 1. A size of 0 loses it. */
	void (*spoil)(struct fake_stlink *fake, unsigned number, uint8_t *answer, size_t *size);
	/* Is called before each command. */
	void (*before)(struct fake_stlink *fake);
	unsigned unplugged_at; /* this command and all later ones fail; 0: none */
	void *context;         /* of these functions */

	/* Results. */
	uint8_t commands[FAKE_STLINK_LOG][STLINK_COMMAND_SIZE];
	unsigned command_count, answer_count;
	unsigned wrong_phases; /* commands whose data have another size or direction than the host expects */
	bool is_closed;

	/* The models. */
	struct stlink_firmware firmware;
	uint8_t *memory; /* at FAKE_STLINK_BASE */
};

/* kind: 2 or 3, with the release of its firmware. target: options of the target, ended by NULL, or NULL. */
void fake_stlink_init(struct fake_stlink *fake, unsigned kind, unsigned release, const char *const *target);
/* Frees the target. */
void fake_stlink_end(struct fake_stlink *fake);
/* The number of commands that begin with 0xF2 and this byte. */
unsigned fake_stlink_count(const struct fake_stlink *fake, uint8_t detail);

#endif
