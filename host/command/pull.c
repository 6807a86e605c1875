/* SPDX-License-Identifier: MIT */
/* `bareprof pull`: who is told of what goes on. The work is done in pull/. */
#include "target/pull/pull.h"

#include "base/clock.h"
#include "base/text/console.h"
#include "base/text/text.h"
#include "command/command.h"
#include "command/nonblocking_output.h"
#include "command/progress.h"
#include "command/pull_options.h"
#include "command/pull_summary.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How long what a live target printed may wait for its reader when the pull is over. */
#define PRINT_MILLISECONDS 1000

/* Who is told of what happens while the target is read. */
struct audience {
	const struct pull_options *options;
	struct outlet outlet; /* of the console */
	bool is_beside;       /* the outlet is standard error: standard output takes the capture */
	int print_milliseconds;
	struct console console;
	struct progress progress;
	uint64_t scanned, scan_total; /* bytes of the current scan; total 0: there is none */
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
	/* The user sees a scan as one long read. */
	if (audience->scan_total > 0)
		progress_tell(&audience->progress, audience->scanned + done, audience->scan_total, clock_now());
	else
		progress_tell(&audience->progress, done, total, clock_now());
}

static void hear_scanning(void *context, uint64_t done, uint64_t total)
{
	struct audience *audience = context;
	audience->scanned = done;
	audience->scan_total = total;
	if (total == 0)
		progress_hide(&audience->progress);
}

static void hear_note(void *context, const char *text)
{
	progress_print(&((struct audience *)context)->progress, "note: ", text);
}

static void hear_trace(void *context, const char *line)
{
	progress_print(&((struct audience *)context)->progress, "", line);
}

static enum status begin_console(struct audience *audience, struct error *error)
{
	bool is_live = audience->options->source->backend->is_live;

	audience->is_beside = strcmp(audience->options->output_path, "-") == 0;
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
	if (outlet->failure == EPIPE && !audience->is_beside && status == STATUS_OK)
		return STATUS_PIPE;
	if (outlet->failure && status == STATUS_OK)
		return status_fail(error, "%s: cannot write: %s", name, strerror(outlet->failure));
	return status;
}

/* A line of standard error, over which no progress is drawn. */
static void on_taken(void *context, const char *path, const struct pull_summary *summary)
{
	struct audience *audience = context;
	progress_hide(&audience->progress);
	pull_print_capture(audience->options, path, summary);
}

static enum status pull_once(struct audience *audience, struct error *error)
{
	struct pull_summary summary = {0};

	enum status status = pull_run(audience->options, &summary, error);
	progress_hide(&audience->progress);
	status = end_console(audience, status, error);
	if (summary.block_count > 0)
		pull_print_summary(audience->options, &summary);
	return status;
}

static enum status pull_again_and_again(struct watch_options *options, struct audience *audience, struct error *error)
{
	struct watch_summary summary = {0};

	options->context = audience;
	options->taken = on_taken;
	options->failed = hear_note;
	enum status status = watch_run(options, &summary, error);
	progress_hide(&audience->progress);
	status = end_console(audience, status, error);
	if (summary.taken > 0)
		pull_print_count(&summary);
	return status;
}

static enum status run(int argc, char **argv, struct error *error)
{
	struct pull_command_line line = {.command = &command_pull, .target = TARGET_OPTIONS_PLAIN};
	struct pull_options *options = &line.watch.pull;
	struct audience audience = {.options = options, .progress = progress_begin()};
	struct client_observer observer = {
	        .context = &audience, .progress = hear_progress, .note = hear_note, .broken = hear_broken};

	enum status status = pull_parse(argc, argv, &line, error);
	if (status != STATUS_OK)
		return status;
	if (line.target.is_verbose)
		observer.trace = hear_trace;
	line.target.setup.observer = &observer;
	if (line.wants_console) {
		observer.text = hear_text;
		status = begin_console(&audience, error);
	}
	if (status != STATUS_OK)
		return end_console(&audience, status, error);
	options->setup = &line.target.setup;
	options->waiting = hear_waiting;
	options->scanning = hear_scanning;
	return line.is_watching ? pull_again_and_again(&line.watch, &audience, error) : pull_once(&audience, error);
}

static void print_source(const char *scheme, const char *synopsis, const char *summary)
{
	printf("  %s%s\n          %s\n", scheme, synopsis, summary);
}

static void print_sources(void)
{
	puts("SOURCE is one of");
	for (size_t i = 0; backend_table[i]; i++)
		if (backend_table[i]->scheme)
			print_source(backend_table[i]->scheme, backend_table[i]->synopsis, backend_table[i]->summary);
	printf("or, for firmware that answers from bareprof_poll() (docs/CHANNELS.md), one of\n");
	for (size_t i = 0; channel_table[i] != NULL; i++)
		print_source(channel_table[i]->scheme, channel_table[i]->synopsis, channel_table[i]->summary);
	putchar('\n');
}

const struct command command_pull = {
        .name = "pull",
        .synopsis = "SOURCE -e FW.elf -o RUN.bprof [OPTION]...",
        .summary = "take a capture out of a target's memory",
        .print_arguments = print_sources,
        .help = "  -e, --elf=FW.elf      the firmware in the target; dumps and links can do without\n"
                "  -o, --output=FILE     where the capture goes; - is standard output\n"
                "      --reset           clear the counts first\n"
                "      --start           then start the profile\n"
                "      --arm=FUNCTION    or let it start by itself at the next call of this function,\n"
                "                        which must be compiled to be counted\n"
                "      --ticks=N         and stop by itself after so many samples\n"
                "      --wait=SECONDS    then let the target run for so long\n"
                "      --stop            then stop the profile, and read it\n"
                "      --watch=SECONDS   take captures of the running target again and again, RUN-0001.bprof and so\n"
                "                        on (or %d in FILE is the number), so long apart, until Ctrl-C\n"
                "      --count=N         or until there are so many\n"
                "      --console         print what the target prints meanwhile (to standard error if the\n"
                "                        capture goes to standard output)\n"
                "  -f, --force           take the block of another build than FW.elf\n"
                "\n"
                "Of a debug probe (cmsis-dap):\n"
                "      --halt            let the core stand still while it is read, and run during --wait and\n"
                "                        between two captures; it is left as it was found\n" TARGET_OPTIONS_HELP "\n"
                "Example: bareprof pull gdb:localhost:1234 -e fw.elf -o run.bprof --reset --start --wait 5 --stop\n",
        .run = run,
};
