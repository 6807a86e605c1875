/* SPDX-License-Identifier: MIT */
/* The last part of the report: what was lost, never hidden. Each kind of loss is a line of a table. */
#include "output/report.h"
#include "text/text.h"

struct loss {
	const char *what;
	uint64_t (*count)(const struct profile_losses *losses);
	const char *advice; /* what to do about it */
};

static uint64_t count_ticks_missed(const struct profile_losses *losses)
{
	return losses->ticks_missed;
}

static uint64_t count_outside(const struct profile_losses *losses)
{
	return losses->samples_outside;
}

static uint64_t count_table_full(const struct profile_losses *losses)
{
	return losses->samples_table_full;
}

static uint64_t count_shared(const struct profile_losses *losses)
{
	return losses->samples_shared;
}

static uint64_t count_arcs_dropped(const struct profile_losses *losses)
{
	return losses->arcs_dropped;
}

static uint64_t count_in_flight(const struct profile_losses *losses)
{
	return losses->arcs_in_flight;
}

static uint64_t count_saturated(const struct profile_losses *losses)
{
	return losses->saturated;
}

static const struct loss losses_table[] = {
        {"ticks merged while interrupts were masked", count_ticks_missed, "their time is missing from the profile"},
        {"samples outside the sampled ranges", count_outside, "add the range of that code to BAREPROF_DEFINE"},
        {"samples in bins that several functions share", count_shared, "their times are guesses; give more bins"},
        {"samples that found the table full", count_table_full, "give BAREPROF_DEFINE more room"},
        {"calls that found the arc table full", count_arcs_dropped, "give BAREPROF_DEFINE more arcs"},
        {"calls in flight while the block was read", count_in_flight, "stop before the pull to have them too"},
        {"counts lost to full counters", count_saturated, "profile for a shorter time"},
};

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
		if (loss->count == count_ticks_missed && !losses->ticks_missed_known)
			print_unknown(report, loss->what, "this timer cannot tell");
		else
			print_line(report, loss, loss->count(losses));
	}
	print_skew(report);
	if (losses->sections_skipped > 0)
		fprintf(report->stream, "%12zu  sections of a later format were skipped\n", losses->sections_skipped);
	if (losses->resets > 0)
		fprintf(report->stream, "%12zu  warm resets during the profile\n", losses->resets);
}
