/* SPDX-License-Identifier: MIT */
/* The calls that the instructions show, for measured times, see measure.h. */
#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/calls.h"
#include "profile/calls/arc_list.h"
#include "profile/stacks/measure.h"

#include <stdlib.h>

bool measure_may_call(const struct image *image, const struct call *call)
{
	bool is_call = call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT;

	/* Stacks do not contain frames of the recorder. */
	return is_call && !image_is_hook(image, call->target) && !image_is_recorder(image, call->target);
}

static bool add_possible_call(struct measure *measure, const struct call *call)
{
	struct profile *profile = measure->profile;
	size_t caller = arc_node_of_code(profile, call->site);
	size_t callee = call->kind == CALL_INDIRECT ? PROFILE_NONE : arc_node_of_entry(profile, call->target);
	const struct possible_call possible = {callee, caller};

	if (call->kind == CALL_ADDRESS) {
		if (callee != PROFILE_NONE)
			measure->has_pointer[callee] = true;
		return true;
	}
	if (caller != PROFILE_NONE && measure_may_call(profile->image, call))
		measure->may_call[caller] = true;
	return caller == PROFILE_NONE || callee == PROFILE_NONE ||
	       array_append(&measure->calls, &measure->call_count, &possible, sizeof possible);
}

static int compare_callees(const void *left, const void *right)
{
	const struct possible_call *a = left, *b = right;

	return compare_numbers(a->callee, b->callee);
}

static enum status decode_calls(struct measure *measure, struct error *error)
{
	const struct image *image = measure->profile->image;
	struct calls calls;
	enum status status = calls_find(image, &calls, error);

	for (size_t i = 0; status == STATUS_OK && i < calls.count; i++)
		if (!add_possible_call(measure, &calls.items[i]))
			status = status_no_memory(error, image->path);
	calls_free(&calls);
	if (measure->call_count > 0)
		qsort(measure->calls, measure->call_count, sizeof *measure->calls, compare_callees);
	return status;
}

/* Functions that contain no call instructions, only jumps to functions, have no time except their own. Without a
 * decoder, any function may call and be called. */
enum status measure_find_calls(struct measure *measure, struct error *error)
{
	const struct profile *profile = measure->profile;
	bool can_decode = calls_can_decode(profile->image);

	measure->may_call = calloc(profile->node_count + 1, sizeof *measure->may_call);
	measure->has_pointer = calloc(profile->node_count + 1, sizeof *measure->has_pointer);
	if (measure->may_call == NULL || measure->has_pointer == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->node_count; i++)
		measure->may_call[i] = measure->has_pointer[i] =
		        profile->nodes[i].kind == PROFILE_FUNCTION && !can_decode;
	return decode_calls(measure, error);
}
