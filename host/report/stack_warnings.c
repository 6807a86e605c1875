/* SPDX-License-Identifier: MIT */
/* The warnings about stacks: why paths end early. */
#include "report/report.h"

#include <inttypes.h>

/* The report warns from this share of the stacks on. */
#define EARLY_PERCENT 1.0

/* BAREPROF_STACK_BYTES is a multiple of this. */
#define STACK_BYTES_STEP 8

static double percent_of(const struct profile_measurement *measurement, enum unwind_end end)
{
	return report_percent((double)measurement->ends[end], (double)measurement->stack_count);
}

static bool are_many(const struct profile_measurement *measurement, enum unwind_end end)
{
	return percent_of(measurement, end) >= EARLY_PERCENT;
}

/* The length is that which the next frame needs; further frames may need more. */
static void warn_of_cut(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;
	uint64_t bytes =
	        measurement->needed + (STACK_BYTES_STEP - measurement->needed % STACK_BYTES_STEP) % STACK_BYTES_STEP;

	if (!are_many(measurement, UNWIND_CUT))
		return;
	if (measurement->needed > 0)
		report_warn(
		        report, NULL,
		        "%.0f %% of the stacks are cut, so total times of outer functions are too small: the longest "
		        "needs %" PRIu64 " bytes or more: -DBAREPROF_STACK_BYTES=%" PRIu64,
		        percent_of(measurement, UNWIND_CUT), measurement->needed, bytes);
	else
		report_warn(report, NULL,
		            "%.0f %% of the stacks are cut, so total times of outer functions are too small",
		            percent_of(measurement, UNWIND_CUT));
}

static void warn_of_no_rows(const struct report *report)
{
	const struct profile *profile = report->profile;
	bool has_rows = profile->unwinder == NULL || unwinder_row_count(profile->unwinder) > 0;

	if (!are_many(profile->measurement, UNWIND_NO_ROW))
		return;
	report_warn(report, has_rows ? NULL : profile->image->path,
	            "%s%.0f %% of the stacks end early, so total times of outer functions are too small",
	            has_rows ? "some code has no frame information: compile it with -g: "
	                     : " has no frame information: compile it with -g: ",
	            percent_of(profile->measurement, UNWIND_NO_ROW));
}

static void warn_of_bad(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;

	if (are_many(measurement, UNWIND_BAD))
		report_warn(report, NULL,
		            "%.0f %% of the stacks were refused or contradict themselves: does the target know all of "
		            "its stacks?",
		            percent_of(measurement, UNWIND_BAD));
}

static void warn_of_refused_trees(const struct report *report)
{
	if (report->profile->refused_trees > 0)
		report_warn(report, NULL,
		            "the target found its call paths by the unwind table of another ELF, so they are not used: "
		            "flash the ELF that contains its own table");
}

void report_warn_of_stacks(const struct report *report)
{
	warn_of_refused_trees(report);
	if (report->profile->measurement == NULL)
		return;
	warn_of_cut(report);
	warn_of_no_rows(report);
	warn_of_bad(report);
}
