/* SPDX-License-Identifier: MIT */
/* Stage: makes one row per pair of functions, and one per kind of node other than functions. */
#include "diff/private.h"

#include <stdlib.h>

/* Builds differ in which code is unknown, so all unknown code shares one row. */
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

static size_t add_row(struct comparison *made, enum profile_node_kind kind)
{
	made->rows[made->row_count] = (struct compare_row){.kind = kind, .pair = PAIRING_NONE};
	return made->row_count++;
}

static void add_function(struct compare_state *state, size_t pair)
{
	struct comparison *made = state->made;
	size_t row = add_row(made, PROFILE_FUNCTION);

	state->row_of_pair[pair] = row;
	made->rows[row].pair = pair;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		made->rows[row].names[build] = made->pairing.pairs[pair].names[build];
}

static void add_kind(struct compare_state *state, enum build build, const struct profile_node *node)
{
	size_t *row = &state->row_of_kind[node->kind];

	if (*row == PAIRING_NONE)
		*row = add_row(state->made, node->kind);

	state->made->rows[*row].names[build] = name_of_kind(node);
}

static void add_node(struct compare_state *state, enum build build, size_t index)
{
	const struct comparison *made = state->made;
	const struct profile_node *node = &made->builds[build].profile->nodes[index];

	if (node->kind != PROFILE_FUNCTION) {
		add_kind(state, build, node);
		return;
	}
	size_t pair = made->pairing.pair_of[build][index];
	if (state->row_of_pair[pair] == PAIRING_NONE)
		add_function(state, pair);
	if (node->cycle != PROFILE_NONE)
		made->rows[state->row_of_pair[pair]].cycles[build] = node->cycle + 1;
}

enum status compare_list_rows(struct compare_state *state, struct error *error)
{
	struct comparison *made = state->made;

	state->row_of_pair = calloc(made->pairing.count + 1, sizeof *state->row_of_pair);
	made->rows = calloc(made->pairing.count + KIND_COUNT, sizeof *made->rows);
	if (state->row_of_pair == NULL || made->rows == NULL)
		return compare_out_of_memory(state, error);
	for (size_t i = 0; i < made->pairing.count; i++)
		state->row_of_pair[i] = PAIRING_NONE;
	for (size_t i = 0; i < KIND_COUNT; i++)
		state->row_of_kind[i] = PAIRING_NONE;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < made->builds[build].profile->node_count; i++)
			add_node(state, build, i);
	for (size_t i = 0; i < made->row_count; i++)
		if (made->rows[i].pair != PAIRING_NONE && made->pairing.pairs[made->rows[i].pair].how != PAIRED_NOT)
			return STATUS_OK;
	return status_fail(error, "%s and %s have no function in common: are they builds of the same firmware?",
	                   made->builds[BUILD_OLD].image->path, made->builds[BUILD_NEW].image->path);
}

size_t compare_row_of_node(const struct compare_state *state, enum build build, const struct profile *profile,
                           size_t node)
{
	enum profile_node_kind kind = profile->nodes[node].kind;

	return kind == PROFILE_FUNCTION ? state->row_of_pair[state->made->pairing.pair_of[build][node]]
	                                : state->row_of_kind[kind];
}
