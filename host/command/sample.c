/* SPDX-License-Identifier: MIT */
/* `bareprof sample`: its options, and the lines that say what was taken. The work is done in sample/. */
#include "sample/sample.h"

#include "command/command.h"
#include "pull/identity.h"
#include "text/text.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SECONDS_MAX 86400.0
#define RATE_MAX    1000000u

enum { OPTION_SECONDS = 256, OPTION_RATE };

static const struct option long_options[] = {
        {"elf", required_argument, NULL, 'e'},
        {"output", required_argument, NULL, 'o'},
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        {"rate", required_argument, NULL, OPTION_RATE},
        {"force", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0},
};

static enum status parse_seconds(const char *text, struct sample_options *options, struct error *error)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds > 0) || seconds > SECONDS_MAX)
		return command_usage(&command_sample, error,
		                     "--seconds %.40s: expected seconds, more than 0 and at most %.0f", text,
		                     SECONDS_MAX);
	options->milliseconds = (unsigned)ceil(seconds * 1000);
	return STATUS_OK;
}

static enum status parse_rate(const char *text, struct sample_options *options, struct error *error)
{
	char *end;
	unsigned long rate = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || rate == 0 || rate > RATE_MAX)
		return command_usage(&command_sample, error, "--rate %.40s: expected reads per second, from 1 to %u",
		                     text, RATE_MAX);
	options->rate = (unsigned)rate;
	return STATUS_OK;
}

static enum status take_option(int option, char **argv, struct sample_options *options, struct error *error)
{
	switch (option) {
	case 'e':
		options->elf_path = optarg;
		return STATUS_OK;
	case 'o':
		options->output_path = optarg;
		return STATUS_OK;
	case OPTION_SECONDS:
		return parse_seconds(optarg, options, error);
	case OPTION_RATE:
		return parse_rate(optarg, options, error);
	case 'f':
		options->force = true;
		return STATUS_OK;
	default:
		return command_bad_option(&command_sample, option, long_options, argv, error);
	}
}

static enum status parse(int argc, char **argv, struct sample_options *options, struct error *error)
{
	int option;

	optind = 0; /* starts afresh, whoever used getopt before */
	while ((option = getopt_long(argc, argv, ":e:o:f", long_options, NULL)) != -1) {
		enum status status = take_option(option, argv, options, error);
		if (status)
			return status;
	}
	if (argc - optind != 1)
		return command_usage(&command_sample, error, "expected one SOURCE, got %d", argc - optind);
	if (!options->elf_path)
		return command_usage(&command_sample, error, "what runs there? -e FW.elf is missing");
	if (!options->output_path)
		return command_usage(&command_sample, error, "where to? -o RUN.bprof is missing");
	options->source = argv[optind];
	return command_check_binary_output(&command_sample, options->output_path, "a capture", error);
}

/* A share of p has the error sqrt(p (1 - p) / samples), which is largest at one half. */
static void print_worth(const struct sample_summary *summary)
{
	char samples[TEXT_COUNT_SIZE];

	fprintf(stderr,
	        "they are worth %s independent samples: shares of the time are right within %.1f %% or better\n",
	        text_format_count(summary->samples, samples), 50 / sqrt((double)summary->samples));
}

static void print_unavailable(const struct sample_summary *summary)
{
	double percent = 100 * (double)summary->unavailable / (double)summary->reads;

	fprintf(stderr, "the core was asleep or unavailable in %.1f %% of them\n", percent);
	if (summary->unavailable == summary->reads)
		fprintf(stderr,
		        "note: it was never seen at work: does it sleep, is it halted by a debugger, or does it run "
		        "code that a debugger may not see?\n");
}

static void print_summary(const struct sample_options *options, const struct sample_summary *summary)
{
	char reads[TEXT_COUNT_SIZE], batches[TEXT_COUNT_SIZE];

	fprintf(stderr, "sampled ");
	text_print(stderr, options->source);
	fprintf(stderr, " for %.1f s: %s reads in %s batches%s\n", summary->seconds,
	        text_format_count(summary->reads, reads), text_format_count(summary->batches, batches),
	        identity_remark(summary->identity));
	print_unavailable(summary);
	print_worth(summary);
	if (summary->is_cut_short)
		fprintf(stderr, "note: it was interrupted; what came until then is kept\n");
}

static void hear_note(void *context, const char *text)
{
	(void)context;
	fputs("note: ", stderr);
	text_print(stderr, text);
	fputc('\n', stderr);
}

static enum status run(int argc, char **argv, struct error *error)
{
	struct sample_options options = {.milliseconds = 10000, .rate = 10000};
	struct sample_summary summary = {0};
	const struct client_observer observer = {.note = hear_note};
	struct access_setup setup = ACCESS_SETUP_PLAIN;

	setup.observer = &observer;
	options.setup = &setup;
	enum status status = parse(argc, argv, &options, error);
	if (!status)
		status = sample_run(&options, &summary, error);
	if (!status)
		print_summary(&options, &summary);
	return status;
}

static void print_sources(void)
{
	puts("SOURCE is one of");
	for (size_t i = 0; access_table[i]; i++)
		if (access_table[i]->scheme && access_table[i]->read_repeatedly)
			printf("  %s%s\n          %s\n", access_table[i]->scheme, access_table[i]->synopsis,
			       access_table[i]->summary);
	putchar('\n');
}

const struct command command_sample = {
        .name = "sample",
        .synopsis = "SOURCE -e FW.elf -o RUN.bprof [OPTION]...",
        .summary = "sample a Cortex-M through a debug probe, with no firmware support",
        .print_arguments = print_sources,
        .help = "  -e, --elf=FW.elf      the firmware in the target\n"
                "  -o, --output=FILE     where the capture goes; - is standard output\n"
                "      --seconds=N       for so long; 10 if not said. Ctrl-C ends it early\n"
                "      --rate=HZ         so many reads of the program counter per second, as far as the\n"
                "                        probe can; 10000 if not said\n"
                "  -f, --force           sample another build than FW.elf\n"
                "\n"
                "Example: bareprof sample openocd:localhost:6666 -e fw.elf -o run.bprof --seconds 30\n",
        .run = run,
};
