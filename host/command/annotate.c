/* SPDX-License-Identifier: MIT */
/* bareprof annotate: the firmware's source with times and calls. */
#include "command/captures.h"
#include "command/colour.h"
#include "command/command.h"
#include "command/hints.h"
#include "profile/analysis/analysis.h"
#include "report/output.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT 10

enum { OPTION_FILE = 256, OPTION_FUNCTION, OPTION_TOP, OPTION_PREFIX, OPTION_DIRECTORY };

struct options {
	struct output_annotate_options annotate;
	struct capture_options captures;
	/* One entry for each word of the command line. */
	struct output_source_prefix *prefixes;
	const char **folders;
};

static const struct option long_options[] = {
        {"color", required_argument, NULL, 'c'},
        {"directory", required_argument, NULL, OPTION_DIRECTORY},
        {"file", required_argument, NULL, OPTION_FILE},
        {"function", required_argument, NULL, OPTION_FUNCTION},
        {"source-prefix", required_argument, NULL, OPTION_PREFIX},
        {"top", required_argument, NULL, OPTION_TOP},
        CAPTURE_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
};

static enum status parse_prefix(const char *text, struct options *options, struct error *error)
{
	const char *equals = strchr(text, '=');
	if (equals == NULL || equals == text)
		return command_usage(&command_annotate, error, "--source-prefix=%.80s: expected OLD=NEW", text);
	options->prefixes[options->annotate.paths.prefix_count++] =
	        (struct output_source_prefix){.old = text, .old_length = (size_t)(equals - text), .new = equals + 1};
	return STATUS_OK;
}

static enum status parse_top(const char *text, struct options *options, struct error *error)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0')
		return command_usage(&command_annotate, error, "--top=%.40s: expected a number of lines", text);
	options->annotate.top = value;
	return STATUS_OK;
}

static enum status parse_option(int option, char **argv, struct options *options, struct error *error)
{
	bool is_taken;
	enum status status =
	        command_take_capture_option(&command_annotate, option, &options->captures, &is_taken, error);
	if (is_taken)
		return status;
	switch (option) {
	case 'c':
		return command_parse_colour(&command_annotate, optarg, &options->annotate.colour, error);
	case OPTION_FILE:
		options->annotate.file = optarg;
		return STATUS_OK;
	case OPTION_FUNCTION:
		options->annotate.function = optarg;
		return STATUS_OK;
	case OPTION_DIRECTORY:
		options->folders[options->annotate.paths.folder_count++] = optarg;
		return STATUS_OK;
	case OPTION_PREFIX:
		return parse_prefix(optarg, options, error);
	case OPTION_TOP:
		return parse_top(optarg, options, error);
	default:
		return command_bad_option(&command_annotate, option, long_options, argv, error);
	}
}

static enum status parse_options(int argc, char **argv, struct options *options, struct error *error)
{
	options->annotate.colour = command_wants_colour();
	options->annotate.hints = hints;
	options->annotate.top = TOP_DEFAULT;
	options->prefixes = calloc((size_t)argc + 1, sizeof *options->prefixes);
	options->folders = calloc((size_t)argc + 1, sizeof *options->folders);
	if (options->prefixes == NULL || options->folders == NULL)
		return status_fail(error, "out of memory for %d words", argc);
	for (int option; (option = getopt_long(argc, argv, ":f", long_options, NULL)) != -1;) {
		enum status status = parse_option(option, argv, options, error);
		if (status != STATUS_OK)
			return status;
	}
	options->annotate.paths.prefixes = options->prefixes;
	options->annotate.paths.folders = options->folders;
	options->annotate.context = options->captures.context;
	options->annotate.core = options->captures.core;
	if (argc - optind < 2)
		return command_usage(&command_annotate, error, "expected a firmware and at least one capture");
	return STATUS_OK;
}

static enum status annotate(int argc, char **argv, const struct options *options, struct error *error)
{
	struct opened_profile opened = {0};
	enum status status = command_open_profile(argv[optind], argv + optind + 1, (size_t)(argc - optind - 1),
	                                          &options->captures, &opened, error);
	if (status == STATUS_OK)
		status = analysis_find_lines(opened.profile, error);
	if (status == STATUS_OK)
		status = output_annotate(opened.profile, &options->annotate, stdout, error);
	command_close_profile(&opened);
	return status;
}

static enum status run_annotate(int argc, char **argv, struct error *error)
{
	struct options options = {0};
	enum status status = parse_options(argc, argv, &options, error);
	if (status == STATUS_OK)
		status = annotate(argc, argv, &options, error);
	free(options.prefixes);
	free(options.folders);
	return status;
}

const struct command command_annotate = {
        .name = "annotate",
        .synopsis = "[OPTION]... FW.elf RUN...",
        .summary = "print the source with times and calls, line by line",
        .help = "FW.elf is the firmware that ran, compiled with -g. RUN is a capture or a gmon.out; several\n"
                "are added up. A line shows the time of its own code. The time of an inlined function counts\n"
                "at that function's lines and again, as inlined, at the line of the call.\n\n"
                "      --function=NAME  only the code of this function, also where it was inlined\n"
                "      --file=NAME      only the lines of this file; its folders are optional\n"
                "      --top=N          number of hottest lines to list (default 10)\n"
                "      --source-prefix=OLD=NEW\n"
                "                       replace OLD at the beginning of source names by NEW; of several\n"
                "                       options, the first that matches is used\n"
                "      --directory=DIR  also look for sources in DIR; may be repeated\n" CAPTURE_HELP COLOUR_HELP
                "\nExample: bareprof annotate --file=crc.c build/firmware/mps2-an385/demo.elf run.bprof\n",
        .run = run_annotate,
};
