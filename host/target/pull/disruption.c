/* SPDX-License-Identifier: MIT */
/* See mishap.h. */
#include "target/pull/disruption.h"

#include <bareprof/block.h>
#include <stdbool.h>

/* A block that began anew acknowledged nothing yet. Where nothing had been asked for before either, counts that go back
 * tell of it. */
static bool began_anew(const struct capture_header *before, const struct capture_header *after)
{
	return after->control_acknowledge != before->control_acknowledge || after->epoch < before->epoch ||
	       (after->epoch == before->epoch &&
	        (after->ticks < before->ticks || after->reset_count < before->reset_count));
}

enum mishap mishap_of_asked_reset(const struct capture_header *after)
{
	return after->reset_count > 0 && after->ticks > 0 ? MISHAP_ASKED : MISHAP_NONE;
}

enum mishap mishap_between(const struct capture_header *before, const struct capture_header *after)
{
	const bool is_stopped = after->state == BAREPROF_STATE_STOPPED;

	if (began_anew(before, after))
		return is_stopped && after->ticks == 0 ? MISHAP_LOST_STOPPED : MISHAP_LOST;
	if (after->epoch != before->epoch || capture_state_is_clearing(after->state))
		return MISHAP_CLEARED;
	if (after->reset_count != before->reset_count)
		return is_stopped ? MISHAP_RESET_STOPPED : MISHAP_RESET;
	return MISHAP_NONE;
}
