/* SPDX-License-Identifier: MIT */
/* bareprof report: the flat profile and the call graph on the terminal. */
#include "base/file/file.h"
#include "command/captures.h"
#include "command/command.h"
#include "command/hints.h"
#include "command/regions.h"
#include "command/report_filters.h"
#include "command/source_options.h"
#include "command/values.h"
#include "profile/lines.h"
#include "profile/regions.h"
#include "profile/sampled_ranges.h"
#include "profile/split.h"
#include "report/output.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

struct report_options {
	struct output_report_options report;
	struct capture_options captures;
	struct report_filters filters;
	struct region_options regions;
	const char *html; /* file of the page; NULL: none */
	struct source_options source;
};

static enum status take_report_page(const struct given_option *given, struct error *error)
{
	if (strcmp(given->value, "-") != 0)
		return option_take_text(given, error);
	return command_usage(given->command, error, "--html=-: standard output is for the report");
}

#define MEMBER(name) offsetof(struct report_options, name)

static const struct value_range row_counts = {"a number of rows, 1 or more", 1, UINT32_MAX};
static const struct value_percentage percentages = {0, 100};

static const struct command_option report_options[] = {
        {'p', "flat", NULL, "print only the flat profile", .take = option_take_switch, .member = MEMBER(report.flat)},
        {'q', "graph", NULL, "print only the call graph", .take = option_take_switch, .member = MEMBER(report.graph)},
        {'\0', "top", "N", "only the N functions with the most self time, and their call graph",
         .take = option_take_number, .member = MEMBER(report.top), .detail = &row_counts},
        {'\0', "min-percent", "P", "only rows and entries with at least P percent of the time",
         .take = option_take_percent, .member = MEMBER(report.min_part), .detail = &percentages},
        {'\0', "without-recorder", NULL, "100 % is the time outside the recorder, <bareprof>",
         .take = option_take_switch, .member = MEMBER(report.without_recorder)},
        {'\0', "by-context", NULL, "a flat profile for each context: an RTOS task or an interrupt",
         .take = option_take_switch, .member = MEMBER(report.by_context)},
        {'\0', "by-core", NULL, "a flat profile for each core; with -q also a call graph", .take = option_take_switch,
         .member = MEMBER(report.by_core)},
        {'\0', "static", NULL, "add calls that the code could make but that were not recorded",
         .take = option_take_switch, .member = MEMBER(captures.static_calls)},
        {'\0', "lines", NULL, "a flat profile of source lines", .take = option_take_switch,
         .member = MEMBER(report.lines)},
        {'\0', "inlines", NULL, "a flat profile in which inlined functions have their own rows",
         .take = option_take_switch, .member = MEMBER(report.inlines)},
        {'\0', "html", "FILE", "also write a page for exploring the profile in a browser", .take = take_report_page,
         .member = MEMBER(html)},
        {'\0', "no-source", NULL, "leave source and instructions out of the page", .take = option_take_switch,
         .member = MEMBER(report.without_source)},
        {0},
};

/* Sets defaults. Call graphs of all parts are printed only on demand. */
static void set_report_defaults(struct report_options *options)
{
	struct output_report_options *report = &options->report;

	if (!report->flat && !report->graph) {
		report->flat = true;
		report->graph = !report->by_context && !report->by_core && !report->lines && !report->inlines;
	}
	report->context = options->captures.context;
	report->core = options->captures.core;
	report->regions = options->regions.is_wanted;
	report->filters = options->filters.text;
	options->captures.filters = &options->filters;
	report->static_calls = options->captures.static_calls;
	report->objdump = options->source.objdump;
	report->paths = options->source.paths;
	options->captures.output = options->html;
}

/* Checks options that require or exclude one another. */
static enum status check_report_options(const struct report_options *options, struct error *error)
{
	const struct output_report_options *report = &options->report;
	const bool has_lines = report->lines || report->inlines, has_parts = report->by_context || report->by_core;
	const bool has_filters = options->filters.count > 0, has_page = options->html != NULL;
	const bool is_about_source = report->without_source || source_options_are_given(&options->source);
	const struct option_conflict conflicts[] = {
	        {report->by_context && report->by_core,
	         "--by-context or --by-core, not both; --by-context --core=N shows one core"},
	        {report->lines && report->inlines, "--lines or --inlines, not both"},
	        {has_lines && report->graph, "--lines and --inlines have no call graph: not with -q, --graph"},
	        {has_lines && has_parts,
	         "--lines and --inlines cover the whole profile; select a part with --context or --core"},
	        {has_filters && (has_parts || has_lines),
	         "--focus and other filters apply to profiles of functions, not to --lines, --inlines, --by-context, "
	         "--by-core"},
	        {has_filters && options->regions.is_wanted,
	         "--by-region and --region show all time: not with --focus and other filters"},
	        {options->captures.static_calls && has_parts,
	         "--static covers the whole profile; select a part with --context or --core"},
	        {is_about_source && !has_page,
	         "--no-source, --objdump, --directory and --source-prefix have no effect without --html"},
	        {has_page && has_filters, "--focus and other filters do not apply to the page of --html"},
	};
	const char *conflict = option_first_conflict(conflicts, sizeof conflicts / sizeof *conflicts);

	return conflict != NULL ? command_usage(&command_report, error, "%s", conflict) : STATUS_OK;
}

static enum status parse_report_options(int argc, char **argv, struct report_options *options, struct error *error)
{
	options->report.colour = option_default_colour();
	options->report.hints = hints;
	demangle_find_style("auto", &options->report.demangle);
	enum status status = source_options_begin(&options->source, argc, error);
	if (status == STATUS_OK)
		status = command_parse_options(&command_report, argc, argv, options, error);
	if (status != STATUS_OK)
		return status;
	set_report_defaults(options);
	status = check_report_options(options, error);
	if (status == STATUS_OK && argc - optind < 2)
		status = command_usage(&command_report, error, "expected a firmware and at least one capture");
	return status;
}

/* Runs all passes that the report and the page need. */
static enum status complete_profile(const struct report_options *options, struct opened_profile *opened,
                                    struct error *error)
{
	const struct output_report_options *report = &options->report;
	const bool has_page = options->html != NULL, has_source = has_page && !report->without_source;
	struct profile *profile = opened->profile;

	if (report->by_context && !command_has_contexts(opened))
		return command_no_contexts(opened, error);
	enum status status = analysis_find_regions(profile, options->regions.regions, options->regions.count, error);
	/* The page has all parts, the report's parts first. */
	if (status == STATUS_OK && report->by_core)
		status = analysis_split(profile, ANALYSIS_BY_CORE, &opened->analysis, error);
	if (status == STATUS_OK && (report->by_context || (has_page && command_has_contexts(opened))))
		status = analysis_split(profile, ANALYSIS_BY_CONTEXT, &opened->analysis, error);
	if (status == STATUS_OK && !report->by_core && has_page && profile_has_cores(profile))
		status = analysis_split(profile, ANALYSIS_BY_CORE, &opened->analysis, error);
	if (status == STATUS_OK && (report->lines || report->inlines || has_source))
		status = analysis_find_lines(profile, error);
	if (status == STATUS_OK && has_source)
		status = analysis_find_line_totals(profile, error);
	return status == STATUS_OK && has_source ? analysis_find_sampled_ranges(profile, error) : status;
}

static enum status write_report_page(const struct report_options *options, const struct profile *profile,
                                     struct error *error)
{
	struct file_writer writer = {0};
	enum status status = file_create(&writer, options->html, error);

	if (status != STATUS_OK)
		return status;
	status = output_html(profile, &options->report, writer.stream, error);
	return file_finish(&writer, status, error);
}

static enum status run_report(int argc, char **argv, struct error *error)
{
	struct report_options options = {.captures.total_errors = true};
	struct opened_profile opened = {0};
	enum status status = parse_report_options(argc, argv, &options, error);

	if (status == STATUS_OK)
		status = command_open_profile(argv[optind], argv + optind + 1, (size_t)(argc - optind - 1),
		                              &options.captures, &opened, error);
	if (status == STATUS_OK)
		status = report_filters_check(&options.filters, argv[optind], error);
	options.report.idle_arcs = options.filters.idle_arcs;
	if (status == STATUS_OK)
		status = complete_profile(&options, &opened, error);
	if (status == STATUS_OK)
		status = output_report(opened.profile, &options.report, stdout, error);
	if (status == STATUS_OK && options.html != NULL)
		status = write_report_page(&options, opened.profile, error);
	command_close_profile(&opened);
	report_filters_free(&options.filters);
	regions_free(&options.regions);
	source_options_end(&options.source);
	return status;
}

const struct command command_report = {
        .name = "report",
        .synopsis = "[OPTION]... FW.elf RUN...",
        .summary = "print the flat profile and the call graph",
        .help = "FW.elf is the firmware that ran. RUN is a capture or a gmon.out; several are added up.\n\n",
        .options = (const struct option_table[]){{report_options, 0},
                                                 {source_options, MEMBER(source)},
                                                 {report_filter_options, MEMBER(filters)},
                                                 {region_options, MEMBER(regions)},
                                                 {cycle_options, MEMBER(captures)},
                                                 {error_options, MEMBER(captures)},
                                                 {selection_options, MEMBER(captures)},
                                                 {file_format_options, MEMBER(captures)},
                                                 {style_options, MEMBER(report.demangle)},
                                                 {colour_options, MEMBER(report.colour)},
                                                 {0}},
        .example = "bareprof report fw.elf run.bprof\n",
        .run = run_report,
};
