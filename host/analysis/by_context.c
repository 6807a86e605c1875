/* SPDX-License-Identifier: MIT */
/*
 * Pass: propagation within each context, added up. What a function costs may depend on the task that calls it, and
 * sharing its time by all calls would charge one task with the work of another. One context after the other is made a
 * profile that has the whole's cycles and order, propagated and added to the whole; so memory is that of two profiles.
 * Time whose context is unknown goes by the calls of all.
 */
#include "analysis/parts.h"

#include "capture/count.h"

#include <stdlib.h>

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

static bool are_several(const struct contexts *contexts)
{
	size_t count = 0;
	for (size_t i = 0; i < contexts->count; i++)
		count += contexts->parts[i].is_rest || contexts->parts[i].number != CAPTURE_NO_CONTEXT;
	return count > 1;
}

/* --- A part with the graph of the whole. */

static enum status adopt_cycles(const struct profile *whole, struct profile *part, struct error *error)
{
	part->cycles = calloc(whole->cycle_count + 1, sizeof *part->cycles);
	if (part->cycles == NULL)
		return status_fail(error, "%s: out of memory for the call graph", whole->image->path);
	for (part->cycle_count = 0; part->cycle_count < whole->cycle_count; part->cycle_count++)
		part->cycles[part->cycle_count] = (struct profile_cycle){
		        .members = whole->cycles[part->cycle_count].members,
		        .member_count = whole->cycles[part->cycle_count].member_count,
		};
	for (size_t i = 0; i < whole->node_count; i++) {
		part->nodes[i].order = whole->nodes[i].order;
		part->nodes[i].cycle = whole->nodes[i].cycle;
	}
	return STATUS_OK;
}

/* The arc of the whole that an arc of a part belongs to. Both are sorted by caller and callee: *next goes through those
 * of the whole once. */
static struct profile_arc *arc_in_whole(struct profile *whole, const struct profile_arc *arc, size_t *next)
{
	const struct profile_arc *at = &whole->arcs[*next];
	while (*next + 1 < whole->arc_count &&
	       (at->caller < arc->caller || (at->caller == arc->caller && at->callee < arc->callee)))
		at = &whole->arcs[++*next];
	return &whole->arcs[*next];
}

static void adopt_removed_arcs(struct profile *whole, struct profile *part)
{
	size_t next = 0;
	for (size_t i = 0; whole->removed_count > 0 && i < part->arc_count; i++) {
		struct profile_arc *arc = &part->arcs[i];
		arc->is_removed = arc_in_whole(whole, arc, &next)->is_removed;
		if (arc->is_removed)
			count_add(&part->nodes[arc->callee].removed_calls, arc->count);
	}
}

/* Any of the calls may have been made in an unknown context: their average is the best guess. */
static enum status take_all_arcs(const struct profile *whole, struct profile *part, struct error *error)
{
	const struct capture_block **own = part->blocks;
	size_t own_count = part->block_count;
	part->blocks = whole->blocks;
	part->block_count = whole->block_count;
	enum status status = analysis_build_arcs(part, error);
	part->blocks = own;
	part->block_count = own_count;
	return status;
}

static enum status make_part(const struct contexts *contexts, size_t index, struct error *error)
{
	struct profile_part *part = &contexts->parts[index];
	bool is_unknown = !part->is_rest && part->number == CAPTURE_NO_CONTEXT;
	enum status status = parts_begin(contexts->whole, contexts->parts, index, ANALYSIS_BY_CONTEXT, error);
	if (status == STATUS_OK)
		status = analysis_record(part->profile, error);
	if (status == STATUS_OK && is_unknown)
		status = take_all_arcs(contexts->whole, part->profile, error);
	if (status == STATUS_OK)
		status = adopt_cycles(contexts->whole, part->profile, error);
	if (status != STATUS_OK)
		return status;
	adopt_removed_arcs(contexts->whole, part->profile);
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

static enum status add_times(struct profile *whole, struct profile_part *part, struct error *error)
{
	const struct profile *profile = part->profile;
	size_t next = 0;
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
	for (size_t i = 0; i < profile->arc_count; i++) {
		struct profile_arc *arc = arc_in_whole(whole, &profile->arcs[i], &next);
		arc->self_time += profile->arcs[i].self_time;
		arc->child_time += profile->arcs[i].child_time;
	}
	return STATUS_OK;
}

/* Samples of different contexts are different samples: their errors are independent, and variances add up. */
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
	return parts_compare(&(struct part_key){a->is_rest, a->number, a->name, a->time},
	                     &(struct part_key){b->is_rest, b->number, b->name, b->time});
}

static enum status propagate_each(const struct contexts *contexts, bool total_errors, struct error *error)
{
	struct profile *whole = contexts->whole;
	whole->contexts = calloc(contexts->count + 1, sizeof *whole->contexts);
	if (whole->contexts == NULL)
		return status_fail(error, "%s: out of memory for %zu contexts", whole->image->path, contexts->count);
	forget_times(whole);
	enum status status = each_part(contexts, add_times, error);
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
	enum status status = parts_find_contexts(profile, &contexts.parts, &contexts.count, error);
	if (status == STATUS_OK && are_several(&contexts))
		status = propagate_each(&contexts, total_errors, error);
	free(contexts.parts);
	return status;
}
