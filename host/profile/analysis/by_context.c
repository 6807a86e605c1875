/* SPDX-License-Identifier: MIT */
/*
 * Pass: propagation within each context, added up. The cost of a function may depend on the task that calls it; if its
 * time were shared among all its calls, one task would be charged with the work of another. Each context in turn
 * becomes a profile with the cycles and the order of the whole, is propagated and added to the whole, so memory for
 * only two profiles is needed.
 */
#include "profile/analysis/parts.h"

#include "capture/count.h"
#include "profile/split.h"

#include <stdlib.h>
#include <string.h>

struct contexts {
	struct profile *whole;
	struct profile_part *parts;
	size_t count;
};

typedef enum status (*part_ready)(struct profile *whole, struct profile_part *part, struct error *error);

static bool has_contexts(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (profile->blocks[i]->has_contexts)
			return true;
	return false;
}

static bool are_several_contexts(const struct contexts *contexts)
{
	size_t count = 0;

	for (size_t i = 0; i < contexts->count; i++)
		count += contexts->parts[i].is_rest || contexts->parts[i].number != CAPTURE_NO_CONTEXT;
	return count > 1;
}

/* --- A part with the graph of the whole. */

/* Copies the counts of the part to arcs, a copy of the whole's arcs. The part's arcs are a subset of them, in the same
 * order. */
static void take_counts(struct profile_arc *arcs, size_t count, const struct profile *part)
{
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_arc *arc = next < part->arc_count ? &part->arcs[next] : NULL;
		bool is_same = arc != NULL && arc->caller == arcs[i].caller && arc->callee == arcs[i].callee;

		arcs[i].count = is_same ? arc->count : 0;
		arcs[i].self_time = arcs[i].child_time = 0;
		next += is_same;
	}
}

static void *copy_of(const void *items, size_t count, size_t size)
{
	void *copy = calloc(count + 1, size);

	return copy != NULL ? memcpy(copy, items, count * size) : NULL;
}

static bool adopt_arcs(const struct profile *whole, struct profile *part)
{
	struct profile_arc *arcs = copy_of(whole->arcs, whole->arc_count, sizeof *arcs);

	if (arcs != NULL)
		take_counts(arcs, whole->arc_count, part);
	free(part->arcs);
	free(part->first_arc);
	free(part->first_parent);
	free(part->parent_arcs);
	part->arcs = arcs;
	part->arc_count = whole->arc_count;
	part->first_arc = copy_of(whole->first_arc, whole->node_count + 1, sizeof *whole->first_arc);
	part->first_parent = copy_of(whole->first_parent, whole->node_count + 1, sizeof *whole->first_parent);
	part->parent_arcs = copy_of(whole->parent_arcs, whole->arc_count, sizeof *whole->parent_arcs);
	return arcs != NULL && part->first_arc != NULL && part->first_parent != NULL && part->parent_arcs != NULL;
}

static bool adopt_cycles(const struct profile *whole, struct profile *part)
{
	part->cycles = calloc(whole->cycle_count + 1, sizeof *part->cycles);
	part->cycle_count = part->cycles != NULL ? whole->cycle_count : 0;
	for (size_t i = 0; i < part->cycle_count; i++)
		part->cycles[i] = (struct profile_cycle){
		        .members = whole->cycles[i].members,
		        .member_count = whole->cycles[i].member_count,
		};
	part->node_count = whole->node_count;
	for (size_t i = 0; i < whole->node_count; i++) {
		part->nodes[i].order = whole->nodes[i].order;
		part->nodes[i].cycle = whole->nodes[i].cycle;
		part->nodes[i].place_in_cycle = whole->nodes[i].place_in_cycle;
	}
	return part->cycles != NULL;
}

/* The index of the entity whose time the callers share: the callee or, counted after all nodes, its cycle. */
static size_t shared_unit_of(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->callee].cycle;

	return cycle == PROFILE_NONE ? arc->callee : profile->node_count + cycle;
}

static uint64_t recorded_calls_of(const struct profile *profile, size_t node)
{
	uint64_t calls = 0;

	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++)
		count_add(&calls, profile->arcs[profile->parent_arcs[i]].count);
	return calls;
}

static void find_max_called(struct profile_part *part)
{
	part->max_calls = 0;
	for (size_t i = 0; i < part->profile->node_count; i++) {
		const uint64_t calls = recorded_calls_of(part->profile, i);

		if (calls > part->max_calls) {
			part->max_called = i;
			part->max_calls = calls;
		}
	}
}

/* A function that ran in a context without any recorded call there was entered in another context, or before recording
 * began, or the context of the call is unknown. Its time there is shared by its calls from all contexts. */
static bool borrow_calls(const struct profile *whole, struct profile *part)
{
	uint64_t *calls = calloc(part->node_count + part->cycle_count + 1, sizeof *calls);

	if (calls == NULL)
		return false;
	for (size_t i = 0; i < part->arc_count; i++)
		if (profile_arc_is_timed(part, &part->arcs[i]))
			count_add(&calls[shared_unit_of(part, &part->arcs[i])], part->arcs[i].count);
	for (size_t i = 0; i < part->arc_count; i++)
		if (profile_arc_is_timed(part, &part->arcs[i]) && calls[shared_unit_of(part, &part->arcs[i])] == 0)
			part->arcs[i].count = whole->arcs[i].count;
	free(calls);
	return true;
}

static void recount_part_calls(struct profile *part)
{
	for (size_t i = 0; i < part->node_count; i++)
		part->nodes[i].calls = part->nodes[i].removed_calls = part->nodes[i].self_calls = 0;
	for (size_t i = 0; i < part->arc_count; i++) {
		const struct profile_arc *arc = &part->arcs[i];
		struct profile_node *callee = &part->nodes[arc->callee];

		count_add(arc->caller == arc->callee ? &callee->self_calls : &callee->calls, arc->count);
		if (arc->is_removed)
			count_add(&callee->removed_calls, arc->count);
	}
}

static enum status make_part(const struct contexts *contexts, size_t index, struct error *error)
{
	const struct profile *whole = contexts->whole;
	struct profile_part *part = &contexts->parts[index];
	enum status status = parts_begin(whole, contexts->parts, index, error);

	if (status == STATUS_OK)
		status = analysis_assign_samples(part->profile, error);
	if (status == STATUS_OK)
		status = analysis_build_arcs(part->profile, error);
	if (status == STATUS_OK)
		analysis_mark_only_shared(part->profile);
	if (status == STATUS_OK && !(adopt_arcs(whole, part->profile) && adopt_cycles(whole, part->profile)))
		status = status_no_memory(error, whole->image->path);
	if (status != STATUS_OK)
		return status;
	find_max_called(part);
	if (!borrow_calls(whole, part->profile))
		return status_no_memory(error, whole->image->path);
	recount_part_calls(part->profile);
	return analysis_propagate(part->profile, error);
}

static enum status each_part(const struct contexts *contexts, part_ready ready, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < contexts->count; i++) {
		status = make_part(contexts, i, error);
		if (status == STATUS_OK)
			status = ready(contexts->whole, &contexts->parts[i], error);
		profile_free_part(&contexts->parts[i]);
	}
	return status;
}

/* --- Sums. */

static void forget_times(struct profile *whole)
{
	whole->wanted_time = 0;
	for (size_t i = 0; i < whole->node_count; i++) {
		struct profile_node *node = &whole->nodes[i];

		node->child_time = node->wanted.self_time = node->wanted.child_time = 0;
	}
	for (size_t i = 0; i < whole->cycle_count; i++) {
		struct profile_cycle *cycle = &whole->cycles[i];

		cycle->self_time = cycle->child_time = cycle->wanted.self_time = cycle->wanted.child_time = 0;
	}
	for (size_t i = 0; i < whole->arc_count; i++)
		whole->arcs[i].self_time = whole->arcs[i].child_time = 0;
}

static void list_context(struct profile *whole, const struct profile_part *part)
{
	const struct profile *profile = part->profile;
	struct profile_context *context = &whole->contexts[whole->context_count++];

	*context = (struct profile_context){
	        .number = part->number,
	        .name = part->name,
	        .is_rest = part->is_rest,
	        .samples = profile->total_samples,
	        .time = profile->total_time,
	        .recorder_time = profile_recorder_time(profile),
	        .max_called = part->max_called,
	        .max_calls = part->max_calls,
	        .switches = part->switches,
	};
	for (size_t i = 0; i < profile->block_count; i++)
		for (size_t j = 0; j < profile->blocks[i]->arc_count; j++)
			count_add(&context->calls, profile->blocks[i]->arcs[j].count);
}

static void add_wanted(struct profile_wanted *sum, const struct profile_wanted *wanted)
{
	sum->self_time += wanted->self_time;
	sum->child_time += wanted->child_time;
}

static enum status add_part_times(struct profile *whole, struct profile_part *part, struct error *error)
{
	const struct profile *profile = part->profile;

	(void)error;
	list_context(whole, part);
	whole->wanted_time += profile->wanted_time;
	for (size_t i = 0; i < whole->node_count; i++) {
		whole->nodes[i].child_time += profile->nodes[i].child_time;
		add_wanted(&whole->nodes[i].wanted, &profile->nodes[i].wanted);
	}
	for (size_t i = 0; i < whole->cycle_count; i++) {
		whole->cycles[i].self_time += profile->cycles[i].self_time;
		whole->cycles[i].child_time += profile->cycles[i].child_time;
		add_wanted(&whole->cycles[i].wanted, &profile->cycles[i].wanted);
	}
	for (size_t i = 0; i < whole->arc_count; i++) {
		whole->arcs[i].self_time += profile->arcs[i].self_time;
		whole->arcs[i].child_time += profile->arcs[i].child_time;
	}
	return STATUS_OK;
}

/* Contexts have disjoint samples, so their errors are independent and variances add up. */
static enum status add_errors(struct profile *whole, struct profile_part *part, struct error *error)
{
	const struct profile *profile = part->profile;
	enum status status = analysis_estimate_errors(part->profile, whole, error);

	for (size_t i = 0; status == STATUS_OK && i < whole->node_count; i++) {
		whole->nodes[i].total_variance += profile->nodes[i].total_variance;
		whole->nodes[i].share_variance += profile->nodes[i].share_variance;
	}
	for (size_t i = 0; status == STATUS_OK && i < whole->cycle_count; i++)
		whole->cycles[i].total_variance += profile->cycles[i].total_variance;
	return status;
}

static int compare_contexts(const void *left, const void *right)
{
	const struct profile_context *a = left, *b = right;

	return parts_compare(&(struct part_key){0, a->is_rest, a->number, a->name, a->time},
	                     &(struct part_key){0, b->is_rest, b->number, b->name, b->time});
}

static enum status propagate_each(const struct contexts *contexts, bool total_errors, struct error *error)
{
	struct profile *whole = contexts->whole;

	whole->contexts = calloc(contexts->count + 1, sizeof *whole->contexts);
	if (whole->contexts == NULL)
		return status_no_memory(error, whole->image->path);
	forget_times(whole);
	enum status status = each_part(contexts, add_part_times, error);
	qsort(whole->contexts, whole->context_count, sizeof *whole->contexts, compare_contexts);
	if (status == STATUS_OK && total_errors) {
		status = each_part(contexts, add_errors, error);
		whole->has_total_variance = true;
	}
	return status;
}

enum status analysis_propagate_by_context(struct profile *profile, bool total_errors, struct error *error)
{
	struct contexts contexts = {.whole = profile};

	if (!has_contexts(profile))
		return STATUS_OK;
	enum status status = parts_find_contexts(profile, false, &contexts.parts, &contexts.count, error);
	if (status == STATUS_OK && are_several_contexts(&contexts))
		status = propagate_each(&contexts, total_errors, error);
	free(contexts.parts);
	return status;
}
