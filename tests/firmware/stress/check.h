/* SPDX-License-Identifier: MIT */
/* Checks the profile block against the firmware's own counts. */
#ifndef FIRMWARE_STRESS_CHECK_H
#define FIRMWARE_STRESS_CHECK_H

#include "calls.h"

#include <stdbool.h>

enum { THREAD, WORK, SAMPLING, LEVELS };

/* Where there are contexts; the other levels call under 0. */
#define CONTEXT_OF_SAMPLING 1u

/* Sums over all epochs that were checked. */
struct tally {
	uint32_t epochs;
	uint32_t calls;
	uint32_t claims; /* slots that were taken */
	uint32_t twins;  /* slots of arcs that had one already: claimed under an interrupt that made the same call */
	uint32_t dropped;
	uint32_t saturated;
	uint32_t ticks;
	uint32_t coarse; /* samples that found the granules full */
};

/* The conditions at the end of an epoch. */
struct expectation {
	const struct level *levels; /* LEVELS of them */
	uint32_t ticks;
	bool may_drop;
	bool may_saturate;
};

/* Raises the count of each slot that is taken, so that few more calls saturate it. With interrupts masked. */
void counts_raise(void);

/*
 * Compares the stopped profile with what was made since the last check, adds to the tally and forgets about
 * counts_raise(). With interrupts masked. Says what is wrong on the console.
 */
bool profile_check(const struct expectation *expected, struct tally *tally);

#endif
