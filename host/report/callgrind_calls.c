/* SPDX-License-Identifier: MIT */
/* See callgrind_calls.h. */
#include "report/callgrind_calls.h"

#include "base/array.h"
#include "base/search.h"
#include "capture/count.h"
#include "profile/arc_sites.h"
#include "profile/measurement.h"

struct call_collection {
	const struct profile *profile;
	struct callgrind_call *calls;
	size_t count;
	size_t *seen; /* by node: the number of the last stack that it was found on, from 1 */
};

static bool append_call(struct call_collection *collection, struct callgrind_call call)
{
	return array_append(&collection->calls, &collection->count, &call, sizeof call);
}

static bool add_calls_of_stack(struct call_collection *collection, const struct profile_stack *stack, size_t number)
{
	bool ok = true;

	collection->seen[stack->frames[0].node] = number;
	for (size_t i = 1; ok && i < stack->depth; i++) {
		const struct profile_frame *caller = &stack->frames[i];

		if (collection->seen[caller->node] == number)
			continue;
		collection->seen[caller->node] = number;
		ok = append_call(collection, (struct callgrind_call){
		                                     .caller = caller->node,
		                                     .callee = stack->frames[i - 1].node,
		                                     .address = caller->address,
		                                     .time = stack->time,
		                             });
	}
	return ok;
}

static bool add_calls_of_stacks(struct call_collection *collection)
{
	const struct profile_measurement *measurement = collection->profile->measurement;
	bool ok = true;

	for (size_t i = 0; ok && i < measurement->count; i++)
		ok = add_calls_of_stack(collection, &measurement->stacks[i], i + 1);
	return ok;
}

/* Adds the counts of an arc by its sites, of which *site is the first, then the calls without a site. */
static bool add_counted_calls(struct call_collection *collection, size_t index, size_t *site)
{
	const struct profile *profile = collection->profile;
	const struct profile_arc *arc = &profile->arcs[index];
	struct callgrind_call call = {.caller = arc->caller, .callee = arc->callee};
	uint64_t left = arc->count;
	bool ok = true;

	for (; ok && *site < profile->call_site_count && profile->call_sites[*site].arc == index; ++*site) {
		const struct profile_call_site *of_arc = &profile->call_sites[*site];

		call.address = of_arc->address;
		call.count = of_arc->count < left ? of_arc->count : left;
		left -= call.count;
		ok = call.count == 0 || append_call(collection, call);
	}
	call.address = 0;
	call.count = left;
	return ok && (left == 0 || arc->is_inlined || append_call(collection, call));
}

static int compare_call_places(const void *left, const void *right)
{
	const struct callgrind_call *a = left, *b = right;

	if (a->caller != b->caller)
		return compare_numbers(a->caller, b->caller);
	if (a->callee != b->callee)
		return compare_numbers(a->callee, b->callee);
	return compare_numbers(a->address, b->address);
}

static void merge_equal_calls(struct call_collection *collection)
{
	size_t kept = 0;

	if (collection->count == 0)
		return;
	qsort(collection->calls, collection->count, sizeof *collection->calls, compare_call_places);
	for (size_t i = 1; i < collection->count; i++) {
		struct callgrind_call *last = &collection->calls[kept];

		if (compare_call_places(last, &collection->calls[i]) != 0) {
			collection->calls[++kept] = collection->calls[i];
			continue;
		}
		count_add(&last->count, collection->calls[i].count);
		last->time += collection->calls[i].time;
	}
	collection->count = kept + 1;
}

bool callgrind_find_calls(const struct profile *profile, struct callgrind_call **calls, size_t *count)
{
	struct call_collection collection = {
	        .profile = profile,
	        .seen = calloc(profile->node_count + 1, sizeof(size_t)),
	};
	bool ok = collection.seen != NULL && add_calls_of_stacks(&collection);
	size_t site = 0;

	for (size_t i = 0; ok && i < profile->arc_count; i++)
		ok = add_counted_calls(&collection, i, &site);
	merge_equal_calls(&collection);
	free(collection.seen);
	*calls = collection.calls;
	*count = collection.count;
	return ok;
}
