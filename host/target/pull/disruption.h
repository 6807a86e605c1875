/* SPDX-License-Identifier: MIT */
/* What befell a profile while its target was let run, told by two readings of its header, or by a reset that was asked
 * for. Knows nothing of targets. */
#ifndef TARGET_PULL_DISRUPTION_H
#define TARGET_PULL_DISRUPTION_H

#include "capture/capture.h"

/* The later ones outweigh the earlier ones, where cores differ. */
enum disruption {
	DISRUPTION_NONE,
	DISRUPTION_REQUESTED,     /* the target was reset as asked, and the counts of before were kept */
	DISRUPTION_CLEARED,       /* the firmware reset the profile, or the clock changed */
	DISRUPTION_RESET,         /* the target was reset; the counts were kept and go on */
	DISRUPTION_RESET_STOPPED, /* the same, but nothing started the profile again */
	DISRUPTION_LOST,          /* the target was reset and RAM lost the block: counts began anew */
	DISRUPTION_LOST_STOPPED,  /* the same, and nothing was counted since */
	DISRUPTION_COUNT,
};

/* Of a reset that was asked for, before which nothing was read: the recorder counts those that its block survived. */
enum disruption disruption_of_requested_reset(const struct capture_header *after);
enum disruption disruption_between(const struct capture_header *before, const struct capture_header *after);

#endif
