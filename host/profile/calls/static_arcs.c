/* SPDX-License-Identifier: MIT */
/* Pass: adds the calls that the instructions show, without a count, and marks which recorded calls are direct and which
 * went through a pointer. Knows no instruction set. */
#include "firmware/calls/calls.h"
#include "profile/analysis.h"
#include "profile/calls/arc_list.h"

#include <stdlib.h>

size_t arc_node_of_code(struct profile *profile, uint64_t address)
{
	const struct image *image = profile->image;
	const struct image_function *function = image_function_at(image, address);

	if (function == NULL || image_is_recorder(image, address))
		return PROFILE_NONE;
	size_t node = profile_node_of_function(profile, (size_t)(function - image->functions));
	return node != PROFILE_NONE && profile->nodes[node].kind == PROFILE_FUNCTION ? node : PROFILE_NONE;
}

size_t arc_node_of_entry(struct profile *profile, uint64_t address)
{
	const struct image_function *function = image_function_at(profile->image, address);

	return function != NULL && function->start == address ? arc_node_of_code(profile, address) : PROFILE_NONE;
}

static bool add_static(struct arc_list *list, struct profile *profile, const struct calls *calls)
{
	bool ok = true;

	for (size_t i = 0; ok && i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		size_t caller = arc_node_of_code(profile, call->site);
		size_t callee = arc_node_of_entry(profile, call->target);

		if ((call->kind != CALL_DIRECT && call->kind != CALL_TAIL) || caller == PROFILE_NONE ||
		    callee == PROFILE_NONE)
			continue;
		const struct profile_arc arc = {
		        .caller = (uint32_t)caller,
		        .callee = (uint32_t)callee,
		        .is_static = true,
		};
		ok = arc_list_add(list, profile, arc);
	}
	return ok;
}

/* Marks recorded calls that no instruction makes directly, if the callee can be called through a pointer. */
static void mark_indirect(struct profile *profile, const struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		size_t node = arc_node_of_entry(profile, calls->items[i].target);

		if (calls->items[i].kind == CALL_ADDRESS && node != PROFILE_NONE)
			profile->nodes[node].is_address_taken = true;
	}
	for (size_t i = 0; i < profile->arc_count; i++) {
		struct profile_arc *arc = &profile->arcs[i];
		bool is_explained = arc->is_static || arc->via != NULL;

		arc->is_indirect = arc->count > 0 && !is_explained && profile->nodes[arc->callee].is_address_taken;
	}
}

enum status analysis_add_static_arcs(struct profile *profile, struct error *error)
{
	struct arc_list list = {0};
	struct calls calls;
	enum status status = calls_find(profile->image, &calls, error);

	if (status == STATUS_OK && (!arc_list_add_present(&list, profile) || !add_static(&list, profile, &calls)))
		status = status_no_memory(error, profile->image->path);
	if (status == STATUS_OK)
		status = arc_list_finish(&list, profile, error);
	if (status == STATUS_OK)
		mark_indirect(profile, &calls);
	free(list.items);
	calls_free(&calls);
	return status;
}
