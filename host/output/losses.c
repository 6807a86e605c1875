/* SPDX-License-Identifier: MIT */
/* The last part of the report: what was lost, never hidden. Each kind of loss is a line of a table. */
#include "output/report.h"
#include "text/text.h"

#include <stddef.h>
#include <string.h>

struct loss {
	const char *what;
	size_t offset;      /* of its count in struct profile_losses */
	const char *advice; /* what to do about it */
};

static const struct loss losses_table[] = {
        {"ticks merged while interrupts were masked", offsetof(struct profile_losses, ticks_missed),
         "their time is missing from the profile"},
        {"samples outside the sampled ranges", offsetof(struct profile_losses, samples_outside),
         "add the range of that code to BAREPROF_DEFINE"},
        {"samples in bins that several functions share", offsetof(struct profile_losses, samples_shared),
         "their times are guesses; give more bins"},
        {"samples that found the table full", offsetof(struct profile_losses, samples_table_full),
         "give BAREPROF_DEFINE more room"},
        {"calls that found the arc table full", offsetof(struct profile_losses, arcs_dropped),
         "give BAREPROF_DEFINE more arcs"},
        {"calls in flight while the block was read", offsetof(struct profile_losses, arcs_in_flight),
         "stop before the pull to have them too"},
        {"counts lost to full counters", offsetof(struct profile_losses, saturated), "profile for a shorter time"},
};

static uint64_t count_of(const struct profile_losses *losses, const struct loss *loss)
{
	uint64_t count;
	memcpy(&count, (const char *)losses + loss->offset, sizeof count);
	return count;
}

static void print_line(const struct report *report, const struct loss *loss, uint64_t count)
{
	if (count > 0)
		text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "%12llu  %s", (unsigned long long)count, loss->what);
	if (count > 0)
		fprintf(report->stream, ": %s", loss->advice);
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

void report_print_losses(const struct report *report)
{
	const struct profile_losses *losses = &report->profile->losses;
	fprintf(report->stream, "\nLosses, of %llu ticks\n\n", (unsigned long long)losses->ticks);
	for (size_t i = 0; i < sizeof losses_table / sizeof *losses_table; i++) {
		const struct loss *loss = &losses_table[i];
		if (loss->offset == offsetof(struct profile_losses, ticks_missed) && !losses->ticks_missed_known)
			print_unknown(report, loss->what, "this timer cannot tell");
		else
			print_line(report, loss, count_of(losses, loss));
	}
	print_skew(report);
	if (losses->sections_skipped > 0)
		fprintf(report->stream, "%12zu  sections of a later format were skipped\n", losses->sections_skipped);
	if (losses->resets > 0)
		fprintf(report->stream, "%12zu  warm resets during the profile\n", losses->resets);
}
