/* SPDX-License-Identifier: MIT */
/* See cycle_flows.h. */
#include "profile/calls/cycle_flows.h"

#include "base/array.h"

#define NONE UINT32_MAX

/* The limit of the work for one cycle, in visited calls: about 0.1 s. It suffices for the 6,000 functions of a large
 * interpreter, and for 300 functions that all call each other. */
#define STEPS_MAX 10000000u

/* Calls of one member to another, including calls inherited from eliminated functions. */
struct member_link {
	uint32_t callee;
	double calls;
};

struct cycle_member {
	struct member_link *links; /* to members that are not eliminated, each once */
	size_t link_count;
	uint32_t *callers; /* each once; eliminated callers no longer have a link */
	size_t caller_count;
	size_t live_callers; /* callers that are not eliminated */
	double entering;     /* calls that enter the cycle here, including calls inherited from eliminated functions */
	double orphan_calls; /* calls by functions without callers: their part of the time goes to the rest */
	double calls;        /* all calls of the member when it was eliminated; 0: none */
	bool is_eliminated;
};

struct elimination {
	const struct profile *profile;
	const struct profile_cycle *cycle;
	struct cycle_member *members;
	uint32_t *order;    /* members in the order in which they are eliminated */
	uint32_t *position; /* by member: one more than the index of the link to it, while two lists are merged */
	double *incoming;   /* by caller of the member being eliminated: its calls */
	struct flow_list *list;
	size_t first;
	size_t steps;
	bool is_short_of_memory;
};

static size_t rest_place(const struct elimination *elimination)
{
	return cycle_place_count(elimination->cycle->member_count) - 1;
}

static size_t cost_place(const struct elimination *elimination, size_t member)
{
	return cycle_cost_place(elimination->cycle->member_count, member);
}

static void add_flow(struct elimination *elimination, size_t from, size_t into, double share)
{
	if (!flow_add(elimination->list, elimination->first + from, elimination->first + into, share))
		elimination->is_short_of_memory = true;
}

/* --- The graph. */

static void link_members(struct elimination *elimination, uint32_t caller, uint32_t callee, double calls)
{
	struct cycle_member *from = &elimination->members[caller], *to = &elimination->members[callee];
	const struct member_link link = {callee, calls};

	if (!array_append(&from->links, &from->link_count, &link, sizeof link) ||
	    !array_append(&to->callers, &to->caller_count, &caller, sizeof caller))
		elimination->is_short_of_memory = true;
	to->live_callers++;
}

/* Recursion is omitted: it adds as much to the time of a function as to its calls. */
static void collect_callers(struct elimination *elimination, uint32_t member)
{
	const struct profile *profile = elimination->profile;
	size_t node = elimination->cycle->members[member];

	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		if (profile_arc_is_timed(profile, arc))
			elimination->members[member].entering += (double)arc->count;
		else if (arc->caller != arc->callee && !arc->is_removed && arc->count > 0)
			link_members(elimination, profile->nodes[arc->caller].place_in_cycle, member,
			             (double)arc->count);
	}
}

/* --- Elimination. */

/* The member whose elimination adds the fewest links; the first of several. */
static uint32_t next_member(struct elimination *elimination)
{
	uint32_t best = NONE;
	size_t fewest = SIZE_MAX;

	for (uint32_t i = 0; i < elimination->cycle->member_count; i++) {
		const struct cycle_member *member = &elimination->members[i];
		size_t added = member->live_callers * member->link_count;

		if (member->is_eliminated || added >= fewest)
			continue;
		best = i;
		fewest = added;
	}
	elimination->steps += elimination->cycle->member_count / 8;
	return best;
}

/* Removes the caller's link to the member and returns its calls. */
static double take_link(struct elimination *elimination, uint32_t caller, uint32_t member)
{
	struct cycle_member *from = &elimination->members[caller];
	size_t i = 0;

	while (from->links[i].callee != member)
		i++;
	double calls = from->links[i].calls;
	from->links[i] = from->links[--from->link_count];
	elimination->steps += i;
	return calls;
}

/* Collects the member's callers that are not eliminated, and their calls. Returns all calls of the member. */
static double collect_incoming(struct elimination *elimination, uint32_t eliminated)
{
	struct cycle_member *member = &elimination->members[eliminated];
	double calls = member->entering;
	size_t kept = 0;

	for (size_t i = 0; i < member->caller_count; i++) {
		uint32_t caller = member->callers[i];

		if (elimination->members[caller].is_eliminated)
			continue;
		elimination->incoming[kept] = take_link(elimination, caller, eliminated);
		calls += elimination->incoming[kept];
		member->callers[kept++] = caller;
	}
	elimination->steps += member->caller_count;
	member->caller_count = kept;
	return calls;
}

/* The caller inherits a part of the member's calls. */
static void inherit_links(struct elimination *elimination, uint32_t caller, const struct cycle_member *eliminated,
                          double part)
{
	struct cycle_member *heir = &elimination->members[caller];
	size_t count = heir->link_count;

	for (size_t i = 0; i < count; i++)
		elimination->position[heir->links[i].callee] = (uint32_t)i + 1;
	for (size_t i = 0; i < eliminated->link_count; i++) {
		const struct member_link *link = &eliminated->links[i];
		uint32_t position = elimination->position[link->callee];

		if (position > 0)
			heir->links[position - 1].calls += part * link->calls;
		else if (link->callee != caller)
			link_members(elimination, caller, link->callee, part * link->calls);
	}
	for (size_t i = 0; i < count; i++)
		elimination->position[heir->links[i].callee] = 0;
	elimination->steps += count + eliminated->link_count;
}

/* No caller inherits from a member without callers: its time, and the time of its calls, goes to the rest. */
static void give_to_rest(struct elimination *elimination, uint32_t eliminated)
{
	const struct cycle_member *member = &elimination->members[eliminated];

	add_flow(elimination, eliminated, rest_place(elimination), 1);
	for (size_t i = 0; i < member->link_count; i++) {
		struct cycle_member *callee = &elimination->members[member->links[i].callee];

		callee->orphan_calls += member->links[i].calls;
		callee->entering += member->links[i].calls;
	}
}

static void give_to_callers(struct elimination *elimination, uint32_t eliminated)
{
	const struct cycle_member *member = &elimination->members[eliminated];

	for (size_t i = 0; i < member->caller_count && !elimination->is_short_of_memory; i++) {
		double part = elimination->incoming[i] / member->calls;

		add_flow(elimination, eliminated, member->callers[i], part);
		inherit_links(elimination, member->callers[i], member, part);
	}
	for (size_t i = 0; i < member->link_count; i++)
		elimination->members[member->links[i].callee].entering +=
		        member->links[i].calls * (member->entering / member->calls);
}

static void eliminate_member(struct elimination *elimination, uint32_t eliminated)
{
	struct cycle_member *member = &elimination->members[eliminated];

	member->is_eliminated = true;
	member->calls = collect_incoming(elimination, eliminated);
	if (member->calls > 0)
		give_to_callers(elimination, eliminated);
	else
		give_to_rest(elimination, eliminated);
	for (size_t i = 0; i < member->link_count; i++)
		elimination->members[member->links[i].callee].live_callers--;
}

/* --- The costs of calls, from the last member that was eliminated to the first. */

static void add_flow_cost(struct elimination *elimination, uint32_t index)
{
	const struct cycle_member *member = &elimination->members[index];
	size_t cost = cost_place(elimination, index);

	if (member->calls <= 0)
		return;
	add_flow(elimination, index, cost, 1 / member->calls);
	for (size_t i = 0; i < member->link_count; i++)
		add_flow(elimination, cost_place(elimination, member->links[i].callee), cost,
		         member->links[i].calls / member->calls);
}

/* All entering calls share the rest. */
static void share_rest(struct elimination *elimination)
{
	const struct profile *profile = elimination->profile;
	const struct profile_cycle *cycle = elimination->cycle;

	for (size_t i = 0; i < cycle->member_count; i++)
		if (elimination->members[i].orphan_calls > 0)
			add_flow(elimination, cost_place(elimination, i), rest_place(elimination),
			         elimination->members[i].orphan_calls);
	for (size_t i = 0; i < cycle->member_count && cycle->calls > 0; i++)
		add_flow(elimination, rest_place(elimination), cost_place(elimination, i),
		         1 / (double)profile_sharing_calls(profile, cycle->members[i]));
}

/* False if the limit of work is exceeded, or when out of memory. */
static bool eliminate_all(struct elimination *elimination)
{
	size_t count = elimination->cycle->member_count;

	for (uint32_t i = 0; i < count && !elimination->is_short_of_memory; i++)
		collect_callers(elimination, i);
	for (size_t i = 0; i < count && !elimination->is_short_of_memory; i++) {
		if (elimination->steps > STEPS_MAX)
			return false;
		elimination->order[i] = next_member(elimination);
		eliminate_member(elimination, elimination->order[i]);
	}
	return !elimination->is_short_of_memory;
}

static void solve_flows(struct elimination *elimination, bool *is_solved)
{
	size_t count = elimination->cycle->member_count, before = elimination->list->count;

	*is_solved = !elimination->cycle->is_too_large && eliminate_all(elimination);
	for (size_t i = count; i > 0 && *is_solved; i--)
		add_flow_cost(elimination, elimination->order[i - 1]);
	if (!*is_solved) {
		elimination->list->count = before;
		for (size_t i = 0; i < count; i++) {
			elimination->members[i].orphan_calls = 0;
			add_flow(elimination, i, rest_place(elimination), 1);
		}
	}
	share_rest(elimination);
}

static void release_elimination(struct elimination *elimination, struct scratch *scratch)
{
	for (size_t i = 0; elimination->members != NULL && i < elimination->cycle->member_count; i++) {
		free(elimination->members[i].links);
		free(elimination->members[i].callers);
	}
	scratch_free(scratch);
}

bool cycle_flows_find(const struct profile *profile, size_t cycle, size_t first, struct flow_list *list,
                      bool *is_solved)
{
	size_t count = profile->cycles[cycle].member_count;
	struct scratch scratch = {.count = 0};
	struct elimination elimination = {
	        .profile = profile,
	        .cycle = &profile->cycles[cycle],
	        .members = scratch_array(&scratch, count, sizeof(struct cycle_member)),
	        .order = scratch_array(&scratch, count, sizeof(uint32_t)),
	        .position = scratch_array(&scratch, count, sizeof(uint32_t)),
	        .incoming = scratch_array(&scratch, count, sizeof(double)),
	        .list = list,
	        .first = first,
	};

	elimination.is_short_of_memory = scratch.is_short_of_memory;
	if (!elimination.is_short_of_memory)
		solve_flows(&elimination, is_solved);
	release_elimination(&elimination, &scratch);
	return !elimination.is_short_of_memory;
}
