/* SPDX-License-Identifier: MIT */
/* bareprof diff: comparison of two builds, with rules for CI. */
#include "base/file/file.h"
#include "command/command.h"
#include "command/diff_builds.h"
#include "command/diff_options.h"
#include "diff/baseline/baseline.h"
#include "profile/analysis.h"

#include <string.h>

/* Whether two names in the ELF belong to a function and its clone, or to two clones of one function. */
static bool are_clones(const char *name, const char *other)
{
	size_t length = strcspn(name, ".");

	return length == strcspn(other, ".") && strncmp(name, other, length) == 0;
}

/* Sets *found to the ELF's name of the function that the user calls `wanted`, or leaves it NULL if there is none. */
static enum status find_function_by_name(const struct image *image, struct demangler *names, const char *wanted,
                                         const char **found, struct error *error)
{
	const char *other = NULL;

	for (size_t i = 0; i < image->function_count; i++) {
		const char *name = image->functions[i].name;

		if (strcmp(name, wanted) == 0) {
			*found = name;
			return STATUS_OK;
		}
		if (!demangler_matches(names, name, wanted))
			continue;
		if (*found != NULL && !are_clones(name, *found))
			other = name;
		else if (*found == NULL || strlen(name) < strlen(*found))
			*found = name;
	}
	if (other == NULL)
		return STATUS_OK;
	return status_fail(
	        error,
	        "unit of work %.200s: several functions of %s have this name, such as '%.80s' and '%.80s': give "
	        "one with its parameters",
	        wanted, image->path, demangler_find(names, *found), demangler_find(names, other));
}

static enum status find_unit_function(const struct diff_builds *builds, struct diff_options *options,
                                      struct error *error)
{
	const char *found = NULL;
	enum status status = STATUS_OK;

	if (options->compare.function == NULL)
		return STATUS_OK;
	for (enum build build = 0; status == STATUS_OK && found == NULL && build < BUILD_COUNT; build++)
		status = find_function_by_name(builds->opened[build].image, options->output.names,
		                               options->compare.function, &found, error);
	if (found != NULL)
		options->compare.function = found;
	return status;
}

static enum status compare_opened(struct diff_builds *builds, struct diff_options *options,
                                  struct comparison **comparison, struct error *error)
{
	struct compare_input inputs[BUILD_COUNT];

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		const struct opened_profile *opened = &builds->opened[build];

		inputs[build] = (struct compare_input){
		        .image = opened->image,
		        .captures = (const struct capture *const *)opened->captures,
		        .capture_count = opened->capture_count,
		};
		options->output.labels[build] = builds->operands[build].firmware;
	}
	enum status status = find_unit_function(builds, options, error);
	return status == STATUS_OK ? compare_builds(inputs, &options->compare, comparison, error) : status;
}

static enum status write_diff_page(const struct comparison *comparison, const struct rule_results *results,
                                   const struct diff_options *options, struct error *error)
{
	struct file_writer writer = {0};
	enum status status = file_create(&writer, options->html, error);

	if (status != STATUS_OK)
		return status;
	status = diff_write(&diff_html, comparison, results, &options->output, writer.stream, error);
	return file_finish(&writer, status, error);
}

/* --- Baselines. */

static enum status keep_new_build(const struct diff_builds *builds, const struct diff_options *options,
                                  struct error *error)
{
	const struct diff_operand *operand = &builds->operands[BUILD_NEW];
	const struct opened_profile *opened = &builds->opened[BUILD_NEW];
	enum profile_identity identity = PROFILE_IDENTITY_SAME;
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < opened->capture_count; i++)
		status = analysis_check_capture(opened->image, opened->captures[i], false, &identity, error);
	if (status == STATUS_OK)
		status = baseline_keep(options->baseline, opened->image, operand->runs, operand->run_count, error);
	return status;
}

/* Keeps the first build, and reports this on standard error: programs may read standard output and expect a comparison
 * there. */
static enum status begin_baseline(const struct diff_builds *builds, const struct diff_options *options,
                                  struct error *error)
{
	if (!options->keep)
		return status_fail(error, "%s: contains no other build to compare with; use --keep to keep this one",
		                   options->baseline);
	enum status status = keep_new_build(builds, options, error);
	if (status == STATUS_OK)
		fprintf(stderr, "note: %s is the first build in %s: there is nothing to compare it with yet\n",
		        builds->operands[BUILD_NEW].firmware, options->baseline);
	return status;
}

static enum status fail_broken_rules(const struct rule_results *results, struct error *error)
{
	const char *first = "";

	for (size_t i = results->count; i-- > 0;)
		if (results->items[i].breach_count > 0)
			first = results->items[i].text;
	status_fail(error, "%zu of %zu rules broken: %.200s%s", results->broken, results->count, first,
	            results->broken > 1 ? ", and others" : "");
	return STATUS_RULES_BROKEN;
}

static enum status run_comparison(struct diff_builds *builds, struct diff_options *options, struct error *error)
{
	struct comparison *comparison = NULL;
	struct rule_results results = {0};
	enum status status = compare_opened(builds, options, &comparison, error);

	if (status == STATUS_OK)
		status = rule_set_judge(&options->rules, comparison, options->output.names, &results, error);
	if (status == STATUS_OK && options->html != NULL)
		status = write_diff_page(comparison, &results, options, error);
	if (status == STATUS_OK)
		status = diff_write(options->format, comparison, &results, &options->output, stdout, error);
	if (status == STATUS_OK && results.broken > 0)
		status = fail_broken_rules(&results, error);
	else if (status == STATUS_OK && options->keep)
		status = keep_new_build(builds, options, error);
	rule_results_free(&results);
	comparison_free(comparison);
	return status;
}

static enum status run_diff(int argc, char **argv, struct error *error)
{
	struct diff_options options;
	struct diff_builds builds = {0};
	int first_operand = 0;
	enum status status = diff_options_parse(&command_diff, argc, argv, &options, &first_operand, error);

	if (status == STATUS_OK)
		status = diff_builds_open(&options, argv + first_operand, (size_t)(argc - first_operand), &builds,
		                          error);
	options.output.names = demangler_create(options.demangle);
	if (status == STATUS_OK && options.output.names == NULL)
		status = status_fail(error, "out of memory for the names of functions");
	if (status == STATUS_OK)
		status = builds.is_first ? begin_baseline(&builds, &options, error)
		                         : run_comparison(&builds, &options, error);
	demangler_free(options.output.names);
	diff_builds_close(&builds);
	diff_options_free(&options);
	return status;
}

const struct command command_diff = {
        .name = "diff",
        .synopsis = "[OPTION]... OLD.elf:RUN[,RUN]... NEW.elf:RUN[,RUN]...",
        .summary = "compare builds: what became slower, and how certain that is",
        .help = "OLD.elf and NEW.elf are builds of one firmware, RUN is a capture or a gmon.out of each. Several\n"
                "runs per build show how much runs vary.\n\n",
        .options = (const struct option_table[]){{diff_options, 0},
                                                 {selection_options, offsetof(struct diff_options, captures)},
                                                 {file_format_options, offsetof(struct diff_options, captures)},
                                                 {error_options, offsetof(struct diff_options, captures)},
                                                 {style_options, offsetof(struct diff_options, demangle)},
                                                 {colour_options, offsetof(struct diff_options, output.colour)},
                                                 {0}},
        .example = "bareprof diff --per-call-of=main_loop old.elf:old.bprof new.elf:new.bprof\n"
                   "         bareprof diff --fail-if='size > +2%' old.elf:1.bprof,2.bprof new.elf:3.bprof,4.bprof\n",
        .run = run_diff,
};
