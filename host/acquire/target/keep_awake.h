/* SPDX-License-Identifier: MIT */
/* Keeps the debug part of a chip on while its core sleeps, for target.h. Chip families use different bits for this. */
#ifndef ACQUIRE_TARGET_KEEP_AWAKE_H
#define ACQUIRE_TARGET_KEEP_AWAKE_H

#include "base/status.h"

#include <stdint.h>

struct target;

/* A clock that a register needs to be written. */
struct register_clock {
	uint32_t address; /* 0: none */
	uint32_t bit;
};

struct kept_awake {
	const char *name;            /* name of the chip's family; NULL: no chip was changed */
	uint32_t address;            /* address of the register */
	uint32_t added;              /* bits that were not set before */
	struct register_clock clock; /* clock of the register */
};

/* Finds the chip's family and keeps its debug part on in sleep. Fails if the family is unknown. */
enum status keep_awake_begin(struct target *target, struct kept_awake *awake, struct error *error);
/* Clears the bits that keep_awake_begin() set, once. */
enum status keep_awake_end(struct target *target, struct kept_awake *awake, struct error *error);

#endif
