/* SPDX-License-Identifier: MIT */
/* See diff_options.h. */
#include "command/diff_options.h"

#include "command/colour.h"
#include "command/hints.h"
#include "command/values.h"

#include <getopt.h>
#include <string.h>

enum {
	OPTION_PER_CALL_OF = 256,
	OPTION_PER_SECOND,
	OPTION_PER_SAMPLE,
	OPTION_CONFIDENCE,
	OPTION_MIN_CHANGE,
	OPTION_FAIL_IF,
	OPTION_RULES,
	OPTION_FORMAT,
	OPTION_HTML,
	OPTION_BASELINE,
	OPTION_KEEP,
	OPTION_DEMANGLE,
	OPTION_NO_DEMANGLE,
};

static const struct option long_options[] = {
        {"all", no_argument, NULL, 'a'},
        {"baseline", required_argument, NULL, OPTION_BASELINE},
        {"color", required_argument, NULL, 'c'},
        {"confidence", required_argument, NULL, OPTION_CONFIDENCE},
        {"demangle", required_argument, NULL, OPTION_DEMANGLE},
        {"errors", required_argument, NULL, OPTION_ERRORS},
        {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
        {"format", required_argument, NULL, OPTION_FORMAT},
        {"graph", no_argument, NULL, 'q'},
        {"html", required_argument, NULL, OPTION_HTML},
        {"keep", no_argument, NULL, OPTION_KEEP},
        {"min-change", required_argument, NULL, OPTION_MIN_CHANGE},
        {"no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE},
        {"per-call-of", required_argument, NULL, OPTION_PER_CALL_OF},
        {"per-sample", no_argument, NULL, OPTION_PER_SAMPLE},
        {"per-second", no_argument, NULL, OPTION_PER_SECOND},
        {"rules", required_argument, NULL, OPTION_RULES},
        CAPTURE_LONG_OPTIONS,
        {NULL, 0, NULL, 0},
};

const struct diff_format *diff_find_format(const char *name)
{
	for (const struct diff_format *const *entry = diff_formats; *entry != NULL; entry++)
		if (strcmp((*entry)->name, name) == 0)
			return *entry;
	return NULL;
}

static enum status parse_format(const char *name, struct diff_options *options, struct error *error)
{
	options->format = diff_find_format(name);
	if (options->format != NULL)
		return STATUS_OK;
	return command_usage(options->command, error,
	                     "--format=%.40s: expected text, markdown, json, junit, folded or html", name);
}

static enum status take_unit(enum compare_unit unit, const char *function, struct diff_options *options,
                             struct error *error)
{
	if (options->compare.has_unit)
		return command_usage(options->command, error,
		                     "only one of --per-call-of, --per-second and --per-sample can be given");
	options->compare.has_unit = true;
	options->compare.unit = unit;
	options->compare.function = function;
	return STATUS_OK;
}

static enum status parse_numbers(int option, struct diff_options *options, struct error *error)
{
	static const struct value_percentage confidences = {50, 99.9999}, changes = {0, 1000};
	return option == OPTION_CONFIDENCE ? value_percent(options->command, "--confidence", optarg, &confidences,
	                                                   &options->compare.confidence, error)
	                                   : value_percent(options->command, "--min-change", optarg, &changes,
	                                                   &options->compare.min_change, error);
}

static enum status take_rules(const char *path, struct diff_options *options, struct error *error)
{
	enum status status = file_inputs_add(&options->inputs, path, error);
	return status == STATUS_OK ? rule_set_add_file(&options->rules, path, error) : status;
}

static enum status parse_comparison(int option, struct diff_options *options, struct error *error)
{
	switch (option) {
	case OPTION_PER_CALL_OF:
		return take_unit(COMPARE_PER_CALL, optarg, options, error);
	case OPTION_PER_SECOND:
		return take_unit(COMPARE_PER_SECOND, NULL, options, error);
	case OPTION_PER_SAMPLE:
		return take_unit(COMPARE_PER_SAMPLE, NULL, options, error);
	case OPTION_FAIL_IF:
		return rule_set_add(&options->rules, "--fail-if", optarg, error);
	case OPTION_RULES:
		return take_rules(optarg, options, error);
	default:
		return parse_numbers(option, options, error);
	}
}

/* An unset variable in a script must not select the root of the file system. */
static enum status take_baseline(const char *folder, struct diff_options *options, struct error *error)
{
	options->baseline = folder;
	return folder[0] != '\0' ? STATUS_OK
	                         : command_usage(options->command, error, "--baseline: empty name of a folder");
}

static enum status take_page(const char *path, struct diff_options *options, struct error *error)
{
	options->html = path;
	if (strcmp(path, "-") != 0)
		return STATUS_OK;
	return command_usage(options->command, error,
	                     "--html=-: standard output is for the report; use --format=html to write the page there");
}

static enum status parse_option(int option, char **argv, struct diff_options *options, struct error *error)
{
	bool is_taken;
	enum status status =
	        command_take_capture_option(options->command, option, &options->captures, &is_taken, error);
	if (is_taken)
		return status;
	switch (option) {
	case 'a':
		options->output.all = true;
		return STATUS_OK;
	case 'q':
		options->output.graph = true;
		return STATUS_OK;
	case 'c':
		return command_parse_colour(options->command, optarg, &options->output.colour, error);
	case OPTION_DEMANGLE:
		return value_style(options->command, optarg, &options->demangle, error);
	case OPTION_NO_DEMANGLE:
		return value_style(options->command, "none", &options->demangle, error);
	case OPTION_FORMAT:
		return parse_format(optarg, options, error);
	case OPTION_HTML:
		return take_page(optarg, options, error);
	case OPTION_BASELINE:
		return take_baseline(optarg, options, error);
	case OPTION_KEEP:
		options->keep = true;
		return STATUS_OK;
	case '?':
	case ':':
		return command_bad_option(options->command, option, long_options, argv, error);
	default:
		return parse_comparison(option, options, error);
	}
}

enum status diff_options_parse(const struct command *command, int argc, char **argv, struct diff_options *options,
                               int *first, struct error *error)
{
	*options = (struct diff_options){
	        .command = command,
	        .compare = {.confidence = 0.95, .min_change = 0.01},
	        .captures = {.total_errors = true},
	        .output = {.colour = command_wants_colour(), .hints = hints},
	        .format = diff_formats[0],
	};
	demangle_find_style("auto", &options->demangle);
	for (int option; (option = getopt_long(argc, argv, ":aqf", long_options, NULL)) != -1;) {
		enum status status = parse_option(option, argv, options, error);
		if (status != STATUS_OK)
			return status;
	}
	options->compare.force = options->captures.force;
	options->compare.total_errors = command_wants_total_errors(&options->captures);
	*first = optind;
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
