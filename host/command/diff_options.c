/* SPDX-License-Identifier: MIT */
/* See diff_options.h. */
#include "command/diff_options.h"
#include "command/values.h"

#include "command/hints.h"

#include <getopt.h>
#include <string.h>

static enum status take_diff_format(const struct given_option *given, struct error *error)
{
	struct diff_options *options = given->target;

	for (const struct diff_format *const *entry = diff_formats; *entry != NULL; entry++) {
		options->format = *entry;
		if (strcmp((*entry)->name, given->value) == 0)
			return STATUS_OK;
	}
	return option_refuse_choice(given, error);
}

/* The unit of times and calls; detail is an enum compare_unit. */
static enum status take_unit(const struct given_option *given, struct error *error)
{
	struct diff_options *options = given->target;

	if (options->compare.has_unit)
		return command_usage(
		        given->command, error,
		        "only one of --per-call-of, --per-run, --per-second and --per-sample can be given");
	options->compare.has_unit = true;
	options->compare.unit = *(const enum compare_unit *)given->row->detail;
	options->compare.function = given->value;
	return STATUS_OK;
}

static enum status take_rule(const struct given_option *given, struct error *error)
{
	struct diff_options *options = given->target;

	return rule_set_add(&options->rules, "--fail-if", given->value, error);
}

static enum status take_rules(const struct given_option *given, struct error *error)
{
	struct diff_options *options = given->target;
	enum status status = file_inputs_add(&options->inputs, given->value, error);

	return status == STATUS_OK ? rule_set_add_file(&options->rules, given->value, error) : status;
}

/* An unset variable in a script must not select the root of the file system. */
static enum status take_baseline(const struct given_option *given, struct error *error)
{
	if (given->value[0] == '\0')
		return command_usage(given->command, error, "--baseline: empty name of a folder");
	return option_take_text(given, error);
}

static enum status take_diff_page(const struct given_option *given, struct error *error)
{
	if (strcmp(given->value, "-") != 0)
		return option_take_text(given, error);
	return command_usage(given->command, error,
	                     "--html=-: standard output is for the report; use --format=html to write the page there");
}

#define MEMBER(name) offsetof(struct diff_options, name)
#define UNIT(name)                 \
	&(const enum compare_unit) \
	{                          \
		COMPARE_PER_##name \
	}

static const struct value_percentage confidences = {50, 99.9999}, changes = {0, 1000};

const struct command_option diff_options[] = {
        {'\0', "per-call-of", "F", "show times and calls per call of function F", .take = take_unit,
         .detail = UNIT(CALL)},
        {'\0', "per-run", NULL, "show them per run, if all captures are of the same work", .take = take_unit,
         .detail = UNIT(RUN)},
        {'\0', "per-second", NULL, "show them per second of sampled time", .take = take_unit, .detail = UNIT(SECOND)},
        {'\0', "per-sample", NULL, "show them per sample", .take = take_unit, .detail = UNIT(SAMPLE)},
        {'\0', "confidence", "P", "confidence of intervals and of changes (default 95%)", .take = option_take_percent,
         .member = MEMBER(compare.confidence), .detail = &confidences},
        {'\0', "min-change", "P", "smallest difference to report as a change (default 1%)", .take = option_take_percent,
         .member = MEMBER(compare.min_change), .detail = &changes},
        {'\0', "fail-if", "RULE",
         "exit with 3 if RULE is broken: 'total(main_loop) > +5%',\n"
         "'self(*) > +10% and significant', 'size > +2%'; may be repeated",
         .take = take_rule},
        {'\0', "rules", "FILE", "read rules from FILE, one per line", .take = take_rules},
        {'\0', "format", "FORMAT", "text (default), markdown, json, junit, folded or html",
         .choices = (const char *const[]){"text", "markdown", "json", "junit", "folded", "html", NULL},
         .take = take_diff_format},
        {'\0', "html", "FILE", "also write a page with tables, search, callers and callees", .take = take_diff_page,
         .member = MEMBER(html)},
        {'a', "all", NULL, "also list functions that did not change", .take = option_take_switch,
         .member = MEMBER(output.all)},
        {'q', "graph", NULL, "also print the call graph of the changes", .take = option_take_switch,
         .member = MEMBER(output.graph)},
        {'\0', "baseline", "DIR",
         "find OLD among the builds kept in DIR: OLD may be omitted (the last\n"
         "build is used), or be the beginning of a build-id, or an ELF without\n"
         "captures",
         .take = take_baseline, .member = MEMBER(baseline)},
        {'\0', "keep", NULL, "keep NEW in DIR, unless a rule is broken", .take = option_take_switch,
         .member = MEMBER(keep)},
        {0},
};

enum status diff_options_parse(const struct command *command, int argc, char **argv, struct diff_options *options,
                               int *first_operand, struct error *error)
{
	*options = (struct diff_options){
	        .command = command,
	        .compare = {.confidence = 0.95, .min_change = 0.01},
	        .captures = {.total_errors = true},
	        .output = {.colour = option_default_colour(), .hints = hints},
	        .format = diff_formats[0],
	};
	demangle_find_style("auto", &options->demangle);
	enum status status = command_parse_options(command, argc, argv, options, error);
	if (status != STATUS_OK)
		return status;
	options->compare.force = options->captures.force;
	options->compare.total_errors = command_wants_total_errors(&options->captures);
	*first_operand = optind;
	if (options->keep && options->baseline == NULL)
		return command_usage(options->command, error,
		                     "--keep needs --baseline=DIR, the folder to keep the build in");
	return STATUS_OK;
}

void diff_options_free(struct diff_options *options)
{
	rule_set_free(&options->rules);
	file_inputs_free(&options->inputs);
}
