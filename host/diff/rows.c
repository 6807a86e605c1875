/* SPDX-License-Identifier: MIT */
/* Stage: makes one row per pair of functions, and one per kind of node other than functions. */
#include "diff/private.h"

#include <stdlib.h>
#include <string.h>

/* All unknown code shares one row, because builds differ in which code is unknown. */
static const char *name_of_kind(const struct profile_node *node)
{
	switch (node->kind) {
	case PROFILE_UNKNOWN:
		return "<unknown>";
	case PROFILE_TABLE_FULL:
		return "<table full>";
	default:
		return node->name;
	}
}

/* The entry of a node in row_of. */
static size_t *row_entry_of(const struct compare_state *state, enum build build, const struct profile *profile,
                            size_t node)
{
	const struct pairing *pairing = &state->comparison->pairing;
	enum profile_node_kind kind = profile->nodes[node].kind;

	return &state->row_of[kind == PROFILE_FUNCTION ? pairing->pair_of[build][node] : pairing->count + kind];
}

static void add_row_of_node(struct compare_state *state, enum build build, size_t index)
{
	struct comparison *comparison = state->comparison;
	const struct profile_node *node = &comparison->builds[build].profile->nodes[index];
	bool is_function = node->kind == PROFILE_FUNCTION;
	size_t *entry = row_entry_of(state, build, comparison->builds[build].profile, index);

	if (*entry == PAIRING_NONE) {
		struct compare_row *row = &comparison->rows[comparison->row_count];

		*entry = comparison->row_count++;
		*row = (struct compare_row){.kind = node->kind, .pair = PAIRING_NONE};
		if (is_function) {
			row->pair = comparison->pairing.pair_of[build][index];
			memcpy(row->names, comparison->pairing.pairs[row->pair].names, sizeof row->names);
		}
	}
	if (!is_function)
		comparison->rows[*entry].names[build] = name_of_kind(node);
	else if (node->cycle != PROFILE_NONE)
		comparison->rows[*entry].cycles[build] = node->cycle + 1;
}

enum status compare_list_rows(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	size_t max = comparison->pairing.count + KIND_COUNT;

	state->row_of = calloc(max, sizeof *state->row_of);
	comparison->rows = calloc(max, sizeof *comparison->rows);
	if (state->row_of == NULL || comparison->rows == NULL)
		return compare_out_of_memory(state, error);
	for (size_t i = 0; i < max; i++)
		state->row_of[i] = PAIRING_NONE;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < comparison->builds[build].profile->node_count; i++)
			add_row_of_node(state, build, i);
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].pair != PAIRING_NONE &&
		    comparison->pairing.pairs[comparison->rows[i].pair].how != PAIRED_NOT)
			return STATUS_OK;
	return status_fail(error, "%s and %s have no function in common: are they builds of the same firmware?",
	                   comparison->builds[BUILD_OLD].image->path, comparison->builds[BUILD_NEW].image->path);
}

size_t compare_row_of_node(const struct compare_state *state, enum build build, const struct profile *profile,
                           size_t node)
{
	return *row_entry_of(state, build, profile, node);
}
