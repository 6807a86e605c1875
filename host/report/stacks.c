/* SPDX-License-Identifier: MIT */
/* Lines about the stacks that total times are measured from, in the header and among the losses. */
#include "profile/measurement.h"
#include "report/report.h"

#include <inttypes.h>

/* The kinds of paths that end early; complete paths are counted together. */
static const struct {
	enum unwind_end end;
	const char *text;
} early_ends[] = {
        {UNWIND_CUT, "cut"},
        {UNWIND_NO_ROW, "up to code without frame information"},
        {UNWIND_BAD, "contradictory or refused"},
        {UNWIND_WITHHELD, "withheld"},
};

uint64_t report_count_complete_stacks(const struct profile_measurement *measurement)
{
	return measurement->ends[UNWIND_ROOT] + measurement->ends[UNWIND_TASK] + measurement->ends[UNWIND_EXCEPTION];
}

bool report_has_stack_store(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (profile->blocks[i]->has_stack_totals)
			return true;
	return false;
}

void report_print_stacks(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;

	if (measurement == NULL)
		return;
	uint64_t complete = report_count_complete_stacks(measurement);
	fprintf(report->stream,
	        "Stacks    total times are measured from %" PRIu64 " stacks%s: ", measurement->stack_count,
	        measurement->is_tree ? ", counted as paths" : "");
	if (complete == measurement->stack_count)
		fputs("all complete", report->stream);
	else
		fprintf(report->stream, "%" PRIu64 " complete", complete);
	for (size_t i = 0; i < sizeof early_ends / sizeof *early_ends; i++)
		if (measurement->ends[early_ends[i].end] > 0)
			fprintf(report->stream, ", %" PRIu64 " %s", measurement->ends[early_ends[i].end],
			        early_ends[i].text);
	fputc('\n', report->stream);
}

static void print_loss(const struct report *report, uint64_t count, const char *what)
{
	if (count > 0)
		fprintf(report->stream, "%12" PRIu64 "  %s\n", count, what);
}

void report_print_lost_stacks(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;

	if (measurement == NULL)
		return;
	print_loss(report, measurement->bad,
	           measurement->is_tree ? "ticks whose stack pointer was in no stack: their callers are unknown"
	                                : "stacks not kept, because the stack pointer was in no stack");
	print_loss(report, measurement->ends[UNWIND_WITHHELD],
	           "stacks that belong to a security state that is not copied");
	print_loss(report, measurement->tree_full,
	           "ticks whose path found the tree full: give BAREPROF_PATHS more nodes");
	print_loss(report, measurement->in_flight, "stacks that were being copied while the block was read");
}
