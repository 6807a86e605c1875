/* SPDX-License-Identifier: MIT */
/* bareprof annotate: the firmware's source with times and calls. */
#include "command/captures.h"
#include "command/command.h"
#include "command/hints.h"
#include "command/source_options.h"
#include "command/values.h"
#include "profile/analysis.h"
#include "profile/lines.h"
#include "profile/sampled_ranges.h"
#include "report/output.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT 10

struct annotate_options {
	struct output_annotate_options annotate;
	struct capture_options captures;
	struct source_options source;
};

#define MEMBER(name) offsetof(struct annotate_options, name)

static const struct value_range line_counts = {"a number of lines", 0, UINT32_MAX};

static const struct command_option annotate_options[] = {
        {'\0', "function", "NAME", "only the code of this function, also where it was inlined",
         .take = option_take_text, .member = MEMBER(annotate.function)},
        {'\0', "file", "NAME", "only the lines of this file; its folders are optional", .take = option_take_text,
         .member = MEMBER(annotate.file)},
        {'\0', "top", "N", "number of hottest lines to list (default 10)", .take = option_take_number,
         .member = MEMBER(annotate.report.top), .detail = &line_counts},
        {'a', "all", NULL, "also print lines in places with less than 1 % of the time", .take = option_take_switch,
         .member = MEMBER(annotate.all)},
        {'\0', "disassemble", NULL, "also print the instructions of each function, with their times",
         .take = option_take_switch, .member = MEMBER(annotate.disassemble)},
        {0},
};

static enum status parse_annotate_options(int argc, char **argv, struct annotate_options *options, struct error *error)
{
	struct output_report_options *report = &options->annotate.report;

	*report = (struct output_report_options){
	        .colour = option_default_colour(),
	        .hints = hints,
	        .lines = true,
	        .top = TOP_DEFAULT,
	};
	enum status status = source_options_begin(&options->source, argc, error);
	if (status == STATUS_OK)
		status = command_parse_options(&command_annotate, argc, argv, options, error);
	if (status != STATUS_OK)
		return status;
	report->paths = options->source.paths;
	report->objdump = options->source.objdump;
	report->context = options->captures.context;
	report->core = options->captures.core;
	if (report->objdump != NULL && !options->annotate.disassemble)
		return command_usage(&command_annotate, error, "--objdump has no effect without --disassemble");
	if (argc - optind < 2)
		return command_usage(&command_annotate, error, "expected a firmware and at least one capture");
	return STATUS_OK;
}

static enum status annotate_sources(int argc, char **argv, const struct annotate_options *options, struct error *error)
{
	struct opened_profile opened = {0};
	enum status status = command_open_profile(argv[optind], argv + optind + 1, (size_t)(argc - optind - 1),
	                                          &options->captures, &opened, error);

	if (status == STATUS_OK)
		status = analysis_find_lines(opened.profile, error);
	if (status == STATUS_OK)
		status = analysis_find_line_totals(opened.profile, error);
	if (status == STATUS_OK && options->annotate.disassemble)
		status = analysis_find_sampled_ranges(opened.profile, error);
	if (status == STATUS_OK)
		status = output_annotate(opened.profile, &options->annotate, stdout, error);
	command_close_profile(&opened);
	return status;
}

static enum status run_annotate(int argc, char **argv, struct error *error)
{
	struct annotate_options options = {0};
	enum status status = parse_annotate_options(argc, argv, &options, error);

	if (status == STATUS_OK)
		status = annotate_sources(argc, argv, &options, error);
	source_options_end(&options.source);
	return status;
}

const struct command command_annotate = {
        .name = "annotate",
        .synopsis = "[OPTION]... FW.elf RUN...",
        .summary = "print the source with times and calls, line by line",
        .help = "FW.elf is the firmware that ran, compiled with -g. RUN is a capture or a gmon.out; several\n"
                "are added up. A line shows the time of its own code. The time of an inlined function counts\n"
                "at that function's lines and again, as inlined, at the line of the call. With captured stacks, a\n"
                "line also shows the time while its code, or a call by it, was on the stack.\n\n",
        .options = (const struct option_table[]){{annotate_options, 0},
                                                 {source_options, MEMBER(source)},
                                                 {selection_options, MEMBER(captures)},
                                                 {file_format_options, MEMBER(captures)},
                                                 {colour_options, MEMBER(annotate.report.colour)},
                                                 {0}},
        .example = "bareprof annotate --file=crc.c fw.elf run.bprof\n",
        .run = run_annotate,
};
