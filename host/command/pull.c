/* SPDX-License-Identifier: MIT */
/* `bareprof pull`: its options, and the lines that say what was taken. The work is done in pull/. */
#include "pull/pull.h"

#include "channel/channel.h"
#include "command/command.h"
#include "command/outlet.h"
#include "command/progress.h"
#include "command/traffic.h"
#include "text/console.h"
#include "text/text.h"
#include "wait/clock.h"

#include <bareprof/block.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long what a live target printed may wait for its reader when the pull is over. */
#define PRINT_MILLISECONDS 1000

#define WAIT_SECONDS_MAX 1000000.0

enum { OPTION_START = 256, OPTION_STOP, OPTION_RESET, OPTION_WAIT, OPTION_ARM, OPTION_TICKS, OPTION_CONSOLE };

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
        {"force", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0},
};

static enum status parse_wait(const char *text, struct pull_options *options, struct error *error)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0) || seconds > WAIT_SECONDS_MAX)
		return command_usage(&command_pull, error, "--wait %.40s: expected seconds, from 0 to %.0f", text,
		                     WAIT_SECONDS_MAX);
	options->wait_milliseconds = (unsigned)(seconds * 1000 + 0.5);
	return STATUS_OK;
}

static enum status parse_ticks(const char *text, struct pull_options *options, struct error *error)
{
	char *end;

	errno = 0;
	unsigned long long ticks = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || ticks == 0 || ticks > UINT32_MAX)
		return command_usage(&command_pull, error, "--ticks %.40s: expected a number, from 1 to %" PRIu32, text,
		                     UINT32_MAX);
	options->ticks = (uint32_t)ticks;
	return STATUS_OK;
}

static enum status take_option(int option, char **argv, struct pull_options *options, bool *wants_console,
                               struct error *error)
{
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
		return parse_wait(optarg, options, error);
	case OPTION_ARM:
		options->arm = optarg;
		return STATUS_OK;
	case OPTION_TICKS:
		return parse_ticks(optarg, options, error);
	case OPTION_CONSOLE:
		*wants_console = true;
		return STATUS_OK;
	case 'f':
		options->force = true;
		return STATUS_OK;
	default:
		return command_bad_option(&command_pull, option, long_options, argv, error);
	}
}

static enum status parse(int argc, char **argv, struct pull_options *options, bool *wants_console, struct error *error)
{
	int option;

	optind = 0; /* starts afresh, whoever used getopt before */
	while ((option = getopt_long(argc, argv, ":e:o:f", long_options, NULL)) != -1) {
		enum status status = take_option(option, argv, options, wants_console, error);
		if (status)
			return status;
	}
	if (argc - optind != 1)
		return command_usage(&command_pull, error, "expected one SOURCE, got %d", argc - optind);
	if (!options->output_path)
		return command_usage(&command_pull, error, "where to? -o RUN.bprof is missing");
	if (options->arm && options->start)
		return command_usage(&command_pull, error, "--start or --arm, not both");
	if (options->arm && options->arm[0] == '\0')
		return command_usage(&command_pull, error, "--arm= needs the name of a function");
	if (options->ticks != 0 && !options->arm)
		return command_usage(&command_pull, error, "--ticks goes with --arm");
	options->source = argv[optind];
	return command_check_binary_output(&command_pull, options->output_path, "a capture", error);
}

static const char *identity_remark(enum identity_verdict verdict)
{
	switch (verdict) {
	case IDENTITY_UNCHECKED:
		return ", identity not checked";
	case IDENTITY_OTHER:
		return ", of another build than the ELF (--force)";
	default:
		return "";
	}
}

static void print_block(const struct pull_options *options, const struct pull_summary *summary, size_t index)
{
	char size[TEXT_COUNT_SIZE], ticks[TEXT_COUNT_SIZE];

	fprintf(stderr, "pulled %s bytes at 0x%08" PRIx64 " from ",
	        text_format_count(summary->blocks[index].size, size), summary->blocks[index].address);
	text_print(stderr, options->source);
	fprintf(stderr, ": %s ticks, %s%s\n", text_format_count(summary->blocks[index].ticks, ticks),
	        capture_state_name(summary->blocks[index].state), identity_remark(summary->identity));
}

/* Counts of a running profile are not all of one moment: what to do for one whose are. */
static void print_running(const struct pull_options *options, const struct pull_summary *summary)
{
	char count[TEXT_COUNT_SIZE];
	uint64_t ticks = 0;
	bool is_running = false;

	for (size_t i = 0; i < summary->block_count; i++) {
		is_running |= summary->blocks[i].state == BAREPROF_STATE_RUNNING;
		ticks += summary->blocks[i].ticks_passed;
	}
	if (!is_running)
		return;
	if (access_find(options->source)->write)
		fprintf(stderr,
		        "note: the profile was not stopped, %s ticks passed while it was read; --stop takes it at "
		        "rest\n",
		        text_format_count(ticks, count));
	else
		fprintf(stderr,
		        "note: the profile was running when this was made; behind bareprof_stop() it is at rest\n");
}

/* What was asked for that a reset of the target undid. */
static const char *undone_by_reset(const struct pull_options *options)
{
	if (options->start)
		return "undid --start";
	return options->arm ? "undid --arm" : "stopped the profile";
}

static void print_mishap(const struct pull_options *options, enum mishap mishap)
{
	static const struct {
		const char *what;
		bool is_undoing;
		const char *counts;
	} notes[MISHAP_COUNT] = {
	        [MISHAP_CLEARED] = {"the firmware began the counts anew during the wait", false,
	                            "they are of the time since"},
	        [MISHAP_RESET] = {"the target was reset during the wait", false,
	                          "the counts are of the time before it and since the profile was started again"},
	        [MISHAP_RESET_STOPPED] = {"the target was reset during the wait", true,
	                                  "the counts are of the time before it; pull again for more"},
	        [MISHAP_LOST] = {"the target was reset during the wait and lost its memory", false,
	                         "the counts are of the time since"},
	        [MISHAP_LOST_STOPPED] = {"the target was reset during the wait and lost its memory", true,
	                                 "nothing was counted since; pull again"},
	};

	if (mishap == MISHAP_NONE)
		return;
	fprintf(stderr, "note: %s%s%s: %s\n", notes[mishap].what, notes[mishap].is_undoing ? ", which " : "",
	        notes[mishap].is_undoing ? undone_by_reset(options) : "", notes[mishap].counts);
}

/* Blocks that hold what no recorder leaves behind. */
static void print_damage(const struct pull_summary *summary)
{
	bool is_shut = false;

	for (size_t i = 0; i < summary->block_count; i++)
		is_shut |= !capture_state_is_valid(summary->blocks[i].state);
	if (is_shut)
		fputs("note: the state of the block is not valid, so its recorder counts nothing: has bareprof_init() "
		      "run since the target was reset, and does nothing else write there?\n",
		      stderr);
	if (summary->is_contradictory)
		fputs("note: samples and ticks do not add up: was the target reset while it was read? Pull again; if "
		      "it "
		      "stays so, something else writes to the block\n",
		      stderr);
}

static void print_summary(const struct pull_options *options, const struct pull_summary *summary)
{
	for (size_t i = 0; i < summary->block_count; i++)
		print_block(options, summary, i);
	if (summary->has_traffic)
		traffic_print(stderr, &summary->traffic);
	if (summary->uninitialised > 0)
		fprintf(stderr, "%zu more cores have no block: bareprof_init() has not run there\n",
		        summary->uninitialised);
	print_mishap(options, summary->mishap);
	print_damage(summary);
	print_running(options, summary);
	if (summary->caution)
		fprintf(stderr, "note: %s\n", summary->caution);
}

/* Who is told of what happens while the target is read. */
struct audience {
	struct outlet outlet; /* of the console */
	bool is_beside;       /* the outlet is standard error: standard output takes the capture */
	int print_milliseconds;
	struct console console;
	struct progress progress;
};

static void hear_text(void *context, const uint8_t *bytes, size_t size)
{
	struct audience *audience = context;
	progress_hide(&audience->progress);
	console_print(&audience->console, bytes, size);
	progress_resume(&audience->progress, audience->console.is_in_line);
}

static void hear_broken(void *context, bool is_broken)
{
	progress_break(&((struct audience *)context)->progress, is_broken);
}

static void hear_waiting(void *context, unsigned milliseconds)
{
	progress_wait(&((struct audience *)context)->progress, milliseconds);
}

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
	struct audience *audience = context;
	outlet_offer(&audience->outlet);
	progress_tell(&audience->progress, done, total, clock_now());
}

static void hear_note(void *context, const char *text)
{
	struct audience *audience = context;
	progress_hide(&audience->progress);
	fputs("note: ", stderr);
	text_print(stderr, text);
	fputc('\n', stderr);
}

static enum status begin_console(struct audience *audience, const struct pull_options *options, struct error *error)
{
	const struct access_ops *source = access_find(options->source);
	bool is_live = source && source->run;

	audience->is_beside = strcmp(options->output_path, "-") == 0;
	audience->print_milliseconds = is_live ? PRINT_MILLISECONDS : -1;
	enum status status = outlet_open(&audience->outlet, audience->is_beside ? STDERR_FILENO : STDOUT_FILENO,
	                                 is_live ? 0 : -1, error);
	audience->console.stream = audience->outlet.stream;
	return status;
}

/* Text that was lost is told; that it could not be written at all makes the command fail. */
static enum status end_console(struct audience *audience, enum status status, struct error *error)
{
	const char *name = audience->is_beside ? "standard error" : "standard output";
	const struct outlet *outlet = &audience->outlet;
	char count[TEXT_COUNT_SIZE];

	if (outlet->stream == NULL)
		return status;
	console_end(&audience->console);
	outlet_close(&audience->outlet, audience->print_milliseconds);
	if (outlet->dropped > 0)
		fprintf(stderr, "note: %s bytes of console text were not taken by %s in time\n",
		        text_format_count(outlet->dropped, count), name);
	if (outlet->failure && !status)
		return status_fail(error, "%s: cannot write: %s", name, strerror(outlet->failure));
	return status;
}

static enum status run(int argc, char **argv, struct error *error)
{
	struct pull_options options = {0};
	struct pull_summary summary = {0};
	struct audience audience = {.progress = progress_begin()};
	struct client_observer observer = {
	        .context = &audience, .progress = hear_progress, .note = hear_note, .broken = hear_broken};
	struct access_setup setup = ACCESS_SETUP_PLAIN;
	bool wants_console = false;

	setup.observer = &observer;
	enum status status = parse(argc, argv, &options, &wants_console, error);
	if (status)
		return status;
	if (wants_console) {
		observer.text = hear_text;
		status = begin_console(&audience, &options, error);
	}
	options.setup = &setup;
	options.waiting = hear_waiting;
	if (!status)
		status = pull_run(&options, &summary, error);
	progress_hide(&audience.progress);
	status = end_console(&audience, status, error);
	if (summary.block_count > 0)
		print_summary(&options, &summary);
	return status;
}

static void print_source(const char *scheme, const char *synopsis, const char *summary)
{
	printf("  %s%s\n          %s\n", scheme, synopsis, summary);
}

static void print_sources(void)
{
	puts("SOURCE is one of");
	for (size_t i = 0; access_table[i]; i++)
		if (access_table[i]->scheme)
			print_source(access_table[i]->scheme, access_table[i]->synopsis, access_table[i]->summary);
	printf("or, for firmware that answers from bareprof_poll() (docs/CHANNELS.md), one of\n");
	for (size_t i = 0; channel_table[i]; i++)
		print_source(channel_table[i]->scheme, channel_table[i]->synopsis, channel_table[i]->summary);
	putchar('\n');
}

const struct command command_pull = {
        .name = "pull",
        .synopsis = "SOURCE -e FW.elf -o RUN.bprof [OPTION]...",
        .summary = "take a capture out of a target's memory",
        .print_arguments = print_sources,
        .help = "  -e, --elf=FW.elf      the firmware in the target; only gdb: cannot do without\n"
                "  -o, --output=FILE     where the capture goes; - is standard output\n"
                "      --reset           clear the counts first\n"
                "      --start           then start the profile\n"
                "      --arm=FUNCTION    or let it start by itself at the next call of this function,\n"
                "                        which must be compiled to be counted\n"
                "      --ticks=N         and stop by itself after so many samples\n"
                "      --wait=SECONDS    then let the target run for so long\n"
                "      --stop            then stop the profile, and read it\n"
                "      --console         print what the target prints meanwhile (to standard error if the\n"
                "                        capture goes to standard output)\n"
                "  -f, --force           take the block of another build than FW.elf\n"
                "\n"
                "Example: bareprof pull gdb:localhost:1234 -e fw.elf -o run.bprof --reset --start --wait 5\n",
        .run = run,
};
