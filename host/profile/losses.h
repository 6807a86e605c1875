/* SPDX-License-Identifier: MIT */
/* The losses of a profile, and their kinds in the order of reports. */
#ifndef PROFILE_LOSSES_H
#define PROFILE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Losses that the captures recorded: counts over all captures, saturating. */
struct profile_losses {
	uint64_t ticks;        /* samples taken */
	uint64_t ticks_missed; /* merged by the hardware while interrupts were masked */
	bool ticks_missed_known;
	uint64_t samples_outside;
	uint64_t samples_table_full;
	uint64_t samples_shared; /* in bins or granules that several functions overlap: which one ran is an estimate */
	uint64_t arcs_dropped;
	uint64_t arcs_in_flight;
	uint64_t saturated; /* increments lost to counters at their maximum */
	uint64_t skew;      /* ticks that passed while the blocks were read */
	bool skew_known;
	uint64_t sections_skipped;
	uint64_t resets; /* warm resets while the profile was recorded */
	size_t blocks_with_losses,
	        blocks_without_losses; /* blocks that count losses; blocks from gmon.out, which do not */
};

enum profile_loss {
	PROFILE_LOSS_MISSED,
	PROFILE_LOSS_OUTSIDE,
	PROFILE_LOSS_SHARED,
	PROFILE_LOSS_TABLE_FULL,
	PROFILE_LOSS_DROPPED,
	PROFILE_LOSS_IN_FLIGHT,
	PROFILE_LOSS_SATURATED,
	PROFILE_LOSSES,
};

/* "calls that found the arc table full": follows the count. */
const char *profile_loss_text(enum profile_loss loss);
uint64_t profile_loss_count(const struct profile_losses *losses, enum profile_loss loss);

/* False if all captures are gmon.out files, which record no losses. */
bool profile_losses_are_known(const struct profile_losses *losses);

#endif
