/* SPDX-License-Identifier: MIT */
/* See measured.h. */
#include "measured.h"
#include "profile/measurement.h"

#include <stdlib.h>
#include <string.h>

#define STACKS_MAX 32
#define FRAMES_MAX 16

static struct profile_measurement measurement;
static struct profile_stack stacks[STACKS_MAX];
static struct profile_frame frames[STACKS_MAX][FRAMES_MAX];
static struct profile_stratum strata[STACKS_MAX];
static struct profile_measured_arc measured_arcs[64];

/* The profile does not own the stacks. */
static void take_away(void *profile)
{
	((struct profile *)profile)->measurement = NULL;
}

void measured_begin(struct profile *profile)
{
	release_later(profile, take_away);
	assert_true(profile->arc_count <= sizeof measured_arcs / sizeof *measured_arcs);
	memset(measured_arcs, 0, sizeof measured_arcs);
	measurement = (struct profile_measurement){.stacks = stacks, .strata = strata, .arcs = measured_arcs};
	profile->measurement = &measurement;
	profile->has_total_variance = true;
	for (size_t i = 0; i < profile->node_count; i++)
		profile->nodes[i].calls = profile->nodes[i].self_calls = 0;
	for (size_t i = 0; i < profile->arc_count; i++)
		profile->arcs[i].count = 0;
}

/* The address of a frame without one. */
static uint64_t default_address(const struct profile *profile, size_t node, bool is_sampled)
{
	return profile->nodes[node].address + (is_sampled ? 0 : 3);
}

void measured_stack(struct profile *profile, const char *functions, double time)
{
	struct profile_frame *made = frames[measurement.count], whole[FRAMES_MAX];
	char text[256], *next = text;
	size_t depth = 0;

	assert_true(measurement.count < STACKS_MAX && strlen(functions) < sizeof text);
	strcpy(text, functions);
	for (char *name; (name = strsep(&next, " ")) != NULL;) {
		char *address = strchr(name, '@');

		if (address != NULL)
			*address++ = '\0';
		assert_true(depth < FRAMES_MAX);
		whole[depth].node = firmware_node(profile, name);
		whole[depth].address = address != NULL ? strtoull(address, NULL, 16)
		                                       : default_address(profile, whole[depth].node, next == NULL);
		depth++;
	}
	for (size_t i = 0; i < depth; i++)
		made[i] = whole[depth - 1 - i];
	strata[measurement.stratum_count++] = (struct profile_stratum){time, time * 0.02, 1};
	stacks[measurement.count] = (struct profile_stack){
	        .frames = made,
	        .depth = depth,
	        .context = CAPTURE_NO_CONTEXT,
	        .samples = time * 100,
	        .time = time,
	        .stratum = measurement.count,
	        .observations = 1,
	};
	measurement.count++;
	measurement.stack_count++;
}

static bool has_node(const struct profile_stack *stack, size_t node)
{
	for (size_t i = 0; i < stack->depth; i++)
		if (stack->frames[i].node == node)
			return true;
	return false;
}

static bool has_arc(const struct profile_stack *stack, const struct profile_arc *arc)
{
	for (size_t i = 1; i < stack->depth; i++)
		if (stack->frames[i].node == arc->caller && stack->frames[i - 1].node == arc->callee)
			return true;
	return false;
}

void measured_end(struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];

		node->child_time = 0;
		node->cycle = PROFILE_NONE;
		for (size_t j = 0; j < measurement.count; j++)
			if (has_node(&stacks[j], i) && stacks[j].frames[0].node != i)
				node->child_time += stacks[j].time;
	}
	for (size_t i = 0; i < profile->arc_count; i++) {
		struct profile_arc *arc = &profile->arcs[i];

		arc->self_time = arc->child_time = 0;
		for (size_t j = 0; j < measurement.count; j++)
			if (has_arc(&stacks[j], arc)) {
				measured_arcs[i].is_on_stacks = true;
				*(stacks[j].frames[0].node == arc->callee ? &arc->self_time : &arc->child_time) +=
				        stacks[j].time;
			}
	}
	profile->cycle_count = 0;
}
