/* SPDX-License-Identifier: MIT */
/* The last part of the report: what was lost, never hidden. Each kind of loss is a line of a table. */
#include "output/report.h"
#include "text/text.h"

#include <stddef.h>
#include <string.h>

struct loss {
	const char *what;
	size_t offset; /* of its count in struct profile_losses */
	const char *advice;
	/* Of a table that is too small: what a block has room for. The advice goes on with "more than 512 arcs". */
	const char *items;
	uint32_t (*room)(const struct capture_block *block);
	void (*print)(const struct report *report); /* prints the whole line; NULL: as all others */
};

static uint32_t granule_room(const struct capture_block *block)
{
	return block->granule_capacity;
}

static uint32_t arc_room(const struct capture_block *block)
{
	return block->arc_capacity;
}

/* Of the samples that are shown, the only loss that the host counts. */
static void print_shared(const struct report *report)
{
	bool sparse = report_is_sparse(report);
	uint64_t count = report_count_shared(report);
	if (count > 0)
		text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "%12llu  samples%s in %s that several %s share", (unsigned long long)count,
	        report->options->context != NULL ? " of this context" : "", sparse ? "granules" : "bins",
	        report->options->lines ? "lines" : "functions");
	if (count > 0)
		fprintf(report->stream, ": their times are guesses; %s",
		        sparse ? "take smaller granules" : "give more bins");
	if (count > 0)
		text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static const struct loss losses_table[] = {
        {.what = "ticks merged while interrupts were masked",
         .offset = offsetof(struct profile_losses, ticks_missed),
         .advice = "their time is missing from the profile"},
        {.what = "samples outside the sampled ranges",
         .offset = offsetof(struct profile_losses, samples_outside),
         .advice = "add the range of that code to BAREPROF_DEFINE"},
        {.offset = offsetof(struct profile_losses, samples_shared), .print = print_shared},
        {.what = "samples that found the table full",
         .offset = offsetof(struct profile_losses, samples_table_full),
         .advice = "give BAREPROF_GRANULES",
         .items = "granules",
         .room = granule_room},
        {.what = "calls that found the arc table full",
         .offset = offsetof(struct profile_losses, arcs_dropped),
         .advice = "give BAREPROF_DEFINE",
         .items = "arcs",
         .room = arc_room},
        {.what = "calls in flight while the block was read",
         .offset = offsetof(struct profile_losses, arcs_in_flight),
         .advice = "stop before the pull to have them too"},
        {.what = "counts lost to full counters",
         .offset = offsetof(struct profile_losses, saturated),
         .advice = "profile for a shorter time"},
};

static uint64_t count_of(const struct profile_losses *losses, const struct loss *loss)
{
	uint64_t count;
	memcpy(&count, (const char *)losses + loss->offset, sizeof count);
	return count;
}

/* The most that any block has. */
static uint32_t room_of(const struct profile *profile, const struct loss *loss)
{
	uint32_t most = 0;
	for (size_t i = 0; i < profile->block_count; i++) {
		uint32_t room = loss->room(profile->blocks[i]);
		most = room > most ? room : most;
	}
	return most;
}

static void print_advice(const struct report *report, const struct loss *loss)
{
	fprintf(report->stream, ": %s", loss->advice);
	if (loss->room == NULL)
		return;
	uint32_t room = room_of(report->profile, loss);
	if (room > 0)
		fprintf(report->stream, " more than %u %s", room, loss->items);
	else
		fprintf(report->stream, " more %s", loss->items);
}

static void print_line(const struct report *report, const struct loss *loss, uint64_t count)
{
	if (count > 0)
		text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "%12llu  %s", (unsigned long long)count, loss->what);
	if (count > 0)
		print_advice(report, loss);
	if (count > 0)
		text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* Some losses nothing can tell; a zero would be a lie. */
static void print_unknown(const struct report *report, const char *what, const char *why)
{
	fprintf(report->stream, "%12s  %s: %s\n", "unknown", what, why);
}

static void print_skew(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;
	if (!losses->skew_known)
		print_unknown(report, "ticks while the block was read", "the capture does not tell");
	else
		fprintf(report->stream, "%12llu  ticks while the block was read\n", (unsigned long long)losses->skew);
}

/* What the profile knows itself; the others are the target's to tell. */
static bool is_told(const struct loss *loss, const struct profile_losses *losses)
{
	return profile_losses_are_told(losses) || loss->offset == offsetof(struct profile_losses, samples_shared);
}

static void print_table(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;
	for (size_t i = 0; i < sizeof losses_table / sizeof *losses_table; i++) {
		const struct loss *loss = &losses_table[i];
		if (!is_told(loss, losses))
			continue;
		if (loss->offset == offsetof(struct profile_losses, ticks_missed) && !losses->ticks_missed_known)
			print_unknown(report, loss->what, "this timer cannot tell");
		else if (loss->print != NULL)
			loss->print(report);
		else
			print_line(report, loss, count_of(losses, loss));
	}
}

/* Each count is of a moment while the block was read: ticks are those of its beginning, to those of its end. */
static void print_heading(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;
	unsigned long long last = losses->ticks + losses->skew;

	fprintf(report->stream, "\nLosses%s, of %llu", report->options->context != NULL ? " of all contexts" : "",
	        (unsigned long long)losses->ticks);
	if (losses->skew_known && losses->skew > 0)
		fprintf(report->stream, " to %llu", last);
	fprintf(report->stream, " %s\n\n", profile_losses_are_told(losses) ? "ticks" : "samples");
}

void report_print_losses(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;
	bool is_gmon = !profile_losses_are_told(losses);
	print_heading(report);
	print_table(report);
	if (!is_gmon)
		print_skew(report);
	if (losses->blocks_untold > 0)
		print_unknown(report, "what else was lost", "gmon.out does not tell");
	if (losses->sections_skipped > 0)
		fprintf(report->stream, "%12llu  sections of a later format were skipped\n",
		        (unsigned long long)losses->sections_skipped);
	if (losses->resets > 0)
		fprintf(report->stream, "%12llu  warm resets during the profile\n", (unsigned long long)losses->resets);
}
