/* SPDX-License-Identifier: MIT */
/* See stacks.h. */
#include "profile/analysis/stacks.h"

#include "base/array.h"
#include "diff/formats/flow.h"

#define LEAST_PART    1e-4 /* of all time, that is followed */
#define ROUNDING_PART 1e-9
#define FRAMES_MAX    ((size_t)1 << 20) /* whatever the graph */

/* Time that has reached a frame and is to be handed on from there. */
struct arrival {
	size_t frame;
	double time;
	bool is_in_cycle; /* it has been shared among the members */
};

struct expansion {
	struct stacks *stacks;
	const struct flow *flow;
	double least; /* time that is followed */
	struct arrival *arrivals;
	size_t arrival_count;
};

static bool add_frame(struct stacks *stacks, size_t row, size_t parent, size_t depth)
{
	struct stacks_frame *frames = array_reserve(stacks->frames, sizeof *frames, stacks->count);
	if (frames == NULL)
		return false;
	stacks->frames = frames;
	frames[stacks->count] = (struct stacks_frame){.row = row, .parent = parent, .depth = depth};
	if (depth > 0) {
		frames[stacks->count].next_sibling = frames[parent].first_child;
		frames[parent].first_child = stacks->count;
	}
	stacks->count++;
	return true;
}

static bool add_outermost(struct stacks *stacks, size_t rows)
{
	bool is_added = add_frame(stacks, PAIRING_NONE, STACKS_ROOT, 0);
	for (size_t row = 0; is_added && row < rows; row++)
		is_added = add_frame(stacks, row, STACKS_ROOT, 1);
	return is_added;
}

static bool is_on_stack(const struct stacks *stacks, size_t frame, size_t row)
{
	while (frame != STACKS_ROOT && stacks->frames[frame].row != row)
		frame = stacks->frames[frame].parent;
	return frame != STACKS_ROOT;
}

static bool can_go_deeper(const struct stacks *stacks, size_t frame, size_t row)
{
	return stacks->count < FRAMES_MAX && stacks->frames[frame].depth < STACKS_DEPTH_MAX &&
	       !is_on_stack(stacks, frame, row);
}

static bool arrive(struct expansion *expansion, size_t frame, double time, bool is_in_cycle)
{
	struct arrival *arrivals = array_reserve(expansion->arrivals, sizeof *arrivals, expansion->arrival_count);
	if (arrivals == NULL)
		return false;
	expansion->arrivals = arrivals;
	arrivals[expansion->arrival_count++] = (struct arrival){frame, time, is_in_cycle};
	return true;
}

static bool arrive_at_child(struct expansion *expansion, size_t frame, size_t row, double time, bool is_in_cycle)
{
	struct stacks *stacks = expansion->stacks;
	size_t child = stacks->frames[frame].first_child;
	while (child != STACKS_ROOT && stacks->frames[child].row != row)
		child = stacks->frames[child].next_sibling;
	if (child == STACKS_ROOT) {
		child = stacks->count;
		if (!add_frame(stacks, row, frame, stacks->frames[frame].depth + 1))
			return false;
	}
	return arrive(expansion, child, time, is_in_cycle);
}

/* Hands on what has arrived: each part its share of whole. The frame keeps the rest. */
static bool hand_on(struct expansion *expansion, const struct arrival *arrival, const struct flow_part *parts,
                    size_t count, double whole, bool are_members)
{
	struct stacks *stacks = expansion->stacks;
	double rest = arrival->time;
	for (size_t i = 0; i < count && whole > 0; i++) {
		double time = arrival->time * parts[i].time / whole;
		if (time < expansion->least)
			break;
		if (!can_go_deeper(stacks, arrival->frame, parts[i].row))
			continue;
		if (!arrive_at_child(expansion, arrival->frame, parts[i].row, time, are_members))
			return false;
		rest -= time;
	}
	stacks->frames[arrival->frame].times[expansion->flow->build] += rest > 0 ? rest : 0;
	return true;
}

static bool hand_on_to_callees(struct expansion *expansion, const struct arrival *arrival)
{
	const struct flow *flow = expansion->flow;
	size_t row = expansion->stacks->frames[arrival->frame].row;
	size_t first = flow->first_callee[row];
	return hand_on(expansion, arrival, flow->callees + first, flow->first_callee[row + 1] - first,
	               flow->totals[row], false);
}

static double sum_parts(const struct flow_part *parts, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += parts[i].time;
	return sum;
}

/* The member that was called keeps its own share, and that of members too small to be followed. */
static bool share_in_cycle(struct expansion *expansion, const struct arrival *arrival, size_t cycle)
{
	const struct flow *flow = expansion->flow;
	const struct flow_part *members = flow->members + flow->first_member[cycle];
	size_t row = expansion->stacks->frames[arrival->frame].row;
	size_t count = flow->first_member[cycle + 1] - flow->first_member[cycle];
	double whole = sum_parts(members, count);
	double own = whole > 0 ? arrival->time * flow->totals[row] / whole : arrival->time;
	const struct arrival rest = {arrival->frame, arrival->time - own, true};
	/* The called member is on the stack, so it gets nothing of what goes to members. */
	return hand_on(expansion, &rest, members, count, whole - flow->totals[row], true) &&
	       arrive(expansion, arrival->frame, own, true);
}

static bool follow(struct expansion *expansion)
{
	const struct flow *flow = expansion->flow;
	while (expansion->arrival_count > 0) {
		const struct arrival arrival = expansion->arrivals[--expansion->arrival_count];
		const struct stacks_frame *frame = &expansion->stacks->frames[arrival.frame];
		size_t cycle = arrival.is_in_cycle ? 0 : flow->comparison->rows[frame->row].cycles[flow->build];
		if (cycle != 0 ? !share_in_cycle(expansion, &arrival, cycle) : !hand_on_to_callees(expansion, &arrival))
			return false;
	}
	return true;
}

/* What no caller answers for begins a stack, unless it is what sums in another order differ by. */
static bool begin_stack(struct expansion *expansion, size_t row, double total, double callers)
{
	double left = total - callers;
	return left <= ROUNDING_PART * expansion->flow->time || arrive(expansion, row + 1, left, false);
}

/* A cycle begins at its largest member, whoever was called first. */
static bool begin_cycle(struct expansion *expansion, size_t cycle)
{
	const struct flow *flow = expansion->flow;
	double callers = 0, total = 0;
	for (size_t i = flow->first_member[cycle]; i < flow->first_member[cycle + 1]; i++) {
		callers += flow->callers[flow->members[i].row];
		total += flow->members[i].time;
	}
	return flow->first_member[cycle] == flow->first_member[cycle + 1] ||
	       begin_stack(expansion, flow->members[flow->first_member[cycle]].row, total, callers);
}

static bool expand_build(struct stacks *stacks, const struct flow *flow)
{
	struct expansion expansion = {.stacks = stacks, .flow = flow, .least = LEAST_PART * flow->time};
	bool is_done = true;
	for (size_t row = 0; is_done && row < flow->comparison->row_count; row++)
		if (flow->comparison->rows[row].cycles[flow->build] == 0)
			is_done = begin_stack(&expansion, row, flow->totals[row], flow->callers[row]);
	for (size_t cycle = 1; is_done && cycle <= flow->cycle_count; cycle++)
		is_done = begin_cycle(&expansion, cycle);
	is_done = is_done && follow(&expansion);
	free(expansion.arrivals);
	return is_done;
}

bool stacks_expand(const struct comparison *comparison, struct stacks *stacks)
{
	*stacks = (struct stacks){.count = 0};
	bool is_done = add_outermost(stacks, comparison->row_count);
	for (enum build build = BUILD_OLD; is_done && build < BUILD_COUNT; build++) {
		struct flow flow;
		is_done = flow_create(comparison, build, &flow) && expand_build(stacks, &flow);
		stacks->times[build] = flow.time;
		flow_free(&flow);
	}
	return is_done;
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->frames);
}
