/* SPDX-License-Identifier: MIT */
/* See disruption.h. */
#include "target/pull/disruption.h"

#include <bareprof/block.h>
#include <stdbool.h>

/* A re-initialized block has acknowledged nothing. If nothing had been acknowledged before either, falling counts give
 * it away. */
static bool began_anew(const struct capture_header *before, const struct capture_header *after)
{
	return after->control_acknowledge != before->control_acknowledge || after->epoch < before->epoch ||
	       (after->epoch == before->epoch &&
	        (after->ticks < before->ticks || after->reset_count < before->reset_count));
}

enum disruption disruption_of_requested_reset(const struct capture_header *after)
{
	return after->reset_count > 0 && after->ticks > 0 ? DISRUPTION_REQUESTED : DISRUPTION_NONE;
}

enum disruption disruption_between(const struct capture_header *before, const struct capture_header *after)
{
	const bool is_stopped = after->state == BAREPROF_STATE_STOPPED;

	if (began_anew(before, after))
		return is_stopped && after->ticks == 0 ? DISRUPTION_LOST_STOPPED : DISRUPTION_LOST;
	if (after->epoch != before->epoch || capture_state_is_clearing(after->state))
		return DISRUPTION_CLEARED;
	if (after->reset_count != before->reset_count)
		return is_stopped ? DISRUPTION_RESET_STOPPED : DISRUPTION_RESET;
	return DISRUPTION_NONE;
}
