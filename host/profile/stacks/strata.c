/* SPDX-License-Identifier: MIT */
/* Divides the samples of functions among their stacks, see measure.h. */
#include "base/array.h"
#include "base/search.h"
#include "profile/samples/groups.h"
#include "profile/stacks/measure.h"

#include <stdlib.h>

/* The samples of all functions, by source and function. */
struct claims {
	struct stack_claim *items;
	size_t count;
};

static int compare_claim_places(const struct sample_source *a_source, size_t a_node,
                                const struct sample_source *b_source, size_t b_node)
{
	int by_source = source_compare(a_source, b_source);

	return by_source != 0 ? by_source : compare_numbers(a_node, b_node);
}

static int compare_stack_claims(const void *left, const void *right)
{
	const struct stack_claim *a = left, *b = right;

	return compare_claim_places(&a->source, a->node, &b->source, b->node);
}

static void add_up_claim(struct stack_claim *sum, const struct stack_claim *claim)
{
	sum->samples += claim->samples;
	sum->time += claim->time;
	sum->variance += claim->variance;
}

/* Shares of a function in the cells of one source add up to one claim. */
static bool add_claim_of_share(struct claims *claims, const struct share *share)
{
	const struct stack_claim claim = {
	        .node = share->node,
	        .source = share->source,
	        .samples = share->samples,
	        .time = share->samples * share->sample_time,
	        .variance = (share->samples + share->variance) * share->sample_time * share->sample_time,
	};

	if (claims->count > 0 && compare_stack_claims(&claims->items[claims->count - 1], &claim) == 0)
		add_up_claim(&claims->items[claims->count - 1], &claim);
	else if (!array_append(&claims->items, &claims->count, &claim, sizeof claim))
		return false;
	return true;
}

static bool collect_claims(struct claims *claims, const struct profile *profile)
{
	size_t kept = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < profile->share_count; i++)
		ok = add_claim_of_share(claims, &profile->shares[i]);
	if (ok && claims->count > 0)
		qsort(claims->items, claims->count, sizeof *claims->items, compare_stack_claims);
	for (size_t i = 0; i < claims->count; i++) {
		if (kept > 0 && compare_stack_claims(&claims->items[kept - 1], &claims->items[i]) == 0)
			add_up_claim(&claims->items[kept - 1], &claims->items[i]);
		else
			claims->items[kept++] = claims->items[i];
	}
	claims->count = kept;
	return ok;
}

/* --- Strata of stacks. */

static bool make_strata(struct measure *measure)
{
	for (size_t i = 0; i < measure->stack_count; i++) {
		struct measured_stack *stack = &measure->stacks[i];
		struct stratum *last = measure->stratum_count > 0 ? &measure->strata[measure->stratum_count - 1] : NULL;
		size_t leaf = measure->frames[stack->first].node;

		if (last == NULL || compare_claim_places(&last->source, last->leaf, &stack->source, leaf) != 0) {
			const struct stratum stratum = {.source = stack->source, .leaf = leaf, .first = i};

			if (!array_append(&measure->strata, &measure->stratum_count, &stratum, sizeof stratum))
				return false;
			last = &measure->strata[measure->stratum_count - 1];
		}
		last->count++;
		last->weight += stack->weight;
		last->squares += stack->squares;
		stack->stratum = measure->stratum_count - 1;
	}
	for (size_t i = 0; i < measure->stratum_count; i++) {
		struct stratum *stratum = &measure->strata[i];

		stratum->observations = stratum->weight * stratum->weight / stratum->squares;
	}
	return true;
}

static int compare_to_stratum(const void *key, const void *item)
{
	const struct stack_claim *claim = key;
	const struct stratum *stratum = item;

	return compare_claim_places(&claim->source, claim->node, &stratum->source, stratum->leaf);
}

static void give_to_stratum(struct stratum *stratum, const struct stack_claim *claim, double part)
{
	stratum->samples += claim->samples * part;
	stratum->time += claim->time * part;
	stratum->variance += claim->variance * part;
}

/* Strata by function: the strata of node n are items[first[n]] up to items[first[n + 1]]. */
struct leaf_index {
	size_t *first, *items;
	struct stack_claim *elsewhere; /* by function: samples of sources without stacks */
	struct scratch scratch;
};

static bool make_leaf_index(const struct measure *measure, struct leaf_index *index)
{
	size_t nodes = measure->profile->node_count; /* later passes add none */

	index->first = scratch_array(&index->scratch, nodes + 2, sizeof *index->first);
	index->items = scratch_array(&index->scratch, measure->stratum_count, sizeof *index->items);
	index->elsewhere = scratch_array(&index->scratch, nodes, sizeof *index->elsewhere);
	if (index->scratch.is_short_of_memory)
		return false;
	for (size_t i = 0; i < measure->stratum_count; i++)
		index->first[measure->strata[i].leaf + 2]++;
	for (size_t i = 2; i < nodes + 2; i++)
		index->first[i] += index->first[i - 1];
	for (size_t i = 0; i < measure->stratum_count; i++)
		index->items[index->first[measure->strata[i].leaf + 1]++] = i;
	return true;
}

/* Divides the samples of a function in sources without stacks among its stacks in all sources. */
static void give_elsewhere(struct measure *measure, const struct leaf_index *index, size_t node)
{
	double weight = 0;

	for (size_t i = index->first[node]; i < index->first[node + 1]; i++)
		weight += measure->strata[index->items[i]].weight;
	for (size_t i = index->first[node]; i < index->first[node + 1]; i++) {
		struct stratum *stratum = &measure->strata[index->items[i]];

		give_to_stratum(stratum, &index->elsewhere[node], stratum->weight / weight);
	}
}

static void divide_time(struct measure *measure)
{
	for (size_t i = 0; i < measure->stack_count; i++) {
		struct measured_stack *stack = &measure->stacks[i];
		const struct stratum *stratum = &measure->strata[stack->stratum];

		stack->time = stratum->time * (stack->weight / stratum->weight);
		stack->samples = stratum->samples * (stack->weight / stratum->weight);
	}
}

/* --- Claims. */

/* The first stratum of the source, or of the next source with one; count: the number of strata to search. */
static size_t first_of_source(const struct measure *measure, size_t count, const struct sample_source *source)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (source_compare(&measure->strata[middle].source, source) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of_source(const struct measure *measure, size_t count, size_t stratum,
                         const struct sample_source *source)
{
	return stratum < count && source_compare(&measure->strata[stratum].source, source) == 0;
}

static bool has_stacks_of_source(const struct measure *measure, const struct sample_source *source)
{
	return is_of_source(measure, measure->stratum_count, first_of_source(measure, measure->stratum_count, source),
	                    source);
}

/*
 * Gives the claims of functions with stacks to their strata. Moves the other claims to the front, in order, and returns
 * their number. Samples may lack a context although stacks have one. There may be many contexts of both kinds, so
 * samples of contexts without stacks are added up before they are divided.
 */
static size_t settle_claims(struct measure *measure, struct leaf_index *index, struct claims *claims)
{
	size_t left = 0;

	for (size_t i = 0; i < claims->count; i++) {
		const struct stack_claim *claim = &claims->items[i];
		struct stratum *stratum = bsearch(claim, measure->strata, measure->stratum_count,
		                                  sizeof *measure->strata, compare_to_stratum);
		const bool is_elsewhere = index->first[claim->node] < index->first[claim->node + 1];

		if (stratum != NULL)
			give_to_stratum(stratum, claim, 1);
		else if (is_elsewhere && !has_stacks_of_source(measure, &claim->source))
			add_up_claim(&index->elsewhere[claim->node], claim);
		else
			claims->items[left++] = *claim;
	}
	for (size_t node = 0; node < measure->profile->node_count; node++)
		if (index->elsewhere[node].samples > 0)
			give_elsewhere(measure, index, node);
	return left;
}

static bool may_have_callers(const struct measure *measure, const struct stack_claim *claim)
{
	enum profile_node_kind kind = measure->profile->nodes[claim->node].kind;

	return claim->time > 0 && (kind == PROFILE_FUNCTION || kind == PROFILE_UNKNOWN);
}

/* Moves the claims that need callers to the front and returns their number; SIZE_MAX when out of memory. Adds stacks of
 * one frame for the other claims. */
static size_t settle_roots(struct measure *measure, struct stack_claim *claims, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (may_have_callers(measure, &claims[i]))
			claims[left++] = claims[i];
		else if (!measure_add_root(measure, &claims[i]))
			return SIZE_MAX;
	}
	return left;
}

/* Functions without stacks borrow stacks of their source or, if it has none, of all sources. The lenders are the strata
 * and stacks of the captures, which come first. */
static bool borrow_for_claims(struct measure *measure, size_t strata, size_t stacks, struct stack_claim *claims,
                              size_t count)
{
	size_t orphans = 0, end;
	bool ok = true;

	for (size_t first = 0; ok && first < count; first = end) {
		const struct sample_source *source = &claims[first].source;
		size_t first_stratum = first_of_source(measure, strata, source), last = first_stratum;

		for (end = first + 1; end < count && source_compare(source, &claims[end].source) == 0;)
			end++;
		while (is_of_source(measure, strata, last, source))
			last++;
		if (last > first_stratum)
			ok = measure_borrow(measure, &claims[first], end - first, measure->strata[first_stratum].first,
			                    measure->strata[last - 1].first + measure->strata[last - 1].count);
		for (size_t i = first; last == first_stratum && i < end; i++)
			claims[orphans++] = claims[i];
	}
	return ok && measure_borrow(measure, claims, orphans, 0, stacks);
}

static int compare_by_stratum(const void *left, const void *right)
{
	const struct measured_stack *a = left, *b = right;

	return a->stratum != b->stratum ? compare_numbers(a->stratum, b->stratum) : compare_numbers(a->first, b->first);
}

static void sort_by_stratum(struct measure *measure)
{
	for (size_t i = 0; i < measure->stratum_count; i++)
		measure->strata[i].count = 0;
	if (measure->stack_count > 0)
		qsort(measure->stacks, measure->stack_count, sizeof *measure->stacks, compare_by_stratum);
	for (size_t i = 0; i < measure->stack_count; i++) {
		struct stratum *stratum = &measure->strata[measure->stacks[i].stratum];

		if (stratum->count++ == 0)
			stratum->first = i;
	}
}

/* The time of sampling interrupts belongs to the recorder, even if it has no samples. */
static bool add_time_of_handler(struct measure *measure)
{
	struct profile *profile = measure->profile;
	size_t recorder = profile->handler_time > 0 ? profile_node_of_kind(profile, PROFILE_BAREPROF) : PROFILE_NONE;
	const struct stack_claim claim = {.node = recorder, .time = profile->handler_time};

	if (profile->handler_time <= 0)
		return true;
	for (size_t i = 0; i < measure->stack_count; i++) {
		struct measured_stack *stack = &measure->stacks[i];

		if (measure->frames[stack->first].node != recorder)
			continue;
		stack->time += profile->handler_time;
		measure->strata[stack->stratum].time += profile->handler_time;
		return true;
	}
	return measure_add_root(measure, &claim);
}

enum status measure_divide(struct measure *measure, struct error *error)
{
	struct claims claims = {.count = 0};
	struct leaf_index index = {.first = NULL};
	bool ok = collect_claims(&claims, measure->profile) && make_strata(measure) && make_leaf_index(measure, &index);

	if (ok) {
		size_t strata = measure->stratum_count, stacks = measure->stack_count;
		size_t left = settle_claims(measure, &index, &claims);

		divide_time(measure);
		left = settle_roots(measure, claims.items, left);
		ok = left != SIZE_MAX && borrow_for_claims(measure, strata, stacks, claims.items, left) &&
		     add_time_of_handler(measure);
	}
	if (ok)
		sort_by_stratum(measure);
	scratch_free(&index.scratch);
	free(claims.items);
	return ok ? STATUS_OK : status_no_memory(error, measure->profile->image->path);
}
