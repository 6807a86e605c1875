/* SPDX-License-Identifier: MIT */
/* The warnings about contexts: why the time of a task has no row of its own. */
#include "report/report.h"

/* The numbers of refused names are hashes with 32 values. 44 different names are expected to have 24 of them. */
#define REFUSED_MAX 24

static int count_refused(const struct capture_block *block)
{
	int count = 0;

	for (uint32_t left = block->contexts_refused; left != 0; left &= left - 1)
		count++;
	return count;
}

static void warn_of_refused(const struct report *report, const char *path, const struct capture_block *block)
{
	const int refused = count_refused(block), room = (int)block->context_count - 1;

	if (refused == 0 || block->contexts[room].switches == 0)
		return;
	if (refused < REFUSED_MAX)
		report_warn(report, path,
		            ": the contexts of core %u are too few: at least %d more tasks ran, as " CAPTURE_OTHER_TASKS
		            "; define BAREPROF_CONTEXTS as at least %d",
		            block->header.core, refused, room + refused);
	else
		report_warn(report, path,
		            ": the contexts of core %u are too few: at least %d more tasks ran, as " CAPTURE_OTHER_TASKS
		            "; if tasks are created continually, give those that do the same work the same name",
		            block->header.core, refused);
}

void report_warn_of_contexts(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			warn_of_refused(report, profile->captures[i]->path, &profile->captures[i]->blocks[j]);
}
