/* SPDX-License-Identifier: MIT */
/* The kinds of losses of a profile, in the order of reports. */
#ifndef PROFILE_LOSSES_H
#define PROFILE_LOSSES_H

#include "profile/profile.h"

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

#endif
