/* SPDX-License-Identifier: MIT */
/* Disruptions of a profile while its target ran: resets and lost memory, detected from two readings of its header. */
#ifndef TARGET_PULL_DISRUPTION_H
#define TARGET_PULL_DISRUPTION_H

#include "capture/capture.h"

/* In rising order of severity; the worst of all cores is reported. */
enum disruption {
	DISRUPTION_NONE,
	DISRUPTION_REQUESTED,     /* reset as requested; the old counts were kept */
	DISRUPTION_CLEARED,       /* the firmware cleared the profile, or the clock changed */
	DISRUPTION_RESET,         /* the target was reset; the counts were kept and continue */
	DISRUPTION_RESET_STOPPED, /* the same, but the profile was not started again */
	DISRUPTION_LOST,          /* the target was reset and lost its RAM: counts restarted */
	DISRUPTION_LOST_STOPPED,  /* the same, and nothing was counted since */
	DISRUPTION_COUNT,
};

/* After a requested reset, before which nothing was read: the recorder counts resets that its block survived. */
enum disruption disruption_of_requested_reset(const struct capture_header *after);
enum disruption disruption_between(const struct capture_header *before, const struct capture_header *after);

#endif
