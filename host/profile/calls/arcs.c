/* SPDX-License-Identifier: MIT */
/*
 * Passes: turn recorded pairs of addresses into arcs between nodes, and later find the places of the calls. The caller
 * is looked up at the return address minus one, since a call may be the last instruction of its function, unless the
 * code there shows that it did not call.
 */
#include "base/array.h"
#include "capture/count.h"
#include "firmware/calls/call_sites.h"
#include "profile/analysis.h"
#include "profile/arc_sites.h"
#include "profile/calls/arc_list.h"
#include "profile/measurement.h"

#include <stdlib.h>

/* The node of the caller of a recorded call. site: the result of checking it against the code. */
static size_t caller_node(struct profile *profile, uint64_t return_address, const struct call_site *site)
{
	enum profile_node_kind kind = profile_caller_kind(profile->image, return_address);

	if (kind != PROFILE_FUNCTION)
		return profile_node_of_kind(profile, kind);
	if (site->is_false)
		return profile_node_of_kind(profile, site->is_entry ? PROFILE_TASK_ENTRY : PROFILE_UNKNOWN_CALLER);
	return profile_node_at(profile, profile_call_site(profile->image, return_address));
}

/* Nothing calls inlined code: if the callee's address is in inlined code, the function around it was called. */
static size_t callee_node(struct profile *profile, uint64_t callee)
{
	const struct image *image = profile->image;
	uint64_t address = callee & ~image_thumb_bit(image);
	const struct image_function *function = image_function_at(image, address);

	if (function == NULL || function->inlined_into == IMAGE_NOT_INLINED)
		return profile_node_at(profile, address);
	return profile_node_of_function(profile,
	                                image_containing_function(image, (size_t)(function - image->functions)));
}

static size_t count_recorded(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->block_count; i++)
		count += profile->blocks[i]->arc_count;
	return count;
}

const char *arc_via(struct profile *profile, const struct call_site *site, size_t callee)
{
	const struct image *image = profile->image;
	const struct image_function *called = site->has_target ? image_function_at(image, site->target) : NULL;

	if (site->is_false || called == NULL || called->start != site->target ||
	    image_is_recorder(image, site->target) || profile->nodes[callee].kind != PROFILE_FUNCTION)
		return NULL;
	size_t node = profile_node_of_function(profile, (size_t)(called - image->functions));
	return node == PROFILE_NONE || node == callee ? NULL : profile->nodes[node].name;
}

/* Called with each recorded call, the result of checking it against the code, and its nodes. */
typedef bool call_resolved(void *context, struct profile *profile, const struct capture_arc *recorded,
                           const struct call_site *site, const struct profile_arc *ends);

static bool resolve_arc(struct profile *profile, struct call_sites *sites, const struct capture_arc *recorded,
                        call_resolved *resolved, void *context)
{
	struct call_site site = {.is_false = false};

	if (sites != NULL && !call_sites_check(sites, recorded->caller, recorded->callee, &site))
		return false;
	size_t caller = caller_node(profile, recorded->caller, &site);
	size_t callee = callee_node(profile, recorded->callee);
	if (caller == PROFILE_NONE || callee == PROFILE_NONE)
		return false;
	const struct profile_arc ends = {
	        .caller = (uint32_t)caller,
	        .callee = (uint32_t)callee,
	        .count = recorded->count,
	};
	return resolved(context, profile, recorded, &site, &ends);
}

static bool add_recorded_arc(void *list, struct profile *profile, const struct capture_arc *recorded,
                             const struct call_site *site, const struct profile_arc *ends)
{
	struct profile_arc arc = *ends;

	(void)recorded;
	arc.via = arc_via(profile, site, ends->callee);
	return arc_list_add(list, profile, arc);
}

static bool resolve_recorded_calls(struct profile *profile, struct call_sites *sites, call_resolved *resolved,
                                   void *context)
{
	bool ok = true;

	for (size_t i = 0; ok && i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];

		for (size_t j = 0; ok && j < block->arc_count; j++)
			/* Callers in a gmon.out need not be return addresses, so the code cannot confirm them. */
			ok = resolve_arc(profile, block->is_gmon ? NULL : sites, &block->arcs[j], resolved, context);
	}
	return ok;
}

/* Adds an arc to each split inlined function from the function that it was inlined into, which gets its time. */
static bool add_inlined_arcs(struct arc_list *list, struct profile *profile)
{
	const struct image *image = profile->image;

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];

		if (function->inlined_into == IMAGE_NOT_INLINED || function->first != i)
			continue;
		size_t caller = profile_node_of_function(profile, function->inlined_into);
		size_t callee = profile_node_of_function(profile, i);
		if (caller == PROFILE_NONE || callee == PROFILE_NONE)
			return false;
		if (caller == callee)
			continue;
		const struct profile_arc arc = {
		        .caller = (uint32_t)caller,
		        .callee = (uint32_t)callee,
		        .count = 1,
		        .is_inlined = true,
		};
		if (!arc_list_add(list, profile, arc))
			return false;
	}
	return true;
}

enum status analysis_build_arcs(struct profile *profile, struct error *error)
{
	struct arc_list list = {0};
	size_t recorded = count_recorded(profile);
	struct call_sites *sites = recorded > 0 ? call_sites_create(profile->image) : NULL;
	bool ok = arc_list_reserve(&list, recorded) && (recorded == 0 || sites != NULL);

	ok = ok && resolve_recorded_calls(profile, sites, add_recorded_arc, &list);
	call_sites_free(sites);
	if (profile->owners != NULL)
		ok = ok && add_inlined_arcs(&list, profile);
	enum status status =
	        ok ? arc_list_finish(&list, profile, error) : status_no_memory(error, profile->image->path);
	free(list.items);
	return status;
}

/* --- Places of calls. */

static bool add_site(void *context, struct profile *profile, const struct capture_arc *recorded,
                     const struct call_site *site, const struct profile_arc *ends)
{
	size_t arc = profile_find_arc(profile, ends->caller, ends->callee); /* filters may have excluded it */
	const struct profile_call_site found = {
	        .arc = (uint32_t)arc,
	        .address = profile_call_site(profile->image, recorded->caller),
	        .count = recorded->count,
	};

	(void)context;
	if (arc == PROFILE_NONE || site->is_false || profile->nodes[ends->caller].kind != PROFILE_FUNCTION)
		return true;
	return array_append(&profile->call_sites, &profile->call_site_count, &found, sizeof found);
}

static int compare_sites(const void *left, const void *right)
{
	const struct profile_call_site *a = left, *b = right;

	if (a->arc != b->arc)
		return a->arc < b->arc ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void merge_sites(struct profile *profile)
{
	size_t kept = 0;

	qsort(profile->call_sites, profile->call_site_count, sizeof *profile->call_sites, compare_sites);
	for (size_t i = 1; i < profile->call_site_count; i++) {
		struct profile_call_site *last = &profile->call_sites[kept];

		if (compare_sites(last, &profile->call_sites[i]) != 0) {
			profile->call_sites[++kept] = profile->call_sites[i];
			continue;
		}
		count_add(&last->count, profile->call_sites[i].count);
		last->time += profile->call_sites[i].time;
	}
	profile->call_site_count = kept + 1;
}

/* Adds the calls of a stack. A call that is on it several times gets the stack's time once. */
static bool add_sites_of_stack(struct profile *profile, const struct profile_stack *stack)
{
	size_t first = profile->call_site_count, kept = first;
	bool ok = true;

	for (size_t i = 1; ok && i < stack->depth; i++) {
		size_t arc = profile_find_arc(profile, stack->frames[i].node, stack->frames[i - 1].node);
		const struct profile_call_site found = {
		        .arc = (uint32_t)arc,
		        .address = stack->frames[i].address,
		        .time = stack->time,
		};

		if (arc != PROFILE_NONE && found.address != 0)
			ok = array_append(&profile->call_sites, &profile->call_site_count, &found, sizeof found);
	}
	if (!ok || profile->call_site_count == first)
		return ok;
	qsort(&profile->call_sites[first], profile->call_site_count - first, sizeof *profile->call_sites,
	      compare_sites);
	for (size_t i = first + 1; i < profile->call_site_count; i++)
		if (compare_sites(&profile->call_sites[kept], &profile->call_sites[i]) != 0)
			profile->call_sites[++kept] = profile->call_sites[i];
	profile->call_site_count = kept + 1;
	return true;
}

static bool add_sites_of_stacks(struct profile *profile)
{
	const struct profile_measurement *measurement = profile->measurement;
	bool ok = true;

	for (size_t i = 0; ok && measurement != NULL && i < measurement->count; i++)
		ok = add_sites_of_stack(profile, &measurement->stacks[i]);
	return ok;
}

enum status analysis_find_call_sites(struct profile *profile, struct error *error)
{
	bool has_calls = count_recorded(profile) > 0;
	struct call_sites *sites = has_calls ? call_sites_create(profile->image) : NULL;
	bool ok = !has_calls || (sites != NULL && resolve_recorded_calls(profile, sites, add_site, NULL));

	call_sites_free(sites);
	if (!ok || !add_sites_of_stacks(profile))
		return status_no_memory(error, profile->image->path);
	if (profile->call_site_count > 0)
		merge_sites(profile);
	return STATUS_OK;
}
