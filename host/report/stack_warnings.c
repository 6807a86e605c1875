/* SPDX-License-Identifier: MIT */
/* The warnings about stacks: why paths end early. */
#include "profile/measurement.h"
#include "report/report.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <math.h>

/* The report warns if at least this share of the stacks ends early for one reason. */
#define EARLY_PERCENT 1.0

/* The report warns if at least this share of the timed ticks took longer than the timer's distance. */
#define OVERRUN_PERCENT 0.1

/* The report warns if at least this part of the ticks to be timed could not be timed. If their number is below
 * LONG_TICKS_MIN, the part is unknown. */
#define LONG_PART      0.5
#define LONG_TICKS_MIN 20

/* The number of functions without frame information that a warning names. */
#define ROWLESS_SHOWN 3

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

/* The stacks in the blocks. Slices come from a probe, or from a recorder, which may filter them. */
struct stores {
	bool has_copies, has_slices;    /* stacks copied by a probe, slices taken by a recorder */
	bool lacks_table, lacks_stacks; /* room for paths but no table, room for stacks but no stack */
	uint32_t room;                  /* bytes that the filter has room for in some firmware; 0: no filter */
	size_t longest;                 /* the longest stack that fitted into the room */
};

static struct stores find_stores(const struct profile *profile)
{
	struct stores stores = {0};

	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];
		const bool has_slices = block->slice_count > 0 && !block->is_sampled;
		const bool is_filtered = has_slices && block->slices_filtered;

		stores.has_copies |= block->slice_count > 0 && block->is_sampled;
		stores.has_slices |= has_slices;
		stores.lacks_table |= block->path_node_capacity > 0 && block->stack_totals.table_crc == 0;
		stores.lacks_stacks |= block->has_stack_totals && block->stack_totals.offered == 0;
		stores.room = is_filtered ? block->slice_bytes : stores.room;
		for (size_t j = 0; is_filtered && j < block->slice_count; j++)
			if (block->slices[j].size > stores.longest)
				stores.longest = block->slices[j].size;
	}
	return stores;
}

/* Any slice of this length shows that BAREPROF_STACK_BYTES is large enough and that the filter cut the others. */
static void advise_on_length(const struct report *report, uint64_t bytes, const char *more)
{
	const struct stores stores = find_stores(report->profile);

	if (!stores.has_slices)
		fprintf(report->stream, ": the longest needs %" PRIu64 " bytes%s; %s", bytes, more,
		        report->options->hints[HINT_COPY_STACKS]);
	else if (stores.room > 0 && stores.longest >= bytes)
		fprintf(report->stream, ": the filter needs more room: increase -DBAREPROF_STACK_FILTER=%" PRIu32,
		        stores.room);
	else
		fprintf(report->stream, ": the longest needs %" PRIu64 " bytes%s: -DBAREPROF_STACK_BYTES=%" PRIu64,
		        bytes, more, bytes);
	if (stores.room > 0 && stores.longest < bytes)
		fprintf(report->stream, "; if slices are still cut, also increase -DBAREPROF_STACK_FILTER=%" PRIu32,
		        stores.room);
}

static void warn_of_cut(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;
	const uint64_t bytes = (measurement->needed + STACK_BYTES_STEP - 1) / STACK_BYTES_STEP * STACK_BYTES_STEP;

	if (!are_many(measurement, UNWIND_CUT))
		return;
	report_begin_warning(report);
	fprintf(report->stream,
	        "%.0f %% of the stacks are cut, so total times of outer functions are too small, by up to the time of "
	        "<cut>",
	        percent_of(measurement, UNWIND_CUT));
	if (bytes > 0)
		advise_on_length(report, bytes, measurement->is_needed_enough ? "" : " or more");
	if (measurement->may_need_more)
		fprintf(report->stream,
		        "%s some need more than the %u bytes that a slice can have: let the target count paths "
		        "(library WITH=paths)",
		        bytes > 0 ? "; perhaps" : ":", PROFILE_SLICE_MAX);
	else if (bytes == 0 && measurement->is_tree)
		fprintf(report->stream,
		        ": the target cuts paths at %u calls; slices (library WITH=stacks) show longer paths",
		        BAREPROF_PATH_CALLS);
	report_end_warning(report);
}

static void warn_of_withheld(const struct report *report)
{
	if (are_many(report->profile->measurement, UNWIND_WITHHELD))
		report_warn(report, NULL,
		            "%.0f %% of the stacks belong to a security state that is not copied, so total times of "
		            "outer functions are too small, by up to the time of <withheld>",
		            percent_of(report->profile->measurement, UNWIND_WITHHELD));
}

/* Functions without frame information, in which paths end, most time first. Stored as the arcs from the unknown
 * caller to each of them. */
struct rowless {
	const struct profile_arc *first[ROWLESS_SHOWN];
	size_t count;
};

static double time_of_arc(const struct profile_arc *arc)
{
	return arc->self_time + arc->child_time;
}

static void add_rowless(struct rowless *rowless, const struct profile_arc *arc)
{
	size_t at = rowless->count < ROWLESS_SHOWN ? rowless->count : ROWLESS_SHOWN;

	for (; at > 0 && time_of_arc(rowless->first[at - 1]) < time_of_arc(arc); at--)
		if (at < ROWLESS_SHOWN)
			rowless->first[at] = rowless->first[at - 1];
	if (at < ROWLESS_SHOWN)
		rowless->first[at] = arc;
	rowless->count++;
}

static struct rowless find_rowless(const struct profile *profile)
{
	struct rowless rowless = {.count = 0};

	for (size_t i = 0; i < profile->arc_count; i++)
		if (profile->nodes[profile->arcs[i].caller].kind == PROFILE_NO_ROW)
			add_rowless(&rowless, &profile->arcs[i]);
	return rowless;
}

static void print_rowless(const struct report *report)
{
	const struct rowless rowless = find_rowless(report->profile);

	for (size_t i = 0; i < rowless.count && i < ROWLESS_SHOWN; i++) {
		fputs(i == 0 ? " (" : ", ", report->stream);
		report_print_name(report, rowless.first[i]->callee, 0);
	}
	if (rowless.count > ROWLESS_SHOWN)
		fprintf(report->stream, " and %zu more", rowless.count - ROWLESS_SHOWN);
	if (rowless.count > 0)
		fputc(')', report->stream);
}

static void warn_of_no_rows(const struct report *report)
{
	const struct profile *profile = report->profile;
	double percent = percent_of(profile->measurement, UNWIND_NO_ROW);

	if (!are_many(profile->measurement, UNWIND_NO_ROW))
		return;
	if (profile->unwinder != NULL && unwinder_row_count(profile->unwinder) == 0) {
		report_warn(report, profile->image->path,
		            " has no frame information: compile it with -g: %.0f %% of the stacks end early, so total "
		            "times of outer functions are too small, by up to the time of <no frame information>",
		            percent);
		return;
	}
	report_begin_warning(report);
	fprintf(report->stream, "%.0f %% of the stacks end in functions without frame information", percent);
	print_rowless(report);
	fprintf(report->stream,
	        ", so total times of outer functions are too small, by up to the time of <no frame information>; C and "
	        "C++ need -g, assembly needs .cfi directives%s",
	        profile->measurement->is_tree
	                ? "; `bareprof unwind-table` prints the code that its table does not cover"
	                : "");
	report_end_warning(report);
}

static const char *reason_for_bad(const struct profile *profile)
{
	if (profile->identity == PROFILE_IDENTITY_OTHER)
		return "contradict the ELF, which is of another build";
	if (find_stores(profile).has_copies)
		return "were in no memory that the probe can read, or contradict themselves";
	return "were refused or contradict themselves: name all stacks by bareprof_stack_start and bareprof_stack_end "
	       "in the linker script, or in .stacks";
}

static void warn_of_bad(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (are_many(profile->measurement, UNWIND_BAD))
		report_warn(report, NULL, "%.0f %% of the stacks %s", percent_of(profile->measurement, UNWIND_BAD),
		            reason_for_bad(profile));
}

static void warn_of_refused_trees(const struct report *report)
{
	if (report->profile->refused_trees > 0)
		report_warn(report, NULL,
		            "the target found its call paths by the unwind table of another ELF, so they are not used: "
		            "flash the ELF that contains its own table");
}

/* The firmware reserves RAM for stacks, but samples have none. */
static void warn_of_no_stacks(const struct report *report)
{
	const struct stores stores = find_stores(report->profile);

	if (report->profile->total_samples <= 0)
		return;
	if (stores.lacks_table)
		report_warn(
		        report, NULL,
		        "no call paths were counted, because the target had no unwind table of its own build: put the "
		        "output of `bareprof unwind-table` into the ELF after each link, and flash that ELF");
	if (stores.lacks_stacks)
		report_warn(report, NULL,
		            "no stacks were recorded: define the sampling handler by BAREPROF_TIMER_ISR, and compile "
		            "its file, too, with -DBAREPROF_STACKS or -DBAREPROF_PATHS");
}

/* Recorders before block format 1.3 omitted ticks that outlast the period from the costs, instead of counting them. */
static void warn_of_long_ticks(const struct report *report)
{
	const struct profile *profile = report->profile;
	double expected = 0, timed = 0, overruns = 0;

	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_stack_totals *totals = &profile->blocks[i]->stack_totals;

		if (totals->timed > 0) {
			expected += (double)totals->offered / BAREPROF_TIMED_TICKS;
			timed += (double)totals->timed;
			/* A damaged block may claim more overruns than timed ticks. */
			overruns += fmin((double)totals->overruns, (double)totals->timed);
		}
	}
	if (overruns > 0 && report_percent(overruns, timed) >= OVERRUN_PERCENT)
		report_warn(report, NULL,
		            "%.1f %% of the sampling interrupts outlast the period, because they copy or unwind deep "
		            "stacks. Ticks that fall due meanwhile are lost, so the recorder takes more time than "
		            "shown; choose a longer period%s",
		            report_percent(overruns, timed),
		            report->profile->measurement != NULL && report->profile->measurement->is_tree
		                    ? ""
		                    : " or a smaller -DBAREPROF_STACK_BYTES");
	if (expected >= LONG_TICKS_MIN && timed < expected * (1 - LONG_PART))
		report_warn(report, NULL,
		            "the timer fired again during %.0f %% of the sampling interrupts, so the firmware has "
		            "little time left, and the recorder takes more than shown: choose a longer period",
		            report_percent(expected - timed, expected));
}

static void warn_of_interrupts(const struct report *report)
{
	const struct profile_measurement *measurement = report->profile->measurement;

	if (!report->profile->through_interrupts)
		return;
	if (measurement == NULL || measurement->is_tree)
		report_warn(report, NULL,
		            "only slices of stacks show which code handlers interrupted: handlers are charged to "
		            "<exception>");
	else if (report->profile->image->isa != IMAGE_ISA_ARM)
		report_warn(report, NULL,
		            "only Arm's exception frames show which code handlers interrupted: handlers are roots");
}

static void warn_of_entry(const struct report *report)
{
	const struct unwinder *unwinder = report->profile->unwinder;
	const struct image_function *entry = unwinder == NULL ? NULL : unwinder_called_entry(unwinder);

	if (entry != NULL)
		report_warn(
		        report, entry->name,
		        " is the entry point of the ELF, but code calls it, so paths may end in other functions than "
		        "the reset handler: name the reset handler with ENTRY() in the linker script");
}

void report_warn_of_stacks(const struct report *report)
{
	warn_of_refused_trees(report);
	warn_of_long_ticks(report);
	warn_of_interrupts(report);
	if (report->profile->measurement == NULL) {
		warn_of_no_stacks(report);
		return;
	}
	warn_of_entry(report);
	warn_of_cut(report);
	warn_of_withheld(report);
	warn_of_no_rows(report);
	warn_of_bad(report);
}
