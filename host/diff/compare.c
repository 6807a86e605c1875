/* SPDX-License-Identifier: MIT */
/* The stages of a comparison, in order. */
#include "diff/private.h"

#include <stdlib.h>

static void begin_comparison(struct compare_state *state)
{
	struct comparison *comparison = state->comparison;
	const struct compare_options *options = state->options;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		comparison->builds[build].image = state->inputs[build].image;
		comparison->builds[build].capture_count = state->inputs[build].capture_count;
		comparison->has_spread[build] = state->inputs[build].capture_count > 1;
	}
	comparison->confidence = options->confidence;
	comparison->min_change = options->min_change;
	comparison->has_total_errors = options->total_errors;
}

static enum status pair_functions(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;

	return pairing_find(comparison->builds[BUILD_OLD].image, comparison->builds[BUILD_NEW].image,
	                    &comparison->pairing, error);
}

static enum status (*const stages[])(struct compare_state *state, struct error *error) = {
        compare_check_inputs, pair_functions,           compare_analyse,     compare_list_rows, compare_list_arcs,
        compare_tally,        compare_analyse_captures, compare_choose_unit, compare_test,      compare_order,
};

static void free_tally(struct build_tally *tally)
{
	free(tally->rows);
	free(tally->arcs);
}

static void release_compare_state(struct compare_state *state)
{
	free(state->row_of);
	free(state->parts);
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		size_t count = state->inputs[build].capture_count;

		free_tally(&state->all[build]);
		if (state->per_capture[build] == &state->all[build])
			continue;
		for (size_t i = 0; state->per_capture[build] != NULL && i < count; i++)
			free_tally(&state->per_capture[build][i]);
		free(state->per_capture[build]);
	}
}

enum status compare_builds(const struct compare_input inputs[BUILD_COUNT], const struct compare_options *options,
                           struct comparison **comparison, struct error *error)
{
	struct compare_state state = {.inputs = inputs, .options = options};

	state.comparison = calloc(1, sizeof *state.comparison);
	if (state.comparison == NULL)
		return compare_out_of_memory(&state, error);
	begin_comparison(&state);
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < sizeof stages / sizeof *stages; i++)
		status = stages[i](&state, error);
	release_compare_state(&state);
	if (status == STATUS_OK)
		*comparison = state.comparison;
	else
		comparison_free(state.comparison);
	return status;
}
