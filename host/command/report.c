/* SPDX-License-Identifier: MIT */
/* bareprof report: the flat profile and the call graph on the terminal. */
#include "command/captures.h"
#include "command/colour.h"
#include "command/command.h"
#include "command/hints.h"
#include "command/report_filters.h"
#include "command/values.h"
#include "report/output.h"

#include <getopt.h>

enum {
	OPTION_BY_CONTEXT = 256,
	OPTION_BY_CORE,
	OPTION_LINES,
	OPTION_INLINES,
	OPTION_DEMANGLE,
	OPTION_NO_DEMANGLE,
	OPTION_STATIC,
	OPTION_TOP,
	OPTION_MIN_PERCENT,
	OPTION_WITHOUT_RECORDER
};

struct options {
	struct output_report_options report;
	struct capture_options captures;
	struct report_filters filters;
	bool by_context, by_core;
};

static const struct option long_options[] = {
        {"by-context", no_argument, NULL, OPTION_BY_CONTEXT},
        {"by-core", no_argument, NULL, OPTION_BY_CORE},
        {"color", required_argument, NULL, 'c'},
        {"demangle", required_argument, NULL, OPTION_DEMANGLE},
        {"flat", no_argument, NULL, 'p'},
        {"graph", no_argument, NULL, 'q'},
        {"inlines", no_argument, NULL, OPTION_INLINES},
        {"lines", no_argument, NULL, OPTION_LINES},
        {"min-percent", required_argument, NULL, OPTION_MIN_PERCENT},
        {"no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE},
        {"static", no_argument, NULL, OPTION_STATIC},
        {"top", required_argument, NULL, OPTION_TOP},
        {"without-recorder", no_argument, NULL, OPTION_WITHOUT_RECORDER},
        CAPTURE_LONG_OPTIONS,
        CALL_LONG_OPTIONS,
        FILTER_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
};

static enum status parse_top(const char *text, size_t *top, struct error *error)
{
	uint32_t number;
	if (!value_parse_number(text, UINT32_MAX, &number) || number == 0)
		return command_usage(&command_report, error, "--top=%.40s: expected a number of rows, 1 or more", text);
	*top = number;
	return STATUS_OK;
}

static enum status parse_option(int option, char **argv, struct options *options, struct error *error)
{
	bool is_taken;
	enum status status = report_filters_take(&command_report, option, optarg, &options->filters, &is_taken, error);
	if (!is_taken)
		status = command_take_capture_option(&command_report, option, &options->captures, &is_taken, error);
	if (is_taken)
		return status;
	switch (option) {
	case 'c':
		return command_parse_colour(&command_report, optarg, &options->report.colour, error);
	case OPTION_BY_CONTEXT:
		options->by_context = true;
		return STATUS_OK;
	case OPTION_BY_CORE:
		options->by_core = true;
		return STATUS_OK;
	case OPTION_LINES:
		options->report.lines = true;
		return STATUS_OK;
	case OPTION_INLINES:
		options->report.inlines = true;
		return STATUS_OK;
	case OPTION_STATIC:
		options->captures.static_calls = true;
		return STATUS_OK;
	case OPTION_TOP:
		return parse_top(optarg, &options->report.top, error);
	case OPTION_MIN_PERCENT:
		return value_percent(&command_report, "--min-percent", optarg, &(struct value_percentage){0, 100},
		                     &options->report.min_part, error);
	case OPTION_WITHOUT_RECORDER:
		options->report.without_recorder = true;
		return STATUS_OK;
	case OPTION_DEMANGLE:
		return value_style(&command_report, optarg, &options->report.demangle, error);
	case OPTION_NO_DEMANGLE:
		return value_style(&command_report, "none", &options->report.demangle, error);
	case 'p':
		options->report.flat = true;
		return STATUS_OK;
	case 'q':
		options->report.graph = true;
		return STATUS_OK;
	default:
		return command_bad_option(&command_report, option, long_options, argv, error);
	}
}

/* Fills in defaults. Call graphs of all parts are printed only on demand. */
static void complete_options(struct options *options)
{
	struct output_report_options *report = &options->report;
	if (!report->flat && !report->graph) {
		report->flat = true;
		report->graph = !options->by_context && !options->by_core && !report->lines && !report->inlines;
	}
	report->context = options->captures.context;
	report->core = options->captures.core;
	report->by_core = options->by_core;
	report->filters = options->filters.text;
	options->captures.filters = &options->filters;
	report->static_calls = options->captures.static_calls;
}

static enum status parse_options(int argc, char **argv, struct options *options, struct error *error)
{
	options->report.colour = command_wants_colour();
	options->report.hints = hints;
	demangle_find_style("auto", &options->report.demangle);
	for (int option; (option = getopt_long(argc, argv, ":pqf", long_options, NULL)) != -1;) {
		enum status status = parse_option(option, argv, options, error);
		if (status != STATUS_OK)
			return status;
	}
	complete_options(options);
	if (options->by_context && options->by_core)
		return command_usage(&command_report, error,
		                     "--by-context or --by-core, not both; --by-context --core=N shows one core");
	if (options->report.lines && options->report.inlines)
		return command_usage(&command_report, error, "--lines or --inlines, not both");
	if ((options->report.lines || options->report.inlines) && options->report.graph)
		return command_usage(&command_report, error,
		                     "--lines and --inlines have no call graph: not with -q, --graph");
	if ((options->report.lines || options->report.inlines) && (options->by_context || options->by_core))
		return command_usage(
		        &command_report, error,
		        "--lines and --inlines cover the whole profile; select a part with --context or --core");
	if (options->filters.count > 0 &&
	    (options->by_context || options->by_core || options->report.lines || options->report.inlines))
		return command_usage(&command_report, error,
		                     "--focus and other filters apply to profiles of functions, not to --lines, "
		                     "--inlines, --by-context, --by-core");
	if (options->captures.static_calls && (options->by_context || options->by_core))
		return command_usage(&command_report, error,
		                     "--static covers the whole profile; select a part with --context or --core");
	if (argc - optind < 2)
		return command_usage(&command_report, error, "expected a firmware and at least one capture");
	return STATUS_OK;
}

static enum status split(const struct options *options, struct opened_profile *opened, struct error *error)
{
	if (options->by_context && !command_has_contexts(opened))
		return command_no_contexts(opened, error);
	if (options->by_context)
		return analysis_split(opened->profile, ANALYSIS_BY_CONTEXT, &opened->analysis, error);
	if (options->by_core)
		return analysis_split(opened->profile, ANALYSIS_BY_CORE, &opened->analysis, error);
	return STATUS_OK;
}

static enum status run_report(int argc, char **argv, struct error *error)
{
	struct options options = {.captures.total_errors = true};
	struct opened_profile opened = {0};
	enum status status = parse_options(argc, argv, &options, error);
	if (status == STATUS_OK)
		status = command_open_profile(argv[optind], argv + optind + 1, (size_t)(argc - optind - 1),
		                              &options.captures, &opened, error);
	if (status == STATUS_OK)
		status = report_filters_check(&options.filters, argv[optind], error);
	options.report.idle_arcs = options.filters.idle_arcs;
	if (status == STATUS_OK)
		status = split(&options, &opened, error);
	if (status == STATUS_OK && (options.report.lines || options.report.inlines))
		status = analysis_find_lines(opened.profile, error);
	if (status == STATUS_OK)
		status = output_report(opened.profile, &options.report, stdout, error);
	command_close_profile(&opened);
	report_filters_free(&options.filters);
	return status;
}

const struct command command_report = {
        .name = "report",
        .synopsis = "[OPTION]... FW.elf RUN...",
        .summary = "print the flat profile and the call graph",
        .help = "FW.elf is the firmware that ran. RUN is a capture or a gmon.out; several are added up.\n\n"
                "  -p, --flat           print only the flat profile\n"
                "  -q, --graph          print only the call graph\n"
                "      --top=N          only the N functions with the most self time, and their call graph\n"
                "      --min-percent=P  only rows and entries with at least P percent of the time\n"
                "      --without-recorder\n"
                "                       100 % is the time outside the recorder, <bareprof>\n"
                "      --by-context     a flat profile for each context: an RTOS task or an interrupt\n"
                "      --by-core        a flat profile for each core; with -q also a call graph\n" FILTER_HELP CALL_HELP
                        CAPTURE_HELP
                "      --static         add calls that the code could make but that were not recorded\n"
                "      --lines          a flat profile of source lines\n"
                "      --inlines        a flat profile in which inlined functions have their own rows\n" STYLE_HELP
                        COLOUR_HELP "\n"
                "Example: bareprof report build/firmware/mps2-an385/demo.elf run.bprof\n",
        .run = run_report,
};
