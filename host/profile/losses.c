/* SPDX-License-Identifier: MIT */
/* See losses.h. */
#include "profile/losses.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *text;
	size_t offset; /* in struct profile_losses */
} losses_table[PROFILE_LOSSES] = {
        [PROFILE_LOSS_MISSED] = {"ticks merged while interrupts were masked",
                                 offsetof(struct profile_losses, ticks_missed)},
        [PROFILE_LOSS_OUTSIDE] = {"samples outside the sampled ranges",
                                  offsetof(struct profile_losses, samples_outside)},
        [PROFILE_LOSS_SHARED] = {"samples in bins or granules that several functions share",
                                 offsetof(struct profile_losses, samples_shared)},
        [PROFILE_LOSS_TABLE_FULL] = {"samples that found the table full",
                                     offsetof(struct profile_losses, samples_table_full)},
        [PROFILE_LOSS_DROPPED] = {"calls that found the arc table full", offsetof(struct profile_losses, arcs_dropped)},
        [PROFILE_LOSS_IN_FLIGHT] = {"calls in flight while the block was read",
                                    offsetof(struct profile_losses, arcs_in_flight)},
        [PROFILE_LOSS_SATURATED] = {"counts lost to full counters", offsetof(struct profile_losses, saturated)},
};

const char *profile_loss_text(enum profile_loss loss)
{
	return losses_table[loss].text;
}

uint64_t profile_loss_count(const struct profile_losses *losses, enum profile_loss loss)
{
	uint64_t count;

	memcpy(&count, (const char *)losses + losses_table[loss].offset, sizeof count);
	return count;
}

bool profile_losses_are_known(const struct profile_losses *losses)
{
	return losses->blocks_with_losses > 0 || losses->blocks_without_losses == 0;
}
