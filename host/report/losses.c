/* SPDX-License-Identifier: MIT */
/* The last part of the report: losses, one row of a table per kind. */
#include "profile/losses.h"
#include "base/text/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

struct loss {
	const char *advice;
	/* For a table that is too small: the name of its items, and the capacity of a block, for advice that ends with
	 * "more than 512 arcs". */
	const char *items;
	size_t room; /* the offset of the capacity in struct capture_block, a uint32_t */
};

/* The host counts shared samples, unlike other losses, and only among the displayed samples. */
static void print_shared_samples(const struct report *report)
{
	bool sparse = report_is_sparse(report);
	uint64_t count = report_count_shared(report);

	if (count > 0)
		text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "%12" PRIu64 "  samples%s in %s that several %s share", count,
	        report->options->context != NULL ? " of this context" : "", sparse ? "granules" : "bins",
	        report->options->lines ? "lines" : "functions");
	if (count > 0)
		fprintf(report->stream, ": their times are guesses; %s",
		        sparse ? "use smaller granules" : "use more bins");
	if (count > 0)
		text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static const struct loss losses_table[PROFILE_LOSSES] = {
        [PROFILE_LOSS_MISSED] = {.advice = "their time is missing from the profile"},
        [PROFILE_LOSS_OUTSIDE] = {.advice = "add the range of that code to BAREPROF_DEFINE"},
        [PROFILE_LOSS_TABLE_FULL] = {.advice = "give BAREPROF_GRANULES",
                                     .items = "granules",
                                     .room = offsetof(struct capture_block, granule_capacity)},
        [PROFILE_LOSS_DROPPED] = {.advice = "give BAREPROF_DEFINE",
                                  .items = "arcs",
                                  .room = offsetof(struct capture_block, arc_capacity)},
        [PROFILE_LOSS_IN_FLIGHT] = {.advice = "stop recording before the pull to include them"},
        [PROFILE_LOSS_SATURATED] = {.advice = "profile for a shorter time"},
};

/* The largest capacity of any block. */
static uint32_t room_of(const struct profile *profile, const struct loss *loss)
{
	uint32_t max = 0;

	for (size_t i = 0; i < profile->block_count; i++) {
		uint32_t room;

		memcpy(&room, (const char *)profile->blocks[i] + loss->room, sizeof room);
		max = room > max ? room : max;
	}
	return max;
}

static void print_advice(const struct report *report, const struct loss *loss)
{
	fprintf(report->stream, ": %s", loss->advice);
	if (loss->items == NULL)
		return;
	uint32_t room = room_of(report->profile, loss);
	if (room > 0)
		fprintf(report->stream, " more than %u %s", room, loss->items);
	else
		fprintf(report->stream, " more %s", loss->items);
}

static void print_loss_row(const struct report *report, enum profile_loss kind)
{
	const struct loss *loss = &losses_table[kind];
	uint64_t count = profile_loss_count(&report->profile->losses, kind);

	if (count > 0)
		text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "%12" PRIu64 "  %s", count, profile_loss_text(kind));
	if (count > 0)
		print_advice(report, loss);
	if (count > 0)
		text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* Prints a loss that was not measured, because a zero would be misleading. */
static void print_unknown(const struct report *report, const char *what, const char *why)
{
	fprintf(report->stream, "%12s  %s: %s\n", "unknown", what, why);
}

static void print_skew(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;

	if (!losses->skew_known)
		print_unknown(report, "ticks while the block was read", "not recorded in the capture");
	else
		fprintf(report->stream, "%12" PRIu64 "  ticks while the block was read\n", losses->skew);
}

bool report_has_unknown_interrupts(const struct report *report)
{
	const struct profile *profile = report->profile;

	return profile_losses_are_known(&profile->losses) && profile_handler(profile) == CAPTURE_HANDLER_UNKNOWN;
}

/* Prints facts about sampling that affect times and their errors. */
static void print_unknown_sampling(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (report_has_unknown_interrupts(report))
		print_unknown(report, "time of the sampling interrupt",
		              "times outside <bareprof> include it; bareprof_timer_remaining() is missing, or "
		              "cannot read the timer (in QEMU)");
	if (profile_distances(profile) == CAPTURE_DISTANCES_UNKNOWN)
		print_unknown(report, "whether samples were taken at fixed intervals",
		              "if so, errors may be larger than shown");
}

static void print_loss_table(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;

	for (enum profile_loss kind = 0; kind < PROFILE_LOSSES; kind++) {
		/* The host itself counts shared samples; other losses are known only if the target recorded them. */
		if (kind != PROFILE_LOSS_SHARED && !profile_losses_are_known(losses))
			continue;
		if (kind == PROFILE_LOSS_MISSED && !losses->ticks_missed_known)
			print_unknown(report, profile_loss_text(kind), "this timer cannot detect them");
		else if (kind == PROFILE_LOSS_SHARED)
			print_shared_samples(report);
		else
			print_loss_row(report, kind);
	}
}

/* Prints the heading. The block changes while it is read, so ticks are a range: from their number at the start of the
 * read to their number at its end. */
static void print_loss_heading(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;

	uint64_t last = losses->ticks + losses->skew;

	fprintf(report->stream, "\nLosses%s, of %" PRIu64, report->options->context != NULL ? " of all contexts" : "",
	        losses->ticks);
	if (losses->skew_known && losses->skew > 0)
		fprintf(report->stream, " to %" PRIu64, last);
	fprintf(report->stream, " %s\n\n", profile_losses_are_known(losses) ? "ticks" : "samples");
}

void report_print_losses(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;

	print_loss_heading(report);
	print_loss_table(report);
	if (profile_losses_are_known(losses))
		print_skew(report);
	report_print_lost_stacks(report);
	print_unknown_sampling(report);
	if (losses->blocks_without_losses > 0)
		print_unknown(report, "what else was lost", "not recorded in gmon.out");
	if (losses->sections_skipped > 0)
		fprintf(report->stream, "%12" PRIu64 "  sections of a later format were skipped\n",
		        losses->sections_skipped);
	if (losses->resets > 0)
		fprintf(report->stream, "%12" PRIu64 "  warm resets during the profile\n", losses->resets);
}
