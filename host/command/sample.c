/* SPDX-License-Identifier: MIT */
/* `bareprof sample`: its options and its summary. The work is done in acquire/sample/. */
#include "acquire/sample/sample.h"

#include "acquire/pull/identity.h"
#include "base/clock.h"
#include "base/text/text.h"
#include "command/command.h"
#include "command/progress.h"
#include "command/target_options.h"
#include "command/values.h"

#include <math.h>
#include <stdio.h>

struct sample_command_line {
	struct sample_options sample;
	struct target_options target;
};

/* Reads per second by default. A halt takes some milliseconds. */
#define RATE         10000u
#define RATE_HALTING 100u

static const struct value_seconds times = {false, 86400};
static const struct value_range rates = {"reads per second", 1, 1000000};

/* Whole words of 64 bits. */
static enum status take_stacks(const struct given_option *given, struct error *error)
{
	uint32_t *bytes = option_member(given);

	*bytes = STACKS_BYTES_DEFAULT;
	if (given->value != NULL &&
	    (!value_parse_number(given->value, STACKS_BYTES_MAX, bytes) || *bytes == 0 || *bytes % 8 != 0))
		return option_refuse(given, given->value, "a multiple of 8 up to 32768", error);
	return STATUS_OK;
}

#define MEMBER(name) offsetof(struct sample_command_line, name)
static const struct command_option own_options[] = {
        {'e', "elf", "FW.elf", "the firmware in the target", .take = option_take_text,
         .member = MEMBER(sample.pull.elf_path)},
        {'o', "output", "FILE", "the capture to write; - is standard output", .take = option_take_text,
         .member = MEMBER(sample.pull.output_path)},
        {'\0', "seconds", "N", "time to sample (default 10); Ctrl-C ends it early", .take = option_take_seconds,
         .member = MEMBER(sample.milliseconds), .detail = &times},
        {'\0', "rate", "HZ",
         "reads of the program counter per second, as far as the probe can\n(default 10000, with --halt 100)",
         .take = option_take_frequency, .member = MEMBER(sample.rate), .detail = &rates},
        {'\0', "halt", NULL, "halt the core for each read: RISC-V needs it", .take = option_take_switch,
         .member = MEMBER(sample.halt)},
        {'\0', "stacks", "[BYTES]",
         "with --halt: also copy BYTES of the stack (default 512), for total\ntimes of functions and their callers",
         .take = take_stacks, .member = MEMBER(sample.stack_bytes)},
        {'f', "force", NULL, "accept another build than FW.elf", .take = option_take_switch,
         .member = MEMBER(sample.pull.force)},
        {.help = "\nFor a debug probe:"},
};

static enum status parse_sample_options(int argc, char **argv, struct sample_command_line *line, struct error *error)
{
	struct sample_options *sample = &line->sample;

	enum status status = command_parse_options(&command_sample, argc, argv, line, error);
	if (status == STATUS_OK)
		status = target_options_source(&command_sample, argc, argv, false, &line->target, error);
	sample->pull.source = &line->target.source;
	if (sample->rate == 0)
		sample->rate = sample->halt ? RATE_HALTING : RATE;
	if (status == STATUS_OK && sample->pull.elf_path == NULL)
		status = command_usage(&command_sample, error, "missing -e FW.elf");
	if (status == STATUS_OK && sample->stack_bytes > 0 && !sample->halt)
		status = command_usage(&command_sample, error,
		                       "--stacks halts the core while each stack is copied: give --halt, too");
	if (status == STATUS_OK)
		status = command_check_capture(&command_sample, sample->pull.output_path, error);
	if (status == STATUS_OK && sample->pull.source->backend->read_register == NULL)
		status = status_usage(error,
		                      "sample: %s: needs a debug probe, by which the core can be seen while it runs; "
		                      "bareprof pull takes what the firmware recorded",
		                      sample->pull.source->text);
	return status;
}

/* Prints the errors of shares; as in a report, the error of a count is its square root. */
static void print_precision(const struct sample_summary *summary)
{
	char samples[TEXT_COUNT_SIZE];

	if (summary->samples == 0)
		fprintf(stderr,
		        "too few batches to estimate the number of independent samples: sample for longer, with "
		        "--seconds\n");
	else
		fprintf(stderr,
		        "they are worth %s independent samples: the error of the largest share of the time is %.2f %%, "
		        "of others less\n",
		        text_format_count(summary->samples, samples),
		        100 * sqrt(summary->largest_share / (double)summary->samples));
}

/* Prints no shares if the core was always asleep. */
static void print_shares(const struct sample_summary *summary)
{
	fprintf(stderr, "the core was asleep or unavailable in %.1f %% of them\n",
	        100 * (double)summary->unavailable / (double)summary->reads);
	if (summary->unavailable < summary->reads)
		print_precision(summary);
	else
		fprintf(stderr,
		        "note: it was never seen running: does it sleep, is it halted by a debugger, or does it run "
		        "code that a debugger may not see?\n");
}

static void print_pace(const struct sample_options *options, const struct sample_summary *summary)
{
	char reads[TEXT_COUNT_SIZE], rate[TEXT_COUNT_SIZE];

	if (summary->end.is_behind)
		fprintf(stderr, "note: %s reads/s: the probe cannot keep up with a rate of %s\n",
		        text_format_count((uint64_t)((double)summary->reads / summary->seconds), reads),
		        text_format_count(options->rate, rate));
}

static void print_dead_time(const struct sample_summary *summary)
{
	if (summary->end.halted > 0)
		fprintf(stderr, "the core was halted for at most %.1f %% of the time, and at most %.2f ms at once\n",
		        (double)summary->end.halted / 1e7 / summary->seconds, (double)summary->end.longest_halt / 1e6);
}

static void print_kept_stacks(const struct sample_options *options, const struct sample_summary *summary)
{
	char stacks[TEXT_COUNT_SIZE];

	if (options->stack_bytes > 0)
		fprintf(stderr, "kept %s stacks of up to %u bytes\n", text_format_count(summary->stacks, stacks),
		        options->stack_bytes);
}

static void print_sample_summary(const struct sample_options *options, const struct sample_summary *summary)
{
	char reads[TEXT_COUNT_SIZE], batches[TEXT_COUNT_SIZE];

	fprintf(stderr, "sampled ");
	text_print(stderr, options->pull.source->text);
	fprintf(stderr, " for %.1f s: %s reads in %s batches%s\n", summary->seconds,
	        text_format_count(summary->reads, reads), text_format_count(summary->batches, batches),
	        identity_remark(summary->identity));
	print_shares(summary);
	print_kept_stacks(options, summary);
	print_dead_time(summary);
	print_pace(options, summary);
	if (summary->end.is_cut_short)
		fprintf(stderr, "note: interrupted; the samples until then are kept\n");
}

static void sample_on_progress(void *context, uint64_t left, uint64_t reads)
{
	progress_sample(context, left / 1000000, reads, clock_now());
}

static void sample_on_note(void *context, const char *text)
{
	progress_print(context, "note: ", text);
}

static void sample_on_trace(void *context, const char *line)
{
	progress_print(context, "", line);
}

static enum status run_sample(int argc, char **argv, struct error *error)
{
	struct sample_command_line line = {.sample = {.milliseconds = 10000}, .target = TARGET_OPTIONS_PLAIN};
	struct sample_summary summary = {0};
	struct progress progress = progress_begin();
	struct target_observer observer = {.context = &progress, .note = sample_on_note};

	enum status status = parse_sample_options(argc, argv, &line, error);
	if (status != STATUS_OK)
		return status;
	if (line.target.is_verbose)
		observer.trace = sample_on_trace;
	line.target.setup.observer = &observer;
	line.sample.pull.setup = &line.target.setup;
	line.sample.progress = sample_on_progress;
	line.sample.context = &progress;
	status = sample_run(&line.sample, &summary, error);
	progress_hide(&progress);
	if (status == STATUS_OK)
		print_sample_summary(&line.sample, &summary);
	return status;
}

static void print_sample_sources(void)
{
	puts("SOURCE is one of");
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->backend != NULL && kind->backend->read_register != NULL)
			target_print_source(kind->syntax);
	putchar('\n');
}

static void list_sample_sources(command_word_found found, void *context)
{
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->backend != NULL && kind->backend->read_register != NULL)
			target_list_source(kind->syntax, found, context);
}

const struct command command_sample = {
        .name = "sample",
        .synopsis = "SOURCE -e FW.elf -o RUN.bprof [OPTION]...",
        .summary = "sample a core through a debug probe, with no firmware support",
        .print_arguments = print_sample_sources,
        .list_words = list_sample_sources,
        .help = "",
        .options = (const struct option_table[]){{own_options, 0}, {probe_options, MEMBER(target)}, {0}},
        .option_columns = 24,
        .example = "bareprof sample openocd:localhost:6666 -e fw.elf -o run.bprof --seconds 30\n",
        .run = run_sample,
};
