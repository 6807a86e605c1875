/* SPDX-License-Identifier: MIT */
/* `bareprof pull`: the user interface of a pull. The work is done in acquire/pull/. */
#include "acquire/pull/pull.h"

#include "base/clock.h"
#include "base/text/console.h"
#include "base/text/text.h"
#include "command/command.h"
#include "command/nonblocking_output.h"
#include "command/progress.h"
#include "command/pull_summary.h"
#include "command/target_options.h"
#include "command/values.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How long to wait after the pull for the reader of console text. */
#define PRINT_MILLISECONDS 1000
#define WAIT_SECONDS_MAX   1000000.0

struct pull_command_line {
	struct watch_options watch; /* for a single pull only its member pull */
	struct target_options target;
	bool wants_console;
};

static const struct value_range counts = {"a number from 1 to 4294967295", 1, UINT32_MAX};
static const struct value_seconds waits = {true, WAIT_SECONDS_MAX}, intervals = {false, WAIT_SECONDS_MAX};

#define MEMBER(name) offsetof(struct pull_command_line, name)
static const struct command_option own_options[] = {
        {'e', "elf", "FW.elf", "the firmware in the target; optional for dumps and serial links",
         .take = option_take_text, .member = MEMBER(watch.pull.elf_path)},
        {'o', "output", "FILE", "the capture to write; - is standard output", .take = option_take_text,
         .member = MEMBER(watch.pull.output_path)},
        {'\0', "reset", NULL, "clear the counts first", .take = option_take_switch, .member = MEMBER(watch.pull.reset)},
        {'\0', "start", NULL, "then start the profile", .take = option_take_switch, .member = MEMBER(watch.pull.start)},
        {'\0', "arm", "FUNCTION",
         "or start it at the next call of FUNCTION, which must be compiled to\nrecord its calls",
         .take = option_take_text, .member = MEMBER(watch.pull.arm)},
        {'\0', "ticks", "N", "and stop it after N samples", .take = option_take_number,
         .member = MEMBER(watch.pull.ticks), .detail = &counts},
        {'\0', "wait", "SECONDS", "then let the target run for this long", .take = option_take_seconds,
         .member = MEMBER(watch.pull.wait_milliseconds), .detail = &waits},
        {'\0', "stop", NULL, "then stop the profile and read it", .take = option_take_switch,
         .member = MEMBER(watch.pull.stop)},
        {'\0', "watch", "SECONDS",
         "take a capture of the running target each SECONDS until Ctrl-C:\n"
         "RUN-0001.bprof and so on (or %d in FILE is the number)",
         .take = option_take_seconds, .member = MEMBER(watch.milliseconds), .detail = &intervals},
        {'\0', "count", "N", "or until there are N captures", .take = option_take_number, .member = MEMBER(watch.count),
         .detail = &counts},
        {'\0', "console", NULL,
         "print console text of the target (to standard error if the capture\ngoes to standard output)",
         .take = option_take_switch, .member = MEMBER(wants_console)},
        {'f', "force", NULL, "accept the block of another build than FW.elf", .take = option_take_switch,
         .member = MEMBER(watch.pull.force)},
        {.help = "\nFor a debug probe:"},
};

static const struct command_option halt_options[] = {
        {'\0', "halt", NULL,
         "halt the core while it is read; it runs during --wait and between\ncaptures, and is left as it was found",
         .take = option_take_switch, .member = MEMBER(target.setup.halt)},
        {0},
};

static bool is_watching(const struct pull_command_line *line)
{
	return line->watch.milliseconds > 0;
}

/* Checks options that require or exclude one another. */
static enum status check_pull_options(const struct pull_command_line *line, struct error *error)
{
	const struct pull_options *options = &line->watch.pull;
	const struct option_conflict conflicts[] = {
	        {options->arm != NULL && options->arm[0] == '\0', "--arm= needs the name of a function"},
	        {options->arm != NULL && options->start, "--start or --arm, not both"},
	        {options->ticks != 0 && options->arm == NULL, "--ticks needs --arm"},
	        {line->watch.count != 0 && !is_watching(line), "--count needs --watch"},
	        {is_watching(line) && options->stop, "--watch or --stop, not both: it is a profile that runs"},
	        {is_watching(line) && strcmp(options->output_path, "-") == 0,
	         "--watch writes several files: -o RUN.bprof"},
	};
	const char *conflict = option_first_conflict(conflicts, sizeof conflicts / sizeof *conflicts);

	return conflict != NULL ? command_usage(&command_pull, error, "%s", conflict) : STATUS_OK;
}

/* Checks that the source supports the options. */
static enum status check_pull_source(const struct pull_command_line *line, struct error *error)
{
	const struct pull_options *options = &line->watch.pull;
	const struct target_ops *backend = options->source->backend;
	bool is_live = backend->is_live;
	bool lacks_control =
	        backend->write == NULL && (options->start || options->stop || options->reset || options->arm != NULL);
	const struct option_conflict conflicts[] = {
	        {is_watching(line) && !is_live, "--watch needs a live target"},
	        {backend->extent == NULL && options->elf_path == NULL, "needs the firmware: -e FW.elf"},
	        {lacks_control && is_live,
	         "this kind of source is read-only; --reset, --start, --arm and --stop need another, such as gdb:"},
	        {lacks_control, "--reset, --start, --arm and --stop need a live target"},
	        {!is_live && options->wait_milliseconds > 0, "--wait needs a live target"},
	};
	const char *conflict = option_first_conflict(conflicts, sizeof conflicts / sizeof *conflicts);

	return conflict != NULL ? status_usage(error, "pull: %s: %s", options->source->text, conflict) : STATUS_OK;
}

/* Parses the command line into *line, which afterwards points into argv. Contradictory options are usage errors. */
static enum status parse_pull_options(int argc, char **argv, struct pull_command_line *line, struct error *error)
{
	enum status status = command_parse_options(&command_pull, argc, argv, line, error);

	if (status == STATUS_OK)
		status = target_options_source(&command_pull, argc, argv, line->wants_console, &line->target, error);
	if (status == STATUS_OK)
		status = command_check_capture(&command_pull, line->watch.pull.output_path, error);
	if (status != STATUS_OK)
		return status;
	status = check_pull_options(line, error);
	line->watch.pull.source = &line->target.source;
	return status != STATUS_OK ? status : check_pull_source(line, error);
}

/* The display while the target is read. */
struct pull_ui {
	const struct pull_options *options;
	struct nonblocking_output output; /* where console text is printed */
	bool is_stderr; /* console text goes to standard error, because standard output receives the capture */
	int print_milliseconds;
	struct console console;
	struct progress progress;
	uint64_t scanned, scan_total; /* bytes of the current scan; total 0: no scan */
};

static void pull_on_text(void *context, const uint8_t *bytes, size_t size)
{
	struct pull_ui *ui = context;

	progress_hide(&ui->progress);
	console_print(&ui->console, bytes, size);
	progress_resume(&ui->progress, ui->console.is_in_line);
}

static void pull_on_broken(void *context, bool is_broken)
{
	progress_break(&((struct pull_ui *)context)->progress, is_broken);
}

static void pull_on_waiting(void *context, unsigned milliseconds)
{
	progress_wait(&((struct pull_ui *)context)->progress, milliseconds);
}

static void pull_on_progress(void *context, uint64_t done, uint64_t total)
{
	struct pull_ui *ui = context;

	nonblocking_output_offer(&ui->output);
	/* The user sees a scan as one long read. */
	if (ui->scan_total > 0)
		progress_update(&ui->progress, ui->scanned + done, ui->scan_total, clock_now());
	else
		progress_update(&ui->progress, done, total, clock_now());
}

static void pull_on_scanning(void *context, uint64_t done, uint64_t total)
{
	struct pull_ui *ui = context;

	ui->scanned = done;
	ui->scan_total = total;
	if (total == 0)
		progress_hide(&ui->progress);
}

static void pull_on_note(void *context, const char *text)
{
	progress_print(&((struct pull_ui *)context)->progress, "note: ", text);
}

static void pull_on_trace(void *context, const char *line)
{
	progress_print(&((struct pull_ui *)context)->progress, "", line);
}

static enum status begin_console(struct pull_ui *ui, struct error *error)
{
	bool is_live = ui->options->source->backend->is_live;

	ui->is_stderr = strcmp(ui->options->output_path, "-") == 0;
	ui->print_milliseconds = is_live ? PRINT_MILLISECONDS : -1;
	enum status status = nonblocking_output_open(&ui->output, ui->is_stderr ? STDERR_FILENO : STDOUT_FILENO,
	                                             is_live ? 0 : -1, error);
	ui->console.stream = ui->output.stream;
	return status;
}

/* Reports lost text. If text could not be written at all, the command fails. */
static enum status end_console(struct pull_ui *ui, enum status status, struct error *error)
{
	const char *name = ui->is_stderr ? "standard error" : "standard output";
	const struct nonblocking_output *output = &ui->output;
	char count[TEXT_COUNT_SIZE];

	if (output->stream == NULL)
		return status;
	console_end(&ui->console);
	nonblocking_output_close(&ui->output, ui->print_milliseconds);
	if (output->dropped > 0)
		fprintf(stderr, "note: %s bytes of console text dropped: %s did not accept them in time\n",
		        text_format_count(output->dropped, count), name);
	if (output->failure == EPIPE && !ui->is_stderr && status == STATUS_OK)
		return STATUS_PIPE;
	if (output->failure && status == STATUS_OK)
		return status_fail(error, "%s: cannot write: %s", name, strerror(output->failure));
	return status;
}

/* Prints a line to standard error, after hiding the progress. */
static void pull_on_taken(void *context, const char *path, const struct pull_summary *summary)
{
	struct pull_ui *ui = context;

	progress_hide(&ui->progress);
	pull_print_capture(ui->options, path, summary);
}

static enum status pull_once(struct pull_ui *ui, struct error *error)
{
	struct pull_summary summary = {0};

	enum status status = pull_run(ui->options, &summary, error);
	progress_hide(&ui->progress);
	status = end_console(ui, status, error);
	if (summary.block_count > 0)
		pull_print_summary(ui->options, &summary);
	return status;
}

static enum status pull_watch(struct watch_options *options, struct pull_ui *ui, struct error *error)
{
	struct watch_summary summary = {0};

	options->context = ui;
	options->taken = pull_on_taken;
	options->failed = pull_on_note;
	enum status status = watch_run(options, &summary, error);
	progress_hide(&ui->progress);
	status = end_console(ui, status, error);
	if (summary.taken > 0)
		pull_print_captures(&summary);
	return status;
}

static enum status run_pull(int argc, char **argv, struct error *error)
{
	struct pull_command_line line = {.target = TARGET_OPTIONS_PLAIN};
	struct pull_options *options = &line.watch.pull;
	struct pull_ui ui = {.options = options, .progress = progress_begin()};
	struct target_observer observer = {
	        .context = &ui, .progress = pull_on_progress, .note = pull_on_note, .broken = pull_on_broken};

	enum status status = parse_pull_options(argc, argv, &line, error);
	if (status != STATUS_OK)
		return status;
	if (line.target.is_verbose)
		observer.trace = pull_on_trace;
	line.target.setup.observer = &observer;
	if (line.wants_console) {
		observer.text = pull_on_text;
		status = begin_console(&ui, error);
	}
	if (status != STATUS_OK)
		return end_console(&ui, status, error);
	options->setup = &line.target.setup;
	options->waiting = pull_on_waiting;
	options->scanning = pull_on_scanning;
	return is_watching(&line) ? pull_watch(&line.watch, &ui, error) : pull_once(&ui, error);
}

static void print_pull_sources(void)
{
	puts("SOURCE is one of");
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->syntax != NULL && kind->channel == NULL)
			target_print_source(kind->syntax);
	printf("or, for firmware that answers from bareprof_poll() (docs/CHANNELS.md), one of\n");
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->channel != NULL)
			target_print_source(kind->syntax);
	putchar('\n');
}

const struct command command_pull = {
        .name = "pull",
        .synopsis = "SOURCE -e FW.elf -o RUN.bprof [OPTION]...",
        .summary = "take a capture from the memory of a target",
        .print_arguments = print_pull_sources,
        .list_words = target_list_sources,
        .help = "",
        .options =
                (const struct option_table[]){
                        {own_options, 0}, {halt_options, 0}, {probe_options, MEMBER(target)}, {0}},
        .option_columns = 24,
        .example = "bareprof pull gdb:localhost:1234 -e fw.elf -o run.bprof --reset --start --wait 5 --stop\n",
        .run = run_pull,
};
