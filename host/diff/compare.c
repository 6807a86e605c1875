/* SPDX-License-Identifier: MIT */
/* The stages of a comparison, in order. */
#include "diff/private.h"

#include <stdlib.h>

static void begin_comparison(struct compare_state *state)
{
	struct comparison *made = state->made;
	const struct compare_options *options = state->options;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		made->builds[build].image = state->inputs[build].image;
		made->builds[build].capture_count = state->inputs[build].capture_count;
		made->has_spread[build] = state->inputs[build].capture_count > 1;
	}
	made->confidence = options->confidence;
	made->min_change = options->min_change;
	made->has_total_errors = options->total_errors;
}

static enum status pair_functions(struct compare_state *state, struct error *error)
{
	struct comparison *made = state->made;

	return pairing_find(made->builds[BUILD_OLD].image, made->builds[BUILD_NEW].image, &made->pairing, error);
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
		if (state->single[build] == &state->all[build])
			continue;
		for (size_t i = 0; state->single[build] != NULL && i < count; i++)
			free_tally(&state->single[build][i]);
		free(state->single[build]);
	}
}

enum status compare_builds(const struct compare_input inputs[BUILD_COUNT], const struct compare_options *options,
                           struct comparison **comparison, struct error *error)
{
	struct compare_state state = {.inputs = inputs, .options = options};

	state.made = calloc(1, sizeof *state.made);
	if (state.made == NULL)
		return compare_out_of_memory(&state, error);
	begin_comparison(&state);
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < sizeof stages / sizeof *stages; i++)
		status = stages[i](&state, error);
	release_compare_state(&state);
	if (status == STATUS_OK)
		*comparison = state.made;
	else
		comparison_free(state.made);
	return status;
}
