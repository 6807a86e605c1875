/* SPDX-License-Identifier: MIT */
/*
 * Families of chips whose debug part goes off while the core sleeps unless a bit of theirs is set. Knows nothing of how
 * words are read and written.
 */
#ifndef TARGET_DAP_FAMILIES_H
#define TARGET_DAP_FAMILIES_H

#include "target/dap/cortex.h"

/* The bit of a clock that a register needs to be written. */
struct families_clock {
	uint32_t address; /* 0 = it needs none */
	uint32_t bit;
};

/* A chip that is kept awake. */
struct families_awake {
	const char *name;            /* of the family; NULL = none was touched */
	uint32_t address;            /* of the register, */
	uint32_t added;              /* its bits that were not set before, */
	struct families_clock clock; /* and its clock */
};

/* Finds which family the target is of, and keeps its debug part on in sleep. A target of none of them is a failure that
 * says so. */
enum status families_keep_awake(const struct cortex_memory *memory, struct families_awake *awake, struct error *error);
/* Takes back what was added; a second time is nothing. */
enum status families_let_sleep(const struct cortex_memory *memory, struct families_awake *awake, struct error *error);

#endif
