/* SPDX-License-Identifier: MIT */
/*
 * Pass: turns recorded pairs of addresses into arcs between nodes. The caller is looked up at the return address minus
 * one: a call may be the last instruction of its function.
 */
#include "analysis/analysis.h"

#include <stdlib.h>

static size_t caller_node(struct profile *profile, uint64_t return_address)
{
	enum profile_node_kind kind = profile_caller_kind(profile->image, return_address);
	if (kind != PROFILE_FUNCTION)
		return profile_node_of_kind(profile, kind);
	return profile_node_at(profile, profile_call_site(profile->image, return_address));
}

static size_t callee_node(struct profile *profile, uint64_t callee)
{
	return profile_node_at(profile, profile->image->isa == IMAGE_ISA_ARM ? callee & ~UINT64_C(1) : callee);
}

static size_t count_recorded(const struct profile *profile)
{
	size_t count = 0;
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			count += profile->captures[i]->blocks[j].arc_count;
	return count;
}

static bool add_block(struct profile *profile, const struct capture_block *block)
{
	for (size_t i = 0; i < block->arc_count; i++) {
		size_t caller = caller_node(profile, block->arcs[i].caller);
		size_t callee = callee_node(profile, block->arcs[i].callee);
		if (caller == PROFILE_NONE || callee == PROFILE_NONE)
			return false;
		profile->arcs[profile->arc_count++] = (struct profile_arc){
		        .caller = caller,
		        .callee = callee,
		        .count = block->arcs[i].count,
		};
	}
	return true;
}

static int compare_arcs(const void *left, const void *right)
{
	const struct profile_arc *a = left, *b = right;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

/* Sorts, and adds up arcs between the same two nodes. */
static void merge(struct profile *profile)
{
	qsort(profile->arcs, profile->arc_count, sizeof *profile->arcs, compare_arcs);
	size_t kept = 0;
	for (size_t i = 0; i < profile->arc_count; i++) {
		if (kept > 0 && compare_arcs(&profile->arcs[kept - 1], &profile->arcs[i]) == 0) {
			struct profile_arc *same = &profile->arcs[kept - 1];
			same->count = profile_add_calls(same->count, profile->arcs[i].count);
		} else {
			profile->arcs[kept++] = profile->arcs[i];
		}
	}
	profile->arc_count = kept;
}

static void count_calls(struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		struct profile_node *callee = &profile->nodes[arc->callee];
		if (arc->caller == arc->callee)
			callee->self_calls = arc->count;
		else
			callee->calls = profile_add_calls(callee->calls, arc->count);
	}
}

/* Turns counts per node into the index where each node's share begins. */
static void counts_to_starts(size_t *counts, size_t node_count)
{
	size_t start = 0;
	for (size_t i = 0; i <= node_count; i++) {
		size_t count = counts[i];
		counts[i] = start;
		start += count;
	}
}

/* The arcs by caller (they are sorted so already) and by callee (a counting sort keeps callers in order). */
static void index_arcs(struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++) {
		profile->first_arc[profile->arcs[i].caller]++;
		profile->first_parent[profile->arcs[i].callee + 1]++;
	}
	counts_to_starts(profile->first_arc, profile->node_count);
	counts_to_starts(profile->first_parent, profile->node_count + 1);
	for (size_t i = 0; i < profile->arc_count; i++)
		profile->parent_arcs[profile->first_parent[profile->arcs[i].callee + 1]++] = i;
}

enum status analysis_build_arcs(struct profile *profile, struct error *error)
{
	size_t recorded = count_recorded(profile);
	profile->arcs = calloc(recorded + 1, sizeof *profile->arcs);
	bool enough = profile->arcs != NULL;
	for (size_t i = 0; enough && i < profile->capture_count; i++)
		for (size_t j = 0; enough && j < profile->captures[i]->block_count; j++)
			enough = add_block(profile, &profile->captures[i]->blocks[j]);
	profile->first_arc = calloc(profile->node_count + 2, sizeof(size_t));
	profile->first_parent = calloc(profile->node_count + 2, sizeof(size_t));
	profile->parent_arcs = calloc(recorded + 1, sizeof(size_t));
	if (!enough || profile->first_arc == NULL || profile->first_parent == NULL || profile->parent_arcs == NULL)
		return status_fail(error, "%s: out of memory for %zu arcs", profile->image->path, recorded);
	merge(profile);
	count_calls(profile);
	index_arcs(profile);
	return STATUS_OK;
}
