/* SPDX-License-Identifier: MIT */
/* bareprof report: the flat profile and the call graph on the terminal. */
#include "command/captures.h"
#include "command/command.h"
#include "output/output.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct output_report_options report;
	bool force;
};

/* https://no-color.org: any value but the empty one. */
static bool wants_colour(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
	       (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static enum status parse_colour(const char *when, struct options *options, struct error *error)
{
	if (strcmp(when, "always") == 0)
		options->report.colour = true;
	else if (strcmp(when, "never") == 0)
		options->report.colour = false;
	else if (strcmp(when, "auto") != 0)
		return command_usage(&command_report, error, "--color=%s: expected auto, always or never", when);
	return STATUS_OK;
}

static const struct option long_options[] = {
        {"color", required_argument, NULL, 'c'},
        {"flat", no_argument, NULL, 'p'},
        {"force", no_argument, NULL, 'f'},
        {"graph", no_argument, NULL, 'q'},
        {NULL, 0, NULL, 0},
};

static enum status parse_option(int option, char **argv, struct options *options, struct error *error)
{
	switch (option) {
	case 'c':
		return parse_colour(optarg, options, error);
	case 'f':
		options->force = true;
		return STATUS_OK;
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

static enum status parse_options(int argc, char **argv, struct options *options, struct error *error)
{
	options->report.colour = wants_colour();
	for (int option; (option = getopt_long(argc, argv, ":pqf", long_options, NULL)) != -1;) {
		enum status status = parse_option(option, argv, options, error);
		if (status != STATUS_OK)
			return status;
	}
	if (!options->report.flat && !options->report.graph)
		options->report.flat = options->report.graph = true;
	if (argc - optind < 2)
		return command_usage(&command_report, error, "a firmware and at least one capture are needed");
	return STATUS_OK;
}

static enum status run_report(int argc, char **argv, struct error *error)
{
	struct options options = {0};
	struct opened_profile opened = {0};
	enum status status = parse_options(argc, argv, &options, error);
	if (status != STATUS_OK)
		return status;
	status = command_open_profile(argv[optind], argv + optind + 1, (size_t)(argc - optind - 1), options.force,
	                              &opened, error);
	if (status == STATUS_OK)
		status = output_report(opened.profile, &options.report, stdout, error);
	command_close_profile(&opened);
	return status;
}

const struct command command_report = {
        .name = "report",
        .synopsis = "[OPTION]... FW.elf RUN.bprof...",
        .summary = "print the flat profile and the call graph",
        .help = "FW.elf is the firmware that ran; several captures of it are added up.\n\n"
                "  -p, --flat           the flat profile only\n"
                "  -q, --graph          the call graph only\n"
                "  -f, --force          take captures of another build, too\n"
                "      --color=WHEN     auto (default), always or never; NO_COLOR is obeyed\n\n"
                "Example: bareprof report build/firmware/mps2-an385/demo.elf run.bprof\n",
        .run = run_report,
};
