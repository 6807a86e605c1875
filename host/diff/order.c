/* SPDX-License-Identifier: MIT */
/* Stage: orders rows by effect, and arcs by the rows. */
#include "diff/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row_place {
	unsigned class; /* 0: self time changed; 1: total time or calls changed; 2: neither */
	double effect;
	const char *name;
	size_t row;
};

static bool is_changed(const struct compare_row *row, enum compare_quantity quantity)
{
	return compare_is_change(&row->changes[quantity]);
}

static double effect_on(const struct compare_row *row, enum compare_quantity quantity)
{
	double effect = fabs(row->changes[quantity].values.new - row->changes[quantity].values.old);

	return isnan(effect) ? -1 : effect;
}

/* The recorder comes last among the rows that changed, because its time changes with its place in memory and with the
 * number of calls. */
#define RECORDER_EFFECT (-2.0)

static struct row_place place_of_row(const struct compare_row *row, size_t index)
{
	struct row_place place = {.class = 2, .row = index};

	place.name = row->names[BUILD_NEW] != NULL ? row->names[BUILD_NEW] : row->names[BUILD_OLD];
	if (is_changed(row, COMPARE_SELF))
		place.class = 0;
	else if (is_changed(row, COMPARE_TOTAL) || is_changed(row, COMPARE_CALLS) ||
	         is_changed(row, COMPARE_PER_CALL_TIME))
		place.class = 1;
	place.effect = effect_on(row, place.class == 1 ? COMPARE_TOTAL : COMPARE_SELF);
	if (row->kind == PROFILE_BAREPROF && place.class == 0)
		place = (struct row_place){1, RECORDER_EFFECT, place.name, index};
	return place;
}

static int compare_row_places(const void *left, const void *right)
{
	const struct row_place *a = left, *b = right;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->effect > b->effect || a->effect < b->effect)
		return a->effect > b->effect ? -1 : 1;
	int names = strcmp(a->name, b->name);
	return names != 0 ? names : (a->row > b->row) - (a->row < b->row);
}

/* Moves the rows to their places; places[i].row becomes the new index of row i. */
static bool move_rows_to_places(struct comparison *comparison, struct row_place *places)
{
	struct compare_row *rows = calloc(comparison->row_count + 1, sizeof *rows);
	size_t *went = calloc(comparison->row_count + 1, sizeof *went);

	if (rows == NULL || went == NULL) {
		free(rows);
		free(went);
		return false;
	}
	for (size_t i = 0; i < comparison->row_count; i++) {
		rows[i] = comparison->rows[places[i].row];
		went[places[i].row] = i;
		comparison->changed_count += places[i].class < 2;
	}
	for (size_t i = 0; i < comparison->row_count; i++)
		places[i].row = went[i];
	free(comparison->rows);
	comparison->rows = rows;
	free(went);
	return true;
}

static bool move_arcs_to_places(struct comparison *comparison, const struct row_place *places)
{
	for (size_t i = 0; i < comparison->arc_count; i++) {
		comparison->arcs[i].caller = places[comparison->arcs[i].caller].row;
		comparison->arcs[i].callee = places[comparison->arcs[i].callee].row;
	}
	compare_sort_arcs(comparison);
	return compare_index_arcs(comparison);
}

static bool find_rows_of_nodes(const struct compare_state *state, const struct row_place *places)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct compare_build *compared = &state->comparison->builds[build];
		const struct profile *profile = compared->profile;

		compared->row_of_node = calloc(profile->node_count + 1, sizeof *compared->row_of_node);
		if (compared->row_of_node == NULL)
			return false;
		for (size_t i = 0; i < profile->node_count; i++)
			compared->row_of_node[i] = places[compare_row_of_node(state, build, profile, i)].row;
	}
	return true;
}

enum status compare_order(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	struct row_place *places = calloc(comparison->row_count + 1, sizeof *places);

	if (places == NULL)
		return compare_out_of_memory(state, error);
	for (size_t i = 0; i < comparison->row_count; i++)
		places[i] = place_of_row(&comparison->rows[i], i);
	if (comparison->row_count > 0)
		qsort(places, comparison->row_count, sizeof *places, compare_row_places);
	bool ok = move_rows_to_places(comparison, places) && move_arcs_to_places(comparison, places) &&
	          find_rows_of_nodes(state, places);
	if (ok && comparison->unit_row != PAIRING_NONE)
		comparison->unit_row = places[comparison->unit_row].row;
	if (ok && comparison->rejected_row != PAIRING_NONE)
		comparison->rejected_row = places[comparison->rejected_row].row;
	free(places);
	return ok ? STATUS_OK : compare_out_of_memory(state, error);
}
