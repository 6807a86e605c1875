/* SPDX-License-Identifier: MIT */
/* See extents.h. */
#include "firmware/extents.h"

#include <stdlib.h>

/* A function that the walk has entered. */
struct entered {
	const struct candidate *candidate;
	size_t first; /* its first extent; NO_EXTENT: none yet */
};

#define NO_EXTENT SIZE_MAX

/* A walk over the candidates in ascending order of start. */
struct extent_walk {
	struct entered *open; /* entered functions that may not have ended, innermost last */
	size_t open_count;
	uint64_t position;   /* everything before it has an owner */
	uint64_t object_end; /* the highest end of the objects so far */
	struct image_function *functions;
	size_t function_count;
	const struct candidate *last_owner; /* owner of the last extent */
};

static int compare_candidate_starts(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Keeps one candidate per start; candidates must be sorted. Returns how many are left. */
static size_t drop_aliases(struct candidate *candidates, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct candidate *owner = kept == 0 ? NULL : &candidates[kept - 1];

		if (owner == NULL || owner->start != candidates[i].start)
			candidates[kept++] = candidates[i];
		else if (owner->kind == candidates[i].kind && owner->end < candidates[i].end)
			owner->end = candidates[i].end;
	}
	return kept;
}

static void emit_extent(struct extent_walk *walk, struct entered *entered, uint64_t start, uint64_t end)
{
	const struct candidate *owner = entered->candidate;
	struct image_function *last = walk->function_count == 0 ? NULL : &walk->functions[walk->function_count - 1];

	/* Compares owners, because two static functions may have the same name. */
	if (last != NULL && walk->last_owner == owner && last->end == start) {
		last->end = end;
		return;
	}
	walk->last_owner = owner;
	entered->first = entered->first == NO_EXTENT ? walk->function_count : entered->first;
	walk->functions[walk->function_count++] = (struct image_function){
	        .name = owner->name,
	        .start = start,
	        .end = end,
	        .sized = owner->kind == CANDIDATE_FUNCTION,
	        .is_label = owner->is_label,
	        .is_local = owner->is_local,
	        .first = entered->first,
	        .inlined_into = IMAGE_NOT_INLINED,
	};
}

/* Assigns the bytes up to limit to the entered functions. Each round ends one of them or reaches the limit. */
static void advance_functions(struct extent_walk *walk, uint64_t limit)
{
	while (walk->open_count > 0 && walk->position < limit) {
		struct entered *innermost = &walk->open[walk->open_count - 1];
		uint64_t end = innermost->candidate->end;

		if (end <= walk->position) {
			walk->open_count--;
			continue;
		}
		end = end < limit ? end : limit;
		emit_extent(walk, innermost, walk->position, end);
		walk->position = end;
	}
}

static bool is_inside_function(const struct extent_walk *walk, uint64_t address)
{
	return walk->open_count > 0 && walk->open[walk->open_count - 1].candidate->end > address;
}

/* next: the start of the following candidate. */
static void enter_candidate(struct extent_walk *walk, const struct candidate *candidate, uint64_t next)
{
	advance_functions(walk, candidate->start);
	while (walk->open_count > 0 && !is_inside_function(walk, candidate->start))
		walk->open_count--;
	walk->position = candidate->start;
	struct entered entered = {candidate, NO_EXTENT};
	switch (candidate->kind) {
	case CANDIDATE_FUNCTION:
		walk->open[walk->open_count++] = entered;
		break;
	case CANDIDATE_OBJECT:
		walk->object_end = candidate->end > walk->object_end ? candidate->end : walk->object_end;
		break;
	case CANDIDATE_LABEL:
		if (walk->open_count == 0 && candidate->start >= walk->object_end)
			emit_extent(walk, &entered, candidate->start, candidate->end < next ? candidate->end : next);
		break;
	}
}

static void shrink_functions(struct extent_walk *walk)
{
	if (walk->function_count == 0) {
		free(walk->functions);
		walk->functions = NULL;
		return;
	}
	struct image_function *smaller = realloc(walk->functions, walk->function_count * sizeof *smaller);
	walk->functions = smaller == NULL ? walk->functions : smaller;
}

bool extents_make(struct candidate *candidates, size_t count, struct image_function **functions, size_t *function_count)
{
	qsort(candidates, count, sizeof *candidates, compare_candidate_starts);
	count = drop_aliases(candidates, count);
	/* An extent begins where a candidate starts or where a nested one ends. */
	struct extent_walk walk = {
	        .open = calloc(count + 1, sizeof *walk.open),
	        .functions = calloc(2 * count + 1, sizeof *walk.functions),
	};
	if (walk.open == NULL || walk.functions == NULL) {
		free(walk.open);
		free(walk.functions);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		enter_candidate(&walk, &candidates[i], i + 1 < count ? candidates[i + 1].start : UINT64_MAX);
	advance_functions(&walk, UINT64_MAX);
	free(walk.open);
	shrink_functions(&walk);
	*functions = walk.functions;
	*function_count = walk.function_count;
	return true;
}
