/* SPDX-License-Identifier: MIT */
/* The report: the header, then its parts in order. */
#include "report/report.h"

#include "base/text/text.h"
#include "capture/count.h"
#include "profile/measurement.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The digits needed to show a single sample, so that no sampled function has time 0. */
static int choose_decimals(const struct profile *profile)
{
	if (profile->time_unit == PROFILE_SAMPLES)
		return 1;
	/* A sum of many 0.01 may be slightly too small, which must not add a digit. */
	double sample_time =
	        profile->total_samples > 0 ? profile->total_time / profile->total_samples * 1.000001 : 0.01;
	int decimals = 2;
	while (decimals < 7 && sample_time < pow(10.0, -decimals))
		decimals++;
	return decimals;
}

static void print_capture_block(const struct report *report, const struct capture *capture,
                                const struct capture_block *block)
{
	const struct capture_header *header = &block->header;

	fprintf(report->stream, "Capture   ");
	text_print(report->stream, capture->path);
	const char *unnamed = block->is_gmon      ? "gmon.out"
	                      : block->is_sampled ? "sampled through a probe"
	                                          : "unnamed board";
	fprintf(report->stream, ": %s", header->board[0] != '\0' ? header->board : unnamed);
	if (capture->block_count > 1 && !block->is_gmon)
		fprintf(report->stream, ", core %u", header->core);
	if (block->is_gmon && block->range_count == 0)
		fprintf(report->stream, ", calls only");
	else if (block->is_sampled && header->clock_hz != 0 && header->period != 0)
		fprintf(report->stream, ", %.0f independent samples per second",
		        (double)header->clock_hz / header->period);
	else if (header->clock_hz != 0 && header->period == 1)
		fprintf(report->stream, ", %u samples per second", header->clock_hz);
	else if (header->clock_hz != 0 && header->period != 0)
		fprintf(report->stream, ", a sample every %u cycles of %u Hz", header->period, header->clock_hz);
	else
		fprintf(report->stream, ", sampling rate unknown: times are in samples (spl)");
	if (block->merged_count > 1)
		fprintf(report->stream, ", sum of %" PRIu64, block->merged_count);
	fputc('\n', report->stream);
}

/* Prints the filters, and the time that they leave. */
static void print_filters(const struct report *report)
{
	bool seconds = report->profile->time_unit == PROFILE_SECONDS;

	if (report->options->filters == NULL)
		return;
	fprintf(report->stream, "Only      ");
	text_print(report->stream, report->options->filters);
	fprintf(report->stream, ": 100 %% are %.*f %s in the flat profile, %.*f %s in the call graph\n",
	        report->time_decimals, report->whole_time, seconds ? "s" : "spl", report->time_decimals,
	        report->graph_time, seconds ? "s" : "spl");
}

static void print_selected(const struct report *report)
{
	const struct output_report_options *options = report->options;

	if (options->context == NULL && options->core == NULL)
		return;
	fprintf(report->stream, "Only      ");
	if (options->context != NULL) {
		fprintf(report->stream, "context ");
		text_print(report->stream, options->context);
	}
	if (options->core != NULL)
		fprintf(report->stream, "%score %s", options->context != NULL ? " of " : "", options->core);
	fputc('\n', report->stream);
}

static void print_recorder(const struct report *report)
{
	const struct profile *profile = report->profile;
	bool seconds = profile->time_unit == PROFILE_SECONDS;
	double time = profile_recorder_time(profile);

	if (profile->total_time <= 0 || !profile_knows_recorder(report->profile))
		return;
	fprintf(report->stream, "Recorder  %.2f %%, %.*f %s", report_percent(time, profile->total_time),
	        report->time_decimals, time, seconds ? "s" : "spl");
	if (report->options->without_recorder)
		fprintf(report->stream, ": left out, 100 %% are %.*f %s", report->time_decimals,
		        profile->total_time - time, seconds ? "s" : "spl");
	fputc('\n', report->stream);
}

void report_print_header(const struct report *report)
{
	const struct profile *profile = report->profile;

	fprintf(report->stream, "Firmware  ");
	text_print(report->stream, profile->image->path);
	fprintf(report->stream, ": %s\n", profile_identity_text(profile));
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			print_capture_block(report, profile->captures[i], &profile->captures[i]->blocks[j]);
	print_selected(report);
	print_filters(report);
	fprintf(report->stream, "Samples   %.0f", profile->total_samples);
	if (profile->time_unit == PROFILE_SECONDS)
		fprintf(report->stream, ", %.*f s", report->time_decimals, profile->total_time);
	fputc('\n', report->stream);
	report_print_stacks(report);
	print_recorder(report);
	/* The table of losses, at the end of the report, repeats this with advice. */
	if (report_has_unknown_interrupts(report))
		fputs("Interrupt cost unknown: times outside <bareprof> include it, about 2 % at 10,000 samples per "
		      "second on a Cortex-M3 at 25 MHz\n",
		      report->stream);
}

static enum status print_report_sections(struct report *report, const struct output_report_options *options,
                                         struct error *error)
{
	report_print_header(report);
	report_print_warnings(report);
	if (!options->by_core && (options->flat || report->part_count > 0))
		report_print_contexts(report);
	if ((options->flat || options->regions) && options->filters == NULL)
		report_print_regions(report);
	enum status status = report_order_entries(report, error);
	if (status == STATUS_OK && options->flat)
		status = options->lines     ? report_print_flat_lines(report, error)
		         : options->inlines ? report_print_flat_inlines(report, error)
		                            : report_print_flat(report, error);
	if (status == STATUS_OK && options->graph)
		status = report_print_graph(report, error);
	if (status == STATUS_OK)
		status = report_print_removed(report, error);
	if (status == STATUS_OK)
		report_print_losses(report);
	return status;
}

/* The time in the flat profile, without functions that filters exclude. */
static double flat_time(const struct report *report)
{
	const struct profile *profile = report->profile;
	double time = profile->total_time;

	for (size_t i = 0; i < profile->node_count; i++)
		if (!filter_wants(profile->nodes[i].marks, profile->all_marks, FILTER_FLAT) ||
		    report_is_left_out(report, profile->nodes[i].kind))
			time -= profile->nodes[i].self_time;
	return time;
}

static double graph_time(const struct report *report)
{
	const struct profile *profile = report->profile;
	double time = profile->filters != NULL ? profile->wanted_time : profile->total_time;

	for (size_t i = 0; i < profile->node_count; i++)
		if (report_is_left_out(report, profile->nodes[i].kind))
			time -= profile->filters != NULL ? profile->nodes[i].wanted.self_time
			                                 : profile->nodes[i].self_time;
	return time;
}

/* The largest number of calls in the report, except in rows for whole parts. */
static uint64_t max_calls(const struct profile *profile)
{
	uint64_t max = 0;

	for (size_t i = 0; i < profile->node_count; i++) {
		uint64_t calls = profile_node_calls(&profile->nodes[i]);

		max = calls > max ? calls : max;
	}
	for (size_t i = 0; i < profile->cycle_count; i++) {
		uint64_t calls = count_sum(profile->cycles[i].calls, profile->cycles[i].internal_calls);

		max = calls > max ? calls : max;
	}
	return max;
}

/* The profile may also be split for another output. Parts of one kind follow each other. */
static void choose_report_parts(struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->part_count; i++)
		if (profile->parts[i].of_context ? report->options->by_context : report->options->by_core) {
			report->parts = report->part_count == 0 ? &profile->parts[i] : report->parts;
			report->part_count++;
		}
}

static bool has_lower_bounds(const struct report *report)
{
	bool has_any = profile_has_lower_bounds(report->profile);

	for (size_t i = 0; i < report->part_count; i++)
		has_any |= profile_has_lower_bounds(report->parts[i].profile);
	return has_any;
}

enum status report_begin(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                         struct report *report, struct error *error)
{
	*report = (struct report){
	        .profile = profile,
	        .options = options,
	        .stream = stream,
	        .names = demangler_create(options->demangle),
	        .colour = options->colour,
	        .is_numbered = options->graph,
	        .shows_lines = options->lines || options->inlines,
	        .time_decimals = choose_decimals(profile),
	};
	choose_report_parts(report);
	report->whole_time = flat_time(report);
	report->graph_time = graph_time(report);
	report->time_width = snprintf(NULL, 0, "%.*f", report->time_decimals, profile->total_time);
	report->calls_width = snprintf(NULL, 0, "%" PRIu64, max_calls(profile));
	report->bound_width = has_lower_bounds(report) ? (int)strlen(REPORT_LOWER_BOUND) : 0;
	report->shows_totals = profile->measurement != NULL && max_calls(profile) == 0;
	if (report->names == NULL)
		return status_fail(error, "out of memory for a report of %zu functions", profile->node_count);
	return STATUS_OK;
}

void report_end(struct report *report)
{
	report_free_entries(report);
	demangler_free(report->names);
}

enum status output_report(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                          struct error *error)
{
	struct report report;
	enum status status = report_begin(profile, options, stream, &report, error);

	if (status == STATUS_OK)
		status = print_report_sections(&report, options, error);
	report_end(&report);
	return status;
}
