/* SPDX-License-Identifier: MIT */
/* Functions on a comparison, for its stages and for its users. */
#include "diff/private.h"

#include <stdlib.h>
#include <string.h>

enum status compare_out_of_memory(const struct compare_state *state, struct error *error)
{
	return status_no_memory(error, state->inputs[BUILD_NEW].image->path);
}

void comparison_free(struct comparison *comparison)
{
	if (comparison == NULL)
		return;
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		profile_free(comparison->builds[build].profile);
		free(comparison->builds[build].row_of_node);
	}
	pairing_free(&comparison->pairing);
	free(comparison->rows);
	free(comparison->arcs);
	free(comparison->first_arc);
	free(comparison->parent_arcs);
	free(comparison->first_parent);
	free(comparison);
}

size_t comparison_find(const struct comparison *comparison, const char *name)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		for (enum build build = 0; build < BUILD_COUNT; build++)
			if (comparison->rows[i].names[build] != NULL &&
			    strcmp(comparison->rows[i].names[build], name) == 0)
				return i;
	return PAIRING_NONE;
}

const struct compare_change *comparison_recorder(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_change *self = &comparison->rows[i].changes[COMPARE_SELF];

		if (comparison->rows[i].kind == PROFILE_BAREPROF && (self->values.old > 0 || self->values.new > 0))
			return self;
	}
	return NULL;
}

bool compare_is_per_time(const struct comparison *comparison)
{
	return comparison->unit == COMPARE_PER_SECOND || comparison->unit == COMPARE_PER_SAMPLE;
}

bool compare_is_change(const struct compare_change *change)
{
	return change->verdict == COMPARE_LESS || change->verdict == COMPARE_MORE;
}

void compare_change_at(const struct compare_change *change, double confidence, struct stats_change *values)
{
	stats_compare(&change->sums[BUILD_OLD], &change->sums[BUILD_NEW], confidence, values);
}
