/* SPDX-License-Identifier: MIT */
/* `bareprof top`: its options. The work is done in top/. */
#include "command/command.h"
#include "command/target_options.h"
#include "command/values.h"
#include "top/lists.h"
#include "top/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL_MILLISECONDS 1000
#define INTERVAL_SECONDS_MAX  86400.0

struct top_command_line {
	struct top_options top;
	struct target_options target;
	enum top_figure sort;
	bool is_sorted, is_batch, is_since_start;
	const char *filter;
};

static const struct value_range counts = {"a number from 1 to 4294967295", 1, UINT32_MAX};
static const struct value_range row_counts = {"a number of rows, 1 or more", 1, UINT32_MAX};
static const struct value_seconds intervals = {false, INTERVAL_SECONDS_MAX};

static const char *const list_choices[] = {"functions", "arcs", "contexts", NULL};
static const char *const sort_choices[] = {"self", "total", "calls", "switches", "call-time", "recorder", "name", NULL};

static enum status take_list(const struct given_option *given, struct error *error)
{
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	if (status == STATUS_OK)
		*(enum top_list *)option_member(given) = (enum top_list)choice;
	return status;
}

static enum status take_sort(const struct given_option *given, struct error *error)
{
	struct top_command_line *line = given->target;
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	for (unsigned figure = 0; status == STATUS_OK && figure <= TOP_NAME; figure++)
		if (top_figure_names[figure] != NULL && strcmp(top_figure_names[figure], sort_choices[choice]) == 0)
			line->sort = (enum top_figure)figure;
	line->is_sorted = true;
	return status;
}

#define MEMBER(name) offsetof(struct top_command_line, name)
static const struct command_option own_options[] = {
        {'e', "elf", "FW.elf", "the firmware in the target; read again when the file changes", .take = option_take_text,
         .member = MEMBER(top.feed.pull.elf_path)},
        {'\0', "interval", "SECONDS", "time between two captures (default 1)", .take = option_take_seconds,
         .member = MEMBER(top.feed.milliseconds), .detail = &intervals},
        {'\0', "list", "WHAT", "functions (default), arcs or contexts", .choices = list_choices, .take = take_list,
         .member = MEMBER(top.view.list)},
        {'\0', "since-start", NULL, "show the whole profile, not only the last interval", .take = option_take_switch,
         .member = MEMBER(is_since_start)},
        {'\0', "sort", "COLUMN", "self (contexts: their time), total, calls, call-time, switches,\nrecorder or name",
         .choices = sort_choices, .take = take_sort},
        {'\0', "filter", "TEXT", "only rows whose name contains TEXT, or matches /EXPRESSION/",
         .take = option_take_text, .member = MEMBER(filter)},
        {'\0', "batch", NULL, "print tables to standard output, for logs and pipes", .take = option_take_switch,
         .member = MEMBER(is_batch)},
        {'\0', "count", "N", "with --batch: end after N tables", .take = option_take_number,
         .member = MEMBER(top.count), .detail = &counts},
        {'\0', "top", "N", "with --batch: only the first N rows, and the recorder's", .take = option_take_number,
         .member = MEMBER(top.limit), .detail = &row_counts},
        {'\0', "reset", NULL, "clear the counts first", .take = option_take_switch,
         .member = MEMBER(top.feed.pull.reset)},
        {'\0', "start", NULL, "start the profile, and again after each reset of the target", .take = option_take_switch,
         .member = MEMBER(top.feed.pull.start)},
        {'f', "force", NULL, "accept the block of another build than FW.elf", .take = option_take_switch,
         .member = MEMBER(top.feed.pull.force)},
        {0},
};

static const struct command_option probe_heading[] = {
        {.help = "\nFor a debug probe:"},
};

static const struct command_option halt_options[] = {
        {'\0', "halt", NULL, "halt the core while it is read", .take = option_take_switch,
         .member = MEMBER(target.setup.halt)},
        {0},
};

static enum status check_top_source(const struct top_command_line *line, struct error *error)
{
	const struct source *source = &line->target.source;
	const struct pull_options *pull = &line->top.feed.pull;

	if (!source->backend->is_live)
		return status_usage(error, "top: %s: needs a live target; bareprof report shows a capture",
		                    source->text);
	if (source->backend->write == NULL && (pull->start || pull->reset))
		return status_usage(error,
		                    "top: %s: this kind of source is read-only; --reset and --start need another, such "
		                    "as gdb:",
		                    source->text);
	return STATUS_OK;
}

/* Checks options that require or exclude one another. */
static enum status check_top_options(const struct top_command_line *line, struct error *error)
{
	if (line->top.feed.pull.elf_path == NULL)
		return command_usage(&command_top, error, "missing -e FW.elf");
	if (line->is_sorted && !top_list_sorts_by(line->top.view.list, line->sort))
		return command_usage(&command_top, error, "--list=%s has no column %s to sort by",
		                     top_list_names[line->top.view.list], top_figure_names[line->sort]);
	if (!line->is_batch && (line->top.count > 0 || line->top.limit > 0))
		return command_usage(&command_top, error, "--count and --top need --batch");
	if (!line->is_batch && line->target.is_verbose)
		return command_usage(&command_top, error, "--verbose needs --batch: its lines would spoil the screen");
	return STATUS_OK;
}

/* Refuses the screen if it cannot work here. */
static enum status check_terminal(const struct top_command_line *line, struct error *error)
{
	if (line->is_batch)
		return STATUS_OK;
	if (top_terminal == NULL)
		return status_fail(
		        error, "top: this bareprof was built without %s, so it has no screen; --batch prints tables",
		        TOP_LIBRARY);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return status_usage(error, "top: standard input or output is not a terminal; --batch prints tables");
	return STATUS_OK;
}

static enum status complete_top_options(struct top_command_line *line, struct error *error)
{
	struct top_view *view = &line->top.view;

	line->top.feed.pull.source = &line->target.source;
	line->top.feed.pull.setup = &line->target.setup;
	line->top.feed.prints_traces = line->target.is_verbose;
	view->window = line->is_since_start ? TOP_SINCE_START : TOP_INTERVAL;
	if (line->is_sorted)
		view->sort[view->list] = line->sort;
	if (line->filter != NULL && strlen(line->filter) >= TOP_FILTER_MAX)
		return command_usage(&command_top, error, "--filter: longer than %d bytes", TOP_FILTER_MAX - 1);
	if (line->filter != NULL && !top_filter_set(&view->filter, line->filter))
		return command_usage(&command_top, error,
		                     "--filter: not a valid expression, or too many repetitions: %s", line->filter);
	return STATUS_OK;
}

static enum status parse_top_options(int argc, char **argv, struct top_command_line *line, struct error *error)
{
	enum status status = command_parse_options(&command_top, argc, argv, line, error);

	if (status == STATUS_OK)
		status = target_options_source(&command_top, argc, argv, false, &line->target, error);
	if (status == STATUS_OK)
		status = check_top_options(line, error);
	if (status == STATUS_OK)
		status = check_top_source(line, error);
	if (status == STATUS_OK)
		status = check_terminal(line, error);
	return status == STATUS_OK ? complete_top_options(line, error) : status;
}

static enum status run_top(int argc, char **argv, struct error *error)
{
	struct top_command_line line = {
	        .target = TARGET_OPTIONS_PLAIN,
	        .top = {.feed.milliseconds = INTERVAL_MILLISECONDS, .colour = option_default_colour()}};

	top_view_begin(&line.top.view);
	demangle_find_style("auto", &line.top.style);
	enum status status = parse_top_options(argc, argv, &line, error);
	if (status == STATUS_OK)
		status = line.is_batch ? top_batch(&line.top, stdout, error) : top_terminal(&line.top, error);
	top_filter_free(&line.top.view.filter);
	return status;
}

const struct command command_top = {
        .name = "top",
        .synopsis = "SOURCE -e FW.elf [OPTION]...",
        .summary = "show the profile of a running target, live",
        .list_words = target_list_sources,
        .help = "SOURCE is a live target, as for bareprof pull. Press h for a list of keys.\n\n",
        .options = (const struct option_table[]){{own_options, 0},
                                                 {style_options, MEMBER(top.style)},
                                                 {colour_options, MEMBER(top.colour)},
                                                 {probe_heading, 0},
                                                 {halt_options, 0},
                                                 {probe_options, MEMBER(target)},
                                                 {0}},
        .option_columns = 24,
        .example = "bareprof top gdb:localhost:1234 -e fw.elf\n"
                   "         bareprof top tcp:board:4000 -e fw.elf --batch --interval 60 --top 10 >>load.log\n",
        .run = run_top,
};
