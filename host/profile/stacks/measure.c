/* SPDX-License-Identifier: MIT */
/* Pass: total times from stacks. The estimate of gprof's propagation is kept next to them. */
#include "profile/stacks/measure.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/call_sites.h"
#include "profile/analysis.h"
#include "profile/calls/arc_list.h"
#include "profile/measurement.h"

#include <math.h>
#include <stdlib.h>

/* Measured and estimated times differ if they are further apart than this many joint standard errors. */
#define DIFFERENT 3.0

/* --- The estimate. */

static double variance_of_unit(const struct profile *profile, size_t callee, double *time)
{
	const struct profile_node *node = &profile->nodes[callee];

	if (node->cycle == PROFILE_NONE) {
		*time = profile_node_total(node);
		return node->total_variance;
	}
	const struct profile_cycle *cycle = &profile->cycles[node->cycle];
	*time = cycle->self_time + cycle->child_time;
	return cycle->total_variance;
}

/* The arc's part of its callee's time is known from counts, without error. */
static void keep_arc(const struct profile *profile, const struct profile_arc *arc, struct profile_measured_arc *kept)
{
	double whole, variance = variance_of_unit(profile, arc->callee, &whole);

	kept->estimated_time = arc->self_time + arc->child_time;
	double part = whole > 0 ? kept->estimated_time / whole : 0;
	kept->estimated_variance = part * part * variance;
}

/* False when out of memory. */
static bool keep_estimate(struct profile *profile, struct profile_measurement *made)
{
	made->arcs = calloc(profile->arc_count + 1, sizeof *made->arcs);
	if (made->arcs == NULL)
		return false;
	for (size_t i = 0; i < profile->arc_count; i++)
		keep_arc(profile, &profile->arcs[i], &made->arcs[i]);
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];

		node->estimated_child_time = node->child_time;
		node->estimated_variance = node->total_variance;
		node->was_in_cycle = node->cycle != PROFILE_NONE;
	}
	return true;
}

/* Orders the functions again, because stacks have added calls. A measured profile needs no cycles and no removed arcs,
 * because stacks show recursion directly. */
static enum status order_nodes(struct profile *profile, struct error *error)
{
	for (size_t i = 0; i < profile->arc_count; i++)
		profile->arcs[i].is_removed = false;
	profile->removed_count = 0;
	enum status status = analysis_find_cycles(profile, error);
	profile->cycle_count = 0;
	for (size_t i = 0; i < profile->node_count; i++) {
		profile->nodes[i].cycle = PROFILE_NONE;
		profile->nodes[i].removed_calls = 0;
	}
	return status;
}

/* --- Arcs that are on stacks only. */

/* A caller and a callee that are next to each other on a stack. */
struct stack_link {
	uint64_t key, site; /* key: both nodes; site: in the call instruction, or 0: unknown */
};

static int compare_links(const void *left, const void *right)
{
	const struct stack_link *a = left, *b = right;

	return a->key != b->key ? compare_numbers(a->key, b->key) : compare_numbers(b->site, a->site);
}

/* Counts links without an arc in the profile, and lists them unless links is NULL. known: nodes that may have arcs. */
static size_t list_links(const struct measure *measure, size_t known, struct stack_link *links)
{
	const struct profile *profile = measure->profile;
	size_t count = 0;

	for (size_t i = 0; i < measure->stack_count; i++) {
		const struct measured_stack *stack = &measure->stacks[i];

		for (size_t j = stack->first; j + 1 < stack->first + stack->depth; j++) {
			size_t callee = measure->frames[j].node, caller = measure->frames[j + 1].node;

			if (profile->nodes[callee].kind == PROFILE_UNKNOWN_CALLER ||
			    (caller < known && profile_find_arc(profile, caller, callee) != PROFILE_NONE))
				continue;
			if (links != NULL)
				links[count] = (struct stack_link){(uint64_t)caller << 32 | callee,
				                                   measure->frames[j + 1].address};
			count++;
		}
	}
	return count;
}

static bool add_arc_of_link(struct arc_list *list, struct profile *profile, struct call_sites *sites,
                            const struct stack_link *link)
{
	struct profile_arc arc = {.caller = (uint32_t)(link->key >> 32), .callee = (uint32_t)link->key};
	struct call_site site = {.is_false = false};

	if (link->site != 0 && profile->nodes[arc.callee].kind == PROFILE_FUNCTION) {
		if (!call_sites_check(sites, link->site + 1, profile->nodes[arc.callee].address, &site))
			return false;
		arc.via = arc_via(profile, &site, arc.callee);
	}
	return arc_list_add(list, profile, arc);
}

static bool add_links(struct arc_list *list, struct profile *profile, struct stack_link *links, size_t count)
{
	struct call_sites *sites = call_sites_create(profile->image);
	bool ok = sites != NULL;

	qsort(links, count, sizeof *links, compare_links);
	for (size_t i = 0; ok && i < count; i++)
		if (i == 0 || links[i - 1].key != links[i].key)
			ok = add_arc_of_link(list, profile, sites, &links[i]);
	call_sites_free(sites);
	return ok;
}

static enum status add_arcs_on_stacks(struct measure *measure, size_t known, struct error *error)
{
	struct profile *profile = measure->profile;
	struct arc_list list = {.count = 0};
	size_t count = list_links(measure, known, NULL);
	struct stack_link *links = calloc(count + 1, sizeof *links);
	bool ok = links != NULL && arc_list_add_present(&list, profile);

	if (ok && count > 0) {
		list_links(measure, known, links);
		ok = add_links(&list, profile, links, count);
	}
	free(links);
	enum status status =
	        ok ? arc_list_finish(&list, profile, error) : status_no_memory(error, profile->image->path);
	free(list.items);
	return status;
}

/* --- The differences. */

static bool differs_from_estimate(double measured, bool is_lower_bound, double estimated, double variance)
{
	double difference = measured - estimated;

	return (!is_lower_bound || difference > 0) && difference * difference > DIFFERENT * DIFFERENT * variance;
}

static bool has_recorded_callees(const struct profile *profile, size_t node)
{
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		if (profile->arcs[i].count > 0 && !profile->arcs[i].is_inlined)
			return true;
	return false;
}

/* Marks the nodes and arcs whose measured time differs from the estimate. Needs errors of total times. A difference
 * below the time of one stack is not significant. */
static void mark_differences(struct profile *profile)
{
	double one = profile->total_time / (double)profile->measurement->stack_count, square = one * one;

	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];

		node->differs_from_estimate =
		        has_recorded_callees(profile, i) &&
		        differs_from_estimate(node->child_time, node->is_lower_bound, node->estimated_child_time,
		                              node->total_variance + node->estimated_variance + square);
	}
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		struct profile_measured_arc *measured = &profile->measurement->arcs[i];

		measured->differs_from_estimate =
		        arc->count > 0 && !arc->is_inlined && profile_arc_is_timed(profile, arc) &&
		        differs_from_estimate(arc->self_time + arc->child_time, measured->is_lower_bound,
		                              measured->estimated_time,
		                              measured->variance + measured->estimated_variance + square);
	}
}

/* --- The pass. */

static bool has_captured_stacks(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (profile->blocks[i]->slice_count > 0 || profile->blocks[i]->path_node_count > 0)
			return true;
	return false;
}

static void keep_strata(struct measure *measure)
{
	struct profile_measurement *made = measure->made;

	made->stratum_count = measure->stratum_count;
	for (size_t i = 0; i < measure->stratum_count; i++) {
		const struct stratum *stratum = &measure->strata[i];
		const struct measured_stack *first = &measure->stacks[stratum->first];

		if (stratum->count > 0 &&
		    measure->profile->nodes[measure->frames[first->first].node].kind != PROFILE_BAREPROF)
			made->strata[i] =
			        (struct profile_stratum){stratum->time, stratum->variance, stratum->observations};
	}
}

/* Moves the stacks to the profile. */
static bool keep_stacks(struct measure *measure)
{
	struct profile_measurement *made = measure->made;

	made->stacks = calloc(measure->stack_count + 1, sizeof *made->stacks);
	made->strata = calloc(measure->stratum_count + 1, sizeof *made->strata);
	if (made->stacks == NULL || made->strata == NULL)
		return false;
	keep_strata(measure);
	made->frames = measure->frames;
	measure->frames = NULL;
	for (size_t i = 0; i < measure->stack_count; i++) {
		const struct measured_stack *stack = &measure->stacks[i];

		if (stack->time <= 0)
			continue;
		made->stacks[made->count++] = (struct profile_stack){
		        .frames = &made->frames[stack->first],
		        .depth = stack->depth,
		        .context = stack->source.context,
		        .core = stack->source.core,
		        .end = stack->end,
		        .is_borrowed = stack->is_borrowed,
		        .samples = stack->samples,
		        .time = stack->time,
		        .stratum = stack->stratum,
		        .observations = measure_observations(stack),
		};
	}
	return true;
}

/* If all stacks are the recorder's, the estimate stays. */
static enum status measure_all(struct measure *measure, struct error *error)
{
	struct profile *profile = measure->profile;
	size_t known = profile->node_count;
	enum status status = measure_collect(measure, error);

	if (status != STATUS_OK || measure->made->stack_count == 0)
		return status;
	status = measure_divide(measure, error);
	if (status == STATUS_OK)
		status = add_arcs_on_stacks(measure, known, error);
	if (status == STATUS_OK && !keep_estimate(profile, measure->made))
		status = status_no_memory(error, profile->image->path);
	if (status == STATUS_OK)
		status = order_nodes(profile, error);
	if (status == STATUS_OK)
		status = measure_find_calls(measure, error);
	if (status == STATUS_OK)
		status = measure_times(measure, error);
	if (status == STATUS_OK)
		status = measure_find_lower_bounds(measure, error);
	if (status == STATUS_OK && !keep_stacks(measure))
		status = status_no_memory(error, profile->image->path);
	if (status == STATUS_OK) {
		profile->measurement = measure->made;
		measure->made = NULL;
		if (profile->has_total_variance)
			mark_differences(profile);
	}
	return status;
}

enum status analysis_measure(struct profile *profile, struct error *error)
{
	struct measure measure = {.profile = profile};
	enum status status = STATUS_OK;

	if (!has_captured_stacks(profile))
		return STATUS_OK;
	measure.made = calloc(1, sizeof *measure.made);
	status = measure.made != NULL ? measure_all(&measure, error) : status_no_memory(error, profile->image->path);
	profile_free_measurement(measure.made);
	free(measure.frames);
	free(measure.stacks);
	free(measure.strata);
	free(measure.marks);
	free(measure.may_call);
	free(measure.has_pointer);
	free(measure.calls);
	return status;
}
