/* SPDX-License-Identifier: MIT */
/* What befell a profile while its target was let run, told by two readings of its header, or by a reset that was asked
 * for. Knows nothing of targets. */
#ifndef TARGET_PULL_DISRUPTION_H
#define TARGET_PULL_DISRUPTION_H

#include "capture/capture.h"

/* The later ones outweigh the earlier ones, where cores differ. */
enum mishap {
	MISHAP_NONE,
	MISHAP_ASKED,         /* the target was reset as asked, and the counts of before were kept */
	MISHAP_CLEARED,       /* the firmware reset the profile, or the clock changed */
	MISHAP_RESET,         /* the target was reset; the counts were kept and go on */
	MISHAP_RESET_STOPPED, /* the same, but nothing started the profile again */
	MISHAP_LOST,          /* the target was reset and RAM lost the block: counts began anew */
	MISHAP_LOST_STOPPED,  /* the same, and nothing was counted since */
	MISHAP_COUNT,
};

/* Of a reset that was asked for, before which nothing was read: the recorder counts those that its block survived. */
enum mishap mishap_of_asked_reset(const struct capture_header *after);
enum mishap mishap_between(const struct capture_header *before, const struct capture_header *after);

#endif
