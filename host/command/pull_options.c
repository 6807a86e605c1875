/* SPDX-License-Identifier: MIT */
/* See pull_options.h. */
#include "command/pull_options.h"

#include "command/command.h"
#include "command/values.h"

#include <getopt.h>
#include <string.h>

#define WAIT_SECONDS_MAX 1000000.0

static const struct value_range counts = {"a number", 1, UINT32_MAX};

enum {
	OPTION_START = 256,
	OPTION_STOP,
	OPTION_RESET,
	OPTION_WAIT,
	OPTION_ARM,
	OPTION_TICKS,
	OPTION_CONSOLE,
	OPTION_WATCH,
	OPTION_COUNT,
	OPTION_HALT
};

static const struct option long_options[] = {
        {"elf", required_argument, NULL, 'e'},
        {"output", required_argument, NULL, 'o'},
        {"start", no_argument, NULL, OPTION_START},
        {"stop", no_argument, NULL, OPTION_STOP},
        {"reset", no_argument, NULL, OPTION_RESET},
        {"wait", required_argument, NULL, OPTION_WAIT},
        {"arm", required_argument, NULL, OPTION_ARM},
        {"ticks", required_argument, NULL, OPTION_TICKS},
        {"console", no_argument, NULL, OPTION_CONSOLE},
        {"watch", required_argument, NULL, OPTION_WATCH},
        {"count", required_argument, NULL, OPTION_COUNT},
        {"halt", no_argument, NULL, OPTION_HALT},
        TARGET_OPTION_ROWS,
        {"force", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0},
};

static enum status take_seconds(const struct pull_command_line *line, const char *name, bool from_zero,
                                unsigned *milliseconds, struct error *error)
{
	return value_seconds(line->command, name, optarg, from_zero, WAIT_SECONDS_MAX, milliseconds, error);
}

static enum status take_option(int option, char **argv, struct pull_command_line *line, struct error *error)
{
	struct pull_options *options = &line->watch.pull;

	switch (option) {
	case 'e':
		options->elf_path = optarg;
		return STATUS_OK;
	case 'o':
		options->output_path = optarg;
		return STATUS_OK;
	case OPTION_START:
		options->start = true;
		return STATUS_OK;
	case OPTION_STOP:
		options->stop = true;
		return STATUS_OK;
	case OPTION_RESET:
		options->reset = true;
		return STATUS_OK;
	case OPTION_WAIT:
		return take_seconds(line, "--wait", true, &options->wait_milliseconds, error);
	case OPTION_ARM:
		options->arm = optarg;
		return STATUS_OK;
	case OPTION_TICKS:
		return value_number(line->command, "--ticks", optarg, &counts, &options->ticks, error);
	case OPTION_CONSOLE:
		line->wants_console = true;
		return STATUS_OK;
	case OPTION_WATCH:
		line->is_watching = true;
		return take_seconds(line, "--watch", false, &line->watch.milliseconds, error);
	case OPTION_COUNT:
		return value_number(line->command, "--count", optarg, &counts, &line->watch.count, error);
	case OPTION_HALT:
		line->target.setup.halt = true;
		return STATUS_OK;
	case 'f':
		options->force = true;
		return STATUS_OK;
	default:
		return target_options_take(line->command, option, long_options, argv, &line->target, error);
	}
}

/* Checks options that require or exclude one another. */
static enum status check_together(const struct pull_command_line *line, struct error *error)
{
	const struct pull_options *options = &line->watch.pull;

	if (options->arm != NULL && options->start)
		return command_usage(line->command, error, "--start or --arm, not both");
	if (options->ticks != 0 && options->arm == NULL)
		return command_usage(line->command, error, "--ticks goes with --arm");
	if (line->watch.count != 0 && !line->is_watching)
		return command_usage(line->command, error, "--count goes with --watch");
	if (line->is_watching && options->stop)
		return command_usage(line->command, error, "--watch or --stop, not both: it is a profile that runs");
	if (line->is_watching && strcmp(options->output_path, "-") == 0)
		return command_usage(line->command, error, "--watch writes several files: -o RUN.bprof");
	return STATUS_OK;
}

/* Checks that the source supports the options. */
static enum status check_source(const struct pull_command_line *line, struct error *error)
{
	const struct pull_options *options = &line->watch.pull;
	const struct target_ops *backend = options->source->backend;
	const char *name = options->source->text;
	bool wants_control = options->start || options->stop || options->reset || options->arm != NULL;

	if (line->is_watching && !backend->is_live)
		return status_usage(error, "pull: %s: --watch needs a live target", name);
	if (backend->extent == NULL && options->elf_path == NULL)
		return status_usage(error, "pull: %s: needs the firmware: -e FW.elf", name);
	if (backend->write == NULL && backend->is_live && wants_control)
		return status_usage(error,
		                    "pull: %s: such a source can be read only; --reset, --start, --arm and --stop need "
		                    "another, such as gdb:",
		                    name);
	if (backend->write == NULL && wants_control)
		return status_usage(error, "pull: %s: --reset, --start, --arm and --stop need a live target", name);
	if (!backend->is_live && options->wait_milliseconds > 0)
		return status_usage(error, "pull: %s: --wait needs a live target", name);
	return STATUS_OK;
}

enum status pull_parse(int argc, char **argv, struct pull_command_line *line, struct error *error)
{
	struct pull_options *options = &line->watch.pull;
	int option;

	optind = 0; /* resets getopt */
	while ((option = getopt_long(argc, argv, ":e:o:f", long_options, NULL)) != -1) {
		enum status status = take_option(option, argv, line, error);
		if (status != STATUS_OK)
			return status;
	}
	enum status status =
	        target_options_source(line->command, argc, argv, line->wants_console, &line->target, error);
	if (status == STATUS_OK)
		status = command_check_capture(line->command, options->output_path, error);
	if (status != STATUS_OK)
		return status;
	if (options->arm != NULL && options->arm[0] == '\0')
		return command_usage(line->command, error, "--arm= needs the name of a function");
	status = check_together(line, error);
	options->source = &line->target.source;
	return status != STATUS_OK ? status : check_source(line, error);
}
