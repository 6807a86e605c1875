/* SPDX-License-Identifier: MIT */
/*
 * An order that places functions near the functions that they call: "closest is best" (Pettis and Hansen, "Profile
 * guided code positioning", PLDI 1990, section 4). Every function begins as a chain of its own. Arcs, most calls first,
 * join the chains of their ends so that the ends come as near as possible. The shorter chain moves, so the total is O(n
 * log n).
 */
#include "report/gprof/report.h"

#include "capture/count.h"

#include <stdlib.h>

/* Calls between two functions, in either direction. */
struct edge {
	uint32_t low, high; /* nodes */
	uint64_t count;
};

/* The place of a function in a chain; places run from first to last and may be negative. */
struct chain_place {
	uint32_t node, chain;
	int64_t position;
};

/* A chain of functions, named by one of its nodes. */
struct function_chain {
	uint32_t *nodes; /* unordered */
	size_t count;
	int64_t first, last;
	uint64_t calls; /* calls of all its functions */
	double time;
};

struct ordering {
	const struct profile *profile;
	struct chain_place *places;    /* by node */
	struct function_chain *chains; /* by name */
	struct edge *edges;
	size_t edge_count;
};

static bool ordering_create(struct ordering *ordering, const struct profile *profile)
{
	size_t count = profile->node_count;

	*ordering = (struct ordering){
	        .profile = profile,
	        .places = calloc(count + 1, sizeof *ordering->places),
	        .chains = calloc(count + 1, sizeof *ordering->chains),
	        .edges = calloc(profile->arc_count + 1, sizeof *ordering->edges),
	};
	bool ok = ordering->places != NULL && ordering->chains != NULL && ordering->edges != NULL;
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct profile_node *node = &profile->nodes[i];
		uint32_t *nodes = malloc(sizeof *nodes);

		ordering->places[i] = (struct chain_place){.node = i, .chain = i};
		ordering->chains[i] = (struct function_chain){nodes, 1, 0, 0, node->calls, node->self_time};
		ok = nodes != NULL;
		if (ok)
			nodes[0] = i;
	}
	return ok;
}

static void ordering_free(struct ordering *ordering)
{
	for (size_t i = 0; ordering->chains != NULL && i < ordering->profile->node_count; i++)
		free(ordering->chains[i].nodes);
	free(ordering->places);
	free(ordering->chains);
	free(ordering->edges);
}

static int compare_edge_ends(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->low != b->low)
		return a->low > b->low ? 1 : -1;
	return (a->high > b->high) - (a->high < b->high);
}

static int compare_edge_calls(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_edge_ends(left, right);
}

/* Most calls first. */
static void collect_edges(struct ordering *ordering)
{
	const struct profile *profile = ordering->profile;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		bool is_rising = arc->caller < arc->callee;

		if (arc->caller != arc->callee && arc->count > 0)
			ordering->edges[count++] = (struct edge){is_rising ? arc->caller : arc->callee,
			                                         is_rising ? arc->callee : arc->caller, arc->count};
	}
	qsort(ordering->edges, count, sizeof *ordering->edges, compare_edge_ends);
	for (size_t i = 0; i < count; i++) {
		struct edge *last = kept > 0 ? &ordering->edges[kept - 1] : NULL;

		if (last != NULL && compare_edge_ends(last, &ordering->edges[i]) == 0)
			count_add(&last->count, ordering->edges[i].count);
		else
			ordering->edges[kept++] = ordering->edges[i];
	}
	ordering->edge_count = kept;
	qsort(ordering->edges, kept, sizeof *ordering->edges, compare_edge_calls);
}

/* Joins the chain of moved to the nearer end of kept's chain, turned so that moved, too, is as near as possible. */
static bool join_chains(struct ordering *ordering, const struct chain_place *kept, const struct chain_place *moved)
{
	struct function_chain *chain = &ordering->chains[kept->chain], *other = &ordering->chains[moved->chain];
	bool is_behind = chain->last - kept->position <= kept->position - chain->first;
	bool is_near_first = moved->position - other->first <= other->last - moved->position;
	int64_t origin = is_behind ? chain->last + 1 : chain->first - 1;
	int64_t direction = is_behind ? 1 : -1;
	uint32_t *nodes = reallocarray(chain->nodes, chain->count + other->count, sizeof *nodes);

	if (nodes == NULL)
		return false;
	chain->nodes = nodes;
	for (size_t i = 0; i < other->count; i++) {
		struct chain_place *place = &ordering->places[other->nodes[i]];
		int64_t from_junction = is_near_first ? place->position - other->first : other->last - place->position;

		place->position = origin + direction * from_junction;
		place->chain = kept->chain;
		nodes[chain->count++] = place->node;
	}
	chain->first -= is_behind ? 0 : (int64_t)other->count;
	chain->last += is_behind ? (int64_t)other->count : 0;
	count_add(&chain->calls, other->calls);
	chain->time += other->time;
	other->count = 0;
	return true;
}

static bool join_all(struct ordering *ordering)
{
	collect_edges(ordering);
	bool ok = true;
	for (size_t i = 0; ok && i < ordering->edge_count; i++) {
		const struct chain_place *low = &ordering->places[ordering->edges[i].low];
		const struct chain_place *high = &ordering->places[ordering->edges[i].high];

		if (low->chain == high->chain)
			continue;
		bool is_low_kept = ordering->chains[low->chain].count >= ordering->chains[high->chain].count;
		const struct chain_place kept = is_low_kept ? *low : *high, moved = is_low_kept ? *high : *low;
		ok = join_chains(ordering, &kept, &moved);
	}
	return ok;
}

/* A function as a sort key: chains with the most calls first, then those with the most time. */
struct chain_item {
	const struct function_chain *chain;
	const struct chain_place *place;
};

static int compare_chain_calls(const struct function_chain *a, const struct function_chain *b)
{
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	if (a->time < b->time || a->time > b->time)
		return a->time > b->time ? -1 : 1;
	return (a > b) - (a < b);
}

static int compare_chain_items(const void *left, const void *right)
{
	const struct chain_item *a = left, *b = right;

	if (a->chain != b->chain)
		return compare_chain_calls(a->chain, b->chain);
	return (a->place->position > b->place->position) - (a->place->position < b->place->position);
}

static bool list_chained_nodes(const struct ordering *ordering, size_t *nodes)
{
	size_t count = ordering->profile->node_count;
	struct chain_item *items = calloc(count + 1, sizeof *items);

	if (items == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		items[i] = (struct chain_item){&ordering->chains[ordering->places[i].chain], &ordering->places[i]};
	qsort(items, count, sizeof *items, compare_chain_items);
	for (size_t i = 0; i < count; i++)
		nodes[i] = items[i].place->node;
	free(items);
	return true;
}

enum status gprof_order_functions(const struct profile *profile, size_t **nodes, struct error *error)
{
	struct ordering ordering;
	bool ok = ordering_create(&ordering, profile) && join_all(&ordering);

	*nodes = calloc(profile->node_count + 1, sizeof **nodes);
	ok = ok && *nodes != NULL && list_chained_nodes(&ordering, *nodes);
	ordering_free(&ordering);
	if (ok)
		return STATUS_OK;
	free(*nodes);
	return status_fail(error, "out of memory for an order of %zu functions", profile->node_count);
}

enum status gprof_print_function_order(struct gprof_report *report, struct error *error)
{
	size_t *nodes;
	enum status status = gprof_order_functions(report->profile, &nodes, error);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < report->profile->node_count; i++) {
		const struct profile_node *node = &report->profile->nodes[nodes[i]];

		if (node->kind == PROFILE_FUNCTION) {
			gprof_print_safe(report, node->name);
			layout_text(&report->layout, "\n");
		}
	}
	free(nodes);
	return STATUS_OK;
}
