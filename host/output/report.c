/* SPDX-License-Identifier: MIT */
/* The report for people: what was profiled, then its parts in order. */
#include "output/report.h"

#include "output/text.h"

#include <math.h>

#include <bareprof/block.h>

/* Enough digits to show a single sample, so that nothing seen is printed as nothing. */
static int choose_decimals(const struct profile *profile)
{
	if (profile->time_unit == PROFILE_SAMPLES)
		return 1;
	double sample_time = profile->total_samples > 0 ? profile->total_time / profile->total_samples : 0.01;
	int decimals = 2;
	while (decimals < 7 && sample_time < pow(10.0, -decimals))
		decimals++;
	return decimals;
}

static void print_block(const struct report *report, const struct capture *capture, const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	fprintf(report->stream, "Capture   ");
	text_print(report->stream, capture->path);
	fprintf(report->stream, ": %s", header->board[0] != '\0' ? header->board : "unnamed board");
	if (capture->block_count > 1)
		fprintf(report->stream, ", core %u", header->core);
	if (header->clock_hz != 0 && header->period != 0)
		fprintf(report->stream, ", a sample every %u cycles of %u Hz", header->period, header->clock_hz);
	else
		fprintf(report->stream, ", sampling rate unknown: times are in samples (spl)");
	fputc('\n', report->stream);
}

static void print_header(const struct report *report)
{
	const struct profile *profile = report->profile;
	fprintf(report->stream, "Firmware  ");
	text_print(report->stream, profile->image->path);
	fprintf(report->stream, ": %s\n", profile_identity_text(profile));
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			print_block(report, profile->captures[i], &profile->captures[i]->blocks[j]);
	fprintf(report->stream, "Samples   %.0f", profile->total_samples);
	if (profile->time_unit == PROFILE_SECONDS)
		fprintf(report->stream, ", %.*f s", report->time_decimals, profile->total_time);
	fputc('\n', report->stream);
}

static void print_warning(const struct report *report, const char *warning, const char *name)
{
	text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "Warning   ");
	text_print(report->stream, name);
	fprintf(report->stream, "%s", warning);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void warn_of_interrupt(void *context, const struct image_function *function)
{
	print_warning(context, " is an interrupt entry compiled with -pg: its callers are invented; compile it without",
	              function->name);
}

static void print_warnings(struct report *report)
{
	const struct image *image = report->profile->image;
	if (!image->has_instrumentation_hook)
		print_warning(report, " has no instrumented function: compile it with -pg to see calls", image->path);
	image_instrumented_interrupts(image, warn_of_interrupt, report);
}

static enum status print_parts(struct report *report, const struct output_report_options *options, struct error *error)
{
	print_header(report);
	print_warnings(report);
	enum status status = report_order_entries(report, error);
	if (status == STATUS_OK && options->flat)
		status = report_print_flat(report, error);
	if (status == STATUS_OK && options->graph)
		status = report_print_graph(report, error);
	if (status == STATUS_OK)
		report_print_losses(report);
	return status;
}

enum status output_report(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                          struct error *error)
{
	struct report report = {
	        .profile = profile,
	        .stream = stream,
	        .colour = options->colour,
	        .time_decimals = choose_decimals(profile),
	};
	enum status status = print_parts(&report, options, error);
	report_free_entries(&report);
	return status;
}
