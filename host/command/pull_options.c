/* SPDX-License-Identifier: MIT */
/* See pull_options.h. */
#include "command/pull_options.h"

#include "command/command.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_SECONDS_MAX 1000000.0

enum {
	OPTION_START = 256,
	OPTION_STOP,
	OPTION_RESET,
	OPTION_WAIT,
	OPTION_ARM,
	OPTION_TICKS,
	OPTION_CONSOLE,
	OPTION_WATCH,
	OPTION_COUNT
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
        {"force", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0},
};

/* value is of the option with this name. */
static enum status parse_seconds(const char *name, const char *value, unsigned *milliseconds, struct error *error)
{
	char *end;
	double seconds = strtod(value, &end);

	if (end == value || *end || !(seconds >= 0) || seconds > WAIT_SECONDS_MAX)
		return command_usage(&command_pull, error, "%s %.40s: expected seconds, from 0 to %.0f", name, value,
		                     WAIT_SECONDS_MAX);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	return STATUS_OK;
}

static enum status parse_number(const char *name, const char *value, uint32_t *number, struct error *error)
{
	char *end;

	errno = 0;
	unsigned long long parsed = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || parsed == 0 || parsed > UINT32_MAX)
		return command_usage(&command_pull, error, "%s %.40s: expected a number, from 1 to %" PRIu32, name,
		                     value, UINT32_MAX);
	*number = (uint32_t)parsed;
	return STATUS_OK;
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
		return parse_seconds("--wait", optarg, &options->wait_milliseconds, error);
	case OPTION_ARM:
		options->arm = optarg;
		return STATUS_OK;
	case OPTION_TICKS:
		return parse_number("--ticks", optarg, &options->ticks, error);
	case OPTION_CONSOLE:
		line->wants_console = true;
		return STATUS_OK;
	case OPTION_WATCH:
		line->is_watching = true;
		return parse_seconds("--watch", optarg, &line->watch.milliseconds, error);
	case OPTION_COUNT:
		return parse_number("--count", optarg, &line->watch.count, error);
	case 'f':
		options->force = true;
		return STATUS_OK;
	default:
		return command_bad_option(&command_pull, option, long_options, argv, error);
	}
}

/* Options that go with one another only, or not at all. */
static enum status check_together(const struct pull_command_line *line, struct error *error)
{
	const struct pull_options *options = &line->watch.pull;

	if (options->arm && options->start)
		return command_usage(&command_pull, error, "--start or --arm, not both");
	if (options->ticks != 0 && !options->arm)
		return command_usage(&command_pull, error, "--ticks goes with --arm");
	if (line->watch.count != 0 && !line->is_watching)
		return command_usage(&command_pull, error, "--count goes with --watch");
	if (line->is_watching && options->stop)
		return command_usage(&command_pull, error, "--watch or --stop, not both: it is a profile that runs");
	if (line->is_watching && strcmp(options->output_path, "-") == 0)
		return command_usage(&command_pull, error, "--watch writes several files: -o RUN.bprof");
	return STATUS_OK;
}

enum status pull_parse(int argc, char **argv, struct pull_command_line *line, struct error *error)
{
	struct pull_options *options = &line->watch.pull;
	int option;

	optind = 0; /* starts afresh, whoever used getopt before */
	while ((option = getopt_long(argc, argv, ":e:o:f", long_options, NULL)) != -1) {
		enum status status = take_option(option, argv, line, error);
		if (status)
			return status;
	}
	if (argc - optind != 1)
		return command_usage(&command_pull, error, "expected one SOURCE, got %d", argc - optind);
	if (!options->output_path)
		return command_usage(&command_pull, error, "where to? -o RUN.bprof is missing");
	if (options->arm && options->arm[0] == '\0')
		return command_usage(&command_pull, error, "--arm= needs the name of a function");
	options->source = argv[optind];
	enum status status = check_together(line, error);
	return status ? status : command_check_binary_output(&command_pull, options->output_path, "a capture", error);
}
