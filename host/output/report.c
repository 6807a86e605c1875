/* SPDX-License-Identifier: MIT */
/* The report for people: what was profiled, then its parts in order. */
#include "output/report.h"

#include "text/text.h"

#include <bareprof/block.h>
#include <math.h>

/* Shared bins matter from this share of the samples on; below, the losses tell of them. */
#define SHARED_PERCENT 1.0

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

static void begin_warning(const struct report *report)
{
	text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "Warning   ");
}

static void end_warning(const struct report *report)
{
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void warn_of_interrupt(void *context, const struct image_function *function)
{
	const struct report *report = context;
	begin_warning(report);
	text_print(report->stream, function->name);
	fprintf(report->stream,
	        " is an interrupt entry compiled with -pg: its callers are invented; compile it without");
	end_warning(report);
}

static void warn_of_no_hook(const struct report *report)
{
	if (report->profile->image->has_instrumentation_hook)
		return;
	begin_warning(report);
	text_print(report->stream, report->profile->image->path);
	fprintf(report->stream, " has no instrumented function: compile it with -pg to see calls");
	end_warning(report);
}

static bool is_any_running(const struct profile *profile)
{
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			if (profile->captures[i]->blocks[j].header.state == BAREPROF_STATE_RUNNING)
				return true;
	return false;
}

static void warn_of_no_samples(const struct report *report)
{
	if (report->profile->total_samples > 0)
		return;
	begin_warning(report);
	if (is_any_running(report->profile))
		fprintf(report->stream, "no samples: is the sampling timer running and its interrupt enabled?");
	else
		fprintf(report->stream,
		        "no samples: the profile is stopped; call bareprof_start() or pull with --start");
	end_warning(report);
}

/* The widest bins of all captures. */
static uint32_t bin_size(const struct profile *profile)
{
	uint32_t widest = 0;
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			if (profile->captures[i]->blocks[j].bin_size > widest)
				widest = profile->captures[i]->blocks[j].bin_size;
	return widest;
}

static void warn_of_shared_bins(const struct report *report)
{
	const struct profile *profile = report->profile;
	double percent = report_percent((double)profile->losses.samples_shared, profile->total_samples);
	if (percent < SHARED_PERCENT)
		return;
	begin_warning(report);
	fprintf(report->stream,
	        "%.0f %% of the samples lie in bins that several functions share (%u bytes of code per bin): give "
	        "BAREPROF_DEFINE more bins",
	        percent, bin_size(profile));
	end_warning(report);
}

static void print_warnings(struct report *report)
{
	warn_of_no_samples(report);
	warn_of_shared_bins(report);
	warn_of_no_hook(report);
	image_instrumented_interrupts(report->profile->image, warn_of_interrupt, report);
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
