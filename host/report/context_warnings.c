/* SPDX-License-Identifier: MIT */
/* The warnings about contexts: why the time of a task has no row of its own, or is mostly the recorder's. */
#include "base/text/text.h"
#include "profile/split.h"
#include "report/report.h"

/* Refused names are counted by hashes with 32 values. From here on the count is too low: 44 names have about 24. */
#define REFUSED_MAX 24

static int count_refused_tasks(const struct capture_block *block)
{
	int count = 0;

	for (uint32_t left = block->contexts_refused; left != 0; left &= left - 1)
		count++;
	return count;
}

static void warn_of_refused_tasks(const struct report *report, const char *path, const struct capture_block *block)
{
	const int refused = count_refused_tasks(block), capacity = (int)block->context_count - 1;

	if (refused == 0 || block->contexts[capacity].switches == 0)
		return;
	if (refused < REFUSED_MAX)
		report_warn(
		        report, path,
		        ": too few contexts for core %u: at least %d more tasks ran, counted as " CAPTURE_OTHER_TASKS
		        "; define BAREPROF_CONTEXTS as %d or more",
		        block->header.core, refused, capacity + refused);
	else
		report_warn(
		        report, path,
		        ": too few contexts for core %u: at least %d more tasks ran, counted as " CAPTURE_OTHER_TASKS
		        "; if tasks are created continually, give those that do the same work the same name",
		        block->header.core, refused);
}

/* The report warns if a context has at least the first share of all time, and the recorder the second of that. */
#define CONTEXT_PERCENT  1.0
#define RECORDER_PERCENT 50.0

static bool is_mostly_recorder(const struct report *report, const struct profile_context *context)
{
	return profile_knows_recorder(report->profile) && context->max_calls > 0 &&
	       report_percent(context->time, report->profile->total_time) >= CONTEXT_PERCENT &&
	       report_percent(context->recorder_time, context->time) >= RECORDER_PERCENT;
}

/* Typical of an IDLE task, whose loop calls a short function as often as it can. */
static void warn_of_recorder(const struct report *report, const struct profile_context *context)
{
	const char *name = report->profile->nodes[context->max_called].name;

	report_begin_warning(report);
	fprintf(report->stream, "%.0f %% of the time of ", report_percent(context->recorder_time, context->time));
	part_names_print_context(report->stream, context->number, context->name, context->is_rest);
	fprintf(report->stream, " is the recorder's; %.0f %% of the calls there are to ",
	        report_percent((double)context->max_calls, (double)context->calls));
	text_print(report->stream, demangler_name(report->names, name));
	fprintf(report->stream, ": compile that without -pg");
	report_end_warning(report);
}

void report_warn_of_contexts(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->context_count; i++)
		if (is_mostly_recorder(report, &profile->contexts[i]))
			warn_of_recorder(report, &profile->contexts[i]);

	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			warn_of_refused_tasks(report, profile->captures[i]->path, &profile->captures[i]->blocks[j]);
}
