/* SPDX-License-Identifier: MIT */
/*
 * Insertion of arcs, see tangle_insert() in tangle.h. Components stand in topological order, which is mended only
 * between the ends of an arc that leads back (Pearce, Kelly: "A dynamic topological sort algorithm for directed acyclic
 * graphs", 2006): what the arc's head leads to and what leads to its tail are looked for there, and what is both
 * becomes one component, if it is small enough.
 */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A component on the way of the search, and where to go on there. */
struct frame {
	uint32_t component, node, arc;
};

struct spot {
	uint32_t place, component;
};

struct insertion {
	const struct tangle *tangle;
	struct cut *cut;       /* is_removed: not inserted, or not yet */
	uint32_t *component;   /* of each node: one of its members stands for it; what follows is of that one */
	uint32_t *next_member; /* of each node, NONE behind the last */
	uint32_t *last_member;
	uint32_t *size;
	uint32_t *place;
	uint32_t *seen;  /* the number of the search that last came there */
	uint32_t *leads; /* the same of those that lead to where the search is going */
	uint32_t search;
	struct frame *path;
	uint32_t path_length, leading_length; /* so many frames of the path lead there */
	uint32_t *ahead, *behind;             /* what searches forward and backward came to */
	uint32_t ahead_count, behind_count;
	struct spot *spots;
	uint32_t *places;
	uint64_t *steps_left;
};

static bool allocate(struct insertion *insertion, size_t nodes)
{
	insertion->component = calloc(nodes + 1, sizeof *insertion->component);
	insertion->next_member = calloc(nodes + 1, sizeof *insertion->next_member);
	insertion->last_member = calloc(nodes + 1, sizeof *insertion->last_member);
	insertion->size = calloc(nodes + 1, sizeof *insertion->size);
	insertion->place = calloc(nodes + 1, sizeof *insertion->place);
	insertion->seen = calloc(nodes + 1, sizeof *insertion->seen);
	insertion->leads = calloc(nodes + 1, sizeof *insertion->leads);
	insertion->path = calloc(nodes + 1, sizeof *insertion->path);
	insertion->ahead = calloc(nodes + 1, sizeof *insertion->ahead);
	insertion->behind = calloc(nodes + 1, sizeof *insertion->behind);
	insertion->spots = calloc(nodes + 1, sizeof *insertion->spots);
	insertion->places = calloc(nodes + 1, sizeof *insertion->places);
	return insertion->component != NULL && insertion->next_member != NULL && insertion->last_member != NULL &&
	       insertion->size != NULL && insertion->place != NULL && insertion->seen != NULL &&
	       insertion->leads != NULL && insertion->path != NULL && insertion->ahead != NULL &&
	       insertion->behind != NULL && insertion->spots != NULL && insertion->places != NULL;
}

static void release(struct insertion *insertion)
{
	free(insertion->component);
	free(insertion->next_member);
	free(insertion->last_member);
	free(insertion->size);
	free(insertion->place);
	free(insertion->seen);
	free(insertion->leads);
	free(insertion->path);
	free(insertion->ahead);
	free(insertion->behind);
	free(insertion->spots);
	free(insertion->places);
}

/* Every node by itself, those of a group side by side. */
static void stand_apart(struct insertion *insertion)
{
	uint32_t count = insertion->tangle->node_count;
	uint32_t *starts = insertion->places;
	memset(starts, 0, ((size_t)count + 1) * sizeof *starts);
	for (uint32_t i = 0; i < count; i++)
		starts[insertion->cut->place[insertion->cut->group[i]] + 1]++;
	for (uint32_t i = 0; i < count; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; i < count; i++) {
		insertion->component[i] = insertion->last_member[i] = i;
		insertion->next_member[i] = NONE;
		insertion->size[i] = 1;
		insertion->place[i] = starts[insertion->cut->place[insertion->cut->group[i]]]++;
	}
}

/* Notes what it cost to look at so many arcs, and one more. */
static void note_steps(struct insertion *insertion, uint32_t arcs)
{
	tangle_spend(insertion->steps_left, (uint64_t)arcs + 1);
}

/* --- Searches. */

static void enter(struct insertion *insertion, uint32_t component)
{
	insertion->seen[component] = insertion->search;
	insertion->ahead[insertion->ahead_count++] = component;
	insertion->path[insertion->path_length++] = (struct frame){
	        .component = component,
	        .node = component,
	        .arc = insertion->tangle->first_out[component],
	};
}

/* The next component that an arc of the last one on the path leads to; NONE if there is no more. */
static uint32_t follow_next(struct insertion *insertion, struct frame *frame)
{
	const struct tangle *tangle = insertion->tangle;
	while (true) {
		uint32_t first = frame->arc;
		while (frame->arc < tangle->first_out[frame->node + 1]) {
			uint32_t arc = frame->arc++;
			uint32_t component = insertion->component[tangle->arcs[arc].to];
			if (insertion->cut->is_removed[arc] || component == frame->component)
				continue;
			note_steps(insertion, frame->arc - first);
			return component;
		}
		note_steps(insertion, frame->arc - first);
		if (insertion->next_member[frame->node] == NONE)
			return NONE;
		frame->node = insertion->next_member[frame->node];
		frame->arc = tangle->first_out[frame->node];
	}
}

/* All that is on the path leads to the target; returns how many members that are more than were known. */
static size_t mark_path(struct insertion *insertion)
{
	size_t members = 0;
	for (; insertion->leading_length < insertion->path_length; insertion->leading_length++) {
		uint32_t component = insertion->path[insertion->leading_length].component;
		insertion->leads[component] = insertion->search;
		members += insertion->size[component];
	}
	return members;
}

/*
 * Finds what start leads to, up to the place of target, and marks what of it leads on to target. Returns the number of
 * members of these, target's included; 0 if there are none. Ends early when they are more than the limit.
 */
static size_t search_ahead(struct insertion *insertion, uint32_t start, uint32_t target)
{
	size_t limit = insertion->tangle->limit, members = 0;
	insertion->ahead_count = insertion->path_length = insertion->leading_length = 0;
	insertion->seen[target] = insertion->leads[target] = insertion->search;
	enter(insertion, start);
	while (insertion->path_length > 0 && members <= limit) {
		uint32_t next = follow_next(insertion, &insertion->path[insertion->path_length - 1]);
		if (tangle_is_spent(insertion->steps_left))
			return limit + 1;
		if (next == NONE) {
			insertion->path_length--;
			if (insertion->leading_length > insertion->path_length)
				insertion->leading_length = insertion->path_length;
		} else if (insertion->leads[next] == insertion->search) {
			members += members == 0 ? insertion->size[target] : 0;
			members += mark_path(insertion);
		} else if (insertion->seen[next] != insertion->search &&
		           insertion->place[next] < insertion->place[target]) {
			enter(insertion, next);
		}
	}
	return members;
}

static void reach(struct insertion *insertion, uint32_t component)
{
	insertion->seen[component] = insertion->search;
	insertion->behind[insertion->behind_count++] = component;
}

/* Finds what leads to target, from the place of start on; what the search ahead has marked is part of it. */
static void search_behind(struct insertion *insertion, uint32_t start, uint32_t target)
{
	const struct tangle *tangle = insertion->tangle;
	uint32_t least = insertion->place[start];
	insertion->behind_count = 0;
	reach(insertion, target);
	for (uint32_t i = 0; i < insertion->ahead_count; i++)
		if (insertion->leads[insertion->ahead[i]] == insertion->search)
			reach(insertion, insertion->ahead[i]);
	for (uint32_t i = 0; i < insertion->behind_count && !tangle_is_spent(insertion->steps_left); i++) {
		for (uint32_t node = insertion->behind[i]; node != NONE; node = insertion->next_member[node]) {
			note_steps(insertion, tangle->first_in[node + 1] - tangle->first_in[node]);
			for (uint32_t j = tangle->first_in[node]; j < tangle->first_in[node + 1]; j++) {
				uint32_t arc = tangle->in_arcs[j];
				uint32_t from = insertion->component[tangle->arcs[arc].from];
				if (!insertion->cut->is_removed[arc] && insertion->seen[from] != insertion->search &&
				    insertion->place[from] >= least)
					reach(insertion, from);
			}
		}
	}
}

/* --- What they found is put in order. */

static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	return (a->place > b->place) - (a->place < b->place);
}

static int compare_places(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/* The components of a list that do not lead from the arc's head to its tail, in their order; returns how many. */
static uint32_t list_spots(const struct insertion *insertion, struct spot *spots, const uint32_t *list, uint32_t count,
                           uint32_t one_component)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (insertion->component[list[i]] != one_component)
			spots[kept++] = (struct spot){insertion->place[list[i]], list[i]};
	qsort(spots, kept, sizeof *spots, compare_spots);
	return kept;
}

/* Makes one component of what leads from the arc's head to its tail; returns it. The places of the others are free. */
static uint32_t merge(struct insertion *insertion, uint32_t target)
{
	uint32_t one = target;
	for (uint32_t i = 0; i < insertion->ahead_count; i++) {
		uint32_t component = insertion->ahead[i];
		if (insertion->leads[component] == insertion->search &&
		    insertion->size[component] > insertion->size[one])
			one = component;
	}
	for (uint32_t i = 0; i <= insertion->ahead_count; i++) {
		uint32_t component = i < insertion->ahead_count ? insertion->ahead[i] : target;
		if (insertion->leads[component] != insertion->search || component == one)
			continue;
		for (uint32_t node = component; node != NONE; node = insertion->next_member[node])
			insertion->component[node] = one;
		insertion->next_member[insertion->last_member[one]] = component;
		insertion->last_member[one] = insertion->last_member[component];
		insertion->size[one] += insertion->size[component];
	}
	return one;
}

/* All places of what both searches found, rising; returns how many. */
static uint32_t collect_places(struct insertion *insertion)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < insertion->behind_count; i++)
		insertion->places[count++] = insertion->place[insertion->behind[i]];
	for (uint32_t i = 0; i < insertion->ahead_count; i++)
		if (insertion->leads[insertion->ahead[i]] != insertion->search)
			insertion->places[count++] = insertion->place[insertion->ahead[i]];
	qsort(insertion->places, count, sizeof *insertion->places, compare_places);
	return count;
}

/* What leads to the arc's tail comes first, then the component of head and tail, if they are in one, then the rest of
 * what its head leads to. */
static void reorder(struct insertion *insertion, uint32_t target, bool is_one)
{
	uint32_t count = collect_places(insertion);
	uint32_t one = is_one ? merge(insertion, target) : NONE;
	struct spot *spots = insertion->spots;
	uint32_t behind = list_spots(insertion, spots, insertion->behind, insertion->behind_count, one);
	for (uint32_t i = 0; i < behind; i++)
		insertion->place[spots[i].component] = insertion->places[i];
	if (is_one)
		insertion->place[one] = insertion->places[behind];
	uint32_t ahead = list_spots(insertion, spots, insertion->ahead, insertion->ahead_count, one);
	for (uint32_t i = 0; i < ahead; i++)
		insertion->place[spots[i].component] = insertion->places[count - ahead + i];
}

/* Each component that was found is sorted twice, by itself and by its place. */
static void note_reordering(struct insertion *insertion)
{
	uint64_t count = (uint64_t)insertion->ahead_count + insertion->behind_count;
	tangle_spend(insertion->steps_left, 2 * tangle_sort_steps(count));
}

/* True if the arc may stay. */
static bool insert(struct insertion *insertion, const struct tangle_arc *arc)
{
	uint32_t from = insertion->component[arc->from], to = insertion->component[arc->to];
	if (from == to || insertion->place[from] < insertion->place[to])
		return true;
	insertion->search++;
	size_t members = search_ahead(insertion, to, from);
	if (members > insertion->tangle->limit)
		return false;
	search_behind(insertion, to, from);
	note_reordering(insertion);
	if (tangle_is_spent(insertion->steps_left))
		return false;
	reorder(insertion, from, members > 0);
	return true;
}

static bool stays(const struct cut *cut, const struct tangle_arc *arc)
{
	return cut->group[arc->from] == cut->group[arc->to] ||
	       cut->place[cut->group[arc->from]] < cut->place[cut->group[arc->to]];
}

/* kept: only those arcs that stay in the arrangement, or only those that do not. */
static void insert_some(struct insertion *insertion, bool kept)
{
	const struct tangle *tangle = insertion->tangle;
	for (uint32_t i = 0; i < tangle->arc_count; i++) {
		uint32_t arc = tangle->heaviest[i];
		if (stays(insertion->cut, &tangle->arcs[arc]) == kept && insert(insertion, &tangle->arcs[arc]))
			insertion->cut->is_removed[arc] = false;
	}
}

static void insert_all(struct insertion *insertion)
{
	const struct tangle *tangle = insertion->tangle;
	for (uint32_t i = 0; i < tangle->arc_count; i++)
		if (insert(insertion, &tangle->arcs[tangle->heaviest[i]]))
			insertion->cut->is_removed[tangle->heaviest[i]] = false;
}

/* Components stand for groups, and their places, of which some may be free, for those of the row. */
static void give_result(const struct insertion *insertion)
{
	const struct tangle *tangle = insertion->tangle;
	struct cut *cut = insertion->cut;
	for (uint32_t i = 0; i < tangle->node_count; i++) {
		cut->group[i] = insertion->component[i];
		cut->place[insertion->component[i]] = insertion->place[insertion->component[i]];
	}
	cut->weight = 0;
	for (uint32_t i = 0; i < tangle->arc_count; i++)
		cut->weight += cut->is_removed[i] ? tangle->arcs[i].weight : 0;
}

bool tangle_insert(const struct tangle *tangle, struct cut *cut, bool kept_first, uint64_t *steps_left)
{
	struct insertion insertion = {
	        .tangle = tangle,
	        .cut = cut,
	        .steps_left = steps_left,
	};
	bool enough = allocate(&insertion, tangle->node_count);
	if (enough) {
		stand_apart(&insertion);
		memset(cut->is_removed, true, tangle->arc_count * sizeof *cut->is_removed);
		if (kept_first)
			insert_some(&insertion, true);
		if (kept_first)
			insert_some(&insertion, false);
		else
			insert_all(&insertion);
		give_result(&insertion);
	}
	release(&insertion);
	return enough;
}
