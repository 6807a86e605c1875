/* SPDX-License-Identifier: MIT */
/* The stages of a comparison, in order. */
#include "diff/private.h"

#include <stdlib.h>

static void begin(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	const struct compare_options *options = comparing->options;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		made->builds[build].image = comparing->inputs[build].image;
		made->builds[build].capture_count = comparing->inputs[build].capture_count;
		made->has_spread[build] = comparing->inputs[build].capture_count > 1;
	}
	made->confidence = options->confidence;
	made->min_change = options->min_change;
	made->has_total_errors = options->total_errors;
}

static enum status pair_functions(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;

	return pairing_find(made->builds[BUILD_OLD].image, made->builds[BUILD_NEW].image, &made->pairing, error);
}

static enum status (*const stages[])(struct comparing *comparing, struct error *error) = {
        pair_functions, compare_analyse,     compare_list_rows, compare_list_arcs,
        compare_tally,  compare_choose_unit, compare_test,      compare_order,
};

static enum status run(struct comparing *comparing, struct error *error)
{
	enum status status = compare_check_inputs(comparing, error);

	for (size_t i = 0; status == STATUS_OK && i < sizeof stages / sizeof *stages; i++)
		status = stages[i](comparing, error);
	return status;
}

static void free_tally(struct tally *tally)
{
	free(tally->rows);
	free(tally->arcs);
}

static void end(struct comparing *comparing)
{
	free(comparing->row_of_pair);
	free(comparing->parts);
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		free_tally(&comparing->all[build]);
		for (size_t i = 0; i < comparing->single_counts[build]; i++)
			free_tally(&comparing->single[build][i]);
		free(comparing->single[build]);
	}
}

enum status compare_builds(const struct compare_input inputs[BUILD_COUNT], const struct compare_options *options,
                           struct comparison **comparison, struct error *error)
{
	struct comparing comparing = {.inputs = inputs, .options = options};

	comparing.made = calloc(1, sizeof *comparing.made);
	if (comparing.made == NULL)
		return compare_out_of_memory(&comparing, error);
	begin(&comparing);
	enum status status = run(&comparing, error);
	end(&comparing);
	if (status == STATUS_OK)
		*comparison = comparing.made;
	else
		comparison_free(comparing.made);
	return status;
}
