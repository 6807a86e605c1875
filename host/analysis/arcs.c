/* SPDX-License-Identifier: MIT */
/*
 * Pass: turns recorded pairs of addresses into arcs between nodes. The caller is looked up at the return address minus
 * one: a call may be the last instruction of its function.
 */
#include "analysis/analysis.h"
#include "analysis/arc_list.h"

#include <stdlib.h>

static size_t caller_node(struct profile *profile, uint64_t return_address)
{
	enum profile_node_kind kind = profile_caller_kind(profile->image, return_address);
	if (kind != PROFILE_FUNCTION)
		return profile_node_of_kind(profile, kind);
	return profile_node_at(profile, profile_call_site(profile->image, return_address));
}

/* What was inlined is not called: where the hook is called from such code, it is the function around it that was. */
static size_t callee_node(struct profile *profile, uint64_t callee)
{
	const struct image *image = profile->image;
	uint64_t address = image->isa == IMAGE_ISA_ARM ? callee & ~UINT64_C(1) : callee;
	const struct image_function *function = image_function_at(image, address);
	if (function == NULL || function->host == IMAGE_NO_HOST)
		return profile_node_at(profile, address);
	return profile_node_of_function(profile, image_holder(image, (size_t)(function - image->functions)));
}

static size_t count_recorded(const struct profile *profile)
{
	size_t count = 0;
	for (size_t i = 0; i < profile->block_count; i++)
		count += profile->blocks[i]->arc_count;
	return count;
}

static bool add_block(struct arc_list *list, struct profile *profile, const struct capture_block *block)
{
	for (size_t i = 0; i < block->arc_count; i++) {
		size_t caller = caller_node(profile, block->arcs[i].caller);
		size_t callee = callee_node(profile, block->arcs[i].callee);
		if (caller == PROFILE_NONE || callee == PROFILE_NONE)
			return false;
		const struct profile_arc arc = {
		        .caller = (uint32_t)caller,
		        .callee = (uint32_t)callee,
		        .count = block->arcs[i].count,
		};
		if (!arc_list_add(list, profile, arc))
			return false;
	}
	return true;
}

/* Of each function that was outlined, so that what it was inlined into answers for its time. */
static bool add_inlined(struct arc_list *list, struct profile *profile)
{
	const struct image *image = profile->image;
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		if (function->host == IMAGE_NO_HOST || function->first != i)
			continue;
		size_t caller = profile_node_of_function(profile, function->host);
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
	bool enough = arc_list_reserve(&list, recorded);
	for (size_t i = 0; enough && i < profile->block_count; i++)
		enough = add_block(&list, profile, profile->blocks[i]);
	if (profile->owners != NULL)
		enough = enough && add_inlined(&list, profile);
	enum status status =
	        enough ? arc_list_finish(&list, profile, error)
	               : status_fail(error, "%s: out of memory for %zu arcs", profile->image->path, recorded);
	free(list.items);
	return status;
}
