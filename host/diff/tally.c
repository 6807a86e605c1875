/* SPDX-License-Identifier: MIT */
/* Stage: sums figures for each row and arc over all captures. The next stage sums them for each capture. */
#include "diff/private.h"
#include "profile/measurement.h"

#include <math.h>
#include <stdlib.h>

/* Adds a variance whose error may be fully correlated with the sum's error: adds the deviations, not their squares. */
static void add_deviation(double *variance, double more)
{
	double deviation = sqrt(*variance) + sqrt(more);

	*variance = deviation * deviation;
}

/* Adds an uncertainty: the time may lack all of the time that stacks hide. */
static double with_hidden(double variance, double hidden_time)
{
	add_deviation(&variance, hidden_time * hidden_time);
	return variance;
}

static void add_node_figures(struct tally_figures *figures, const struct profile_node *node)
{
	figures->self += node->self_time;
	figures->total += profile_node_total(node);
	figures->self_variance += node->self_variance;
	add_deviation(&figures->total_variance, with_hidden(node->total_variance, node->hidden_time));
	add_deviation(&figures->share_variance, with_hidden(node->share_variance, node->hidden_time));
}

/* A profile while it is added to a tally. */
struct tally_source {
	const struct compare_state *state;
	const struct profile *profile;
	enum build build;
	struct tally_figures *cycles; /* by cycle, all its members together */
};

static struct tally_figures figures_of_cycle(const struct profile *profile, const struct profile_cycle *cycle)
{
	struct tally_figures figures = {
	        .self = cycle->self_time,
	        .total = cycle->self_time + cycle->child_time,
	        .total_variance = cycle->total_variance,
	        .share_variance = cycle->total_variance,
	};

	for (size_t i = 0; i < cycle->member_count; i++)
		figures.self_variance += profile->nodes[cycle->members[i]].self_variance;
	return figures;
}

/* The figures of an arc's callee or, for a member of a cycle, of its cycle. */
static struct tally_figures callee_of(const struct tally_source *source, const struct profile_arc *arc)
{
	const struct profile_node *node = &source->profile->nodes[arc->callee];
	struct tally_figures callee = {0};

	if (node->cycle != PROFILE_NONE)
		return source->cycles[node->cycle];
	add_node_figures(&callee, node);
	return callee;
}

/* Calls to inlined functions are not counted. */
static double counted_calls(const struct profile_arc *arc)
{
	return arc->is_inlined ? 0 : (double)arc->count;
}

/* An arc carries a part of its callee's time, and of its errors. */
static void add_arc_figures(struct tally_figures *figures, const struct tally_source *source,
                            const struct profile_arc *arc)
{
	const struct tally_figures callee = callee_of(source, arc);
	double total = arc->self_time + arc->child_time;
	double share = callee.total > 0 ? total / callee.total : 0;
	const struct profile_measured_arc *measured_arc = profile_measured_arc(source->profile, arc);
	bool is_measured = source->profile->measurement != NULL;

	figures->self += arc->self_time;
	figures->total += total;
	figures->calls += counted_calls(arc);
	add_deviation(&figures->self_variance, share * share * callee.self_variance);
	double measured = with_hidden(measured_arc->variance, measured_arc->hidden_time);
	add_deviation(&figures->total_variance, is_measured ? measured : share * share * callee.total_variance);
	add_deviation(&figures->share_variance, is_measured ? measured : share * share * callee.share_variance);
}

static bool has_range_over(const struct capture_block *block, const struct profile_node *node)
{
	for (size_t i = 0; i < block->range_count; i++)
		if (node->address < block->ranges[i].end && block->ranges[i].start < node->end)
			return true;
	return block->range_count == 0;
}

/* Whether some code of the node is in a sampled range; other code never has samples. */
static bool is_in_sampled_range(const struct profile *profile, const struct profile_node *node)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (has_range_over(profile->blocks[i], node))
			return true;
	return false;
}

/* Whether it is the function's own code, not a copy inside another function. */
static bool is_own_code(const struct profile *profile, size_t node)
{
	const struct image *image = profile->image;

	return node < image->function_count && image->functions[node].inlined_into == IMAGE_NOT_INLINED;
}

static void tally_nodes(struct build_tally *tally, const struct tally_source *source)
{
	const struct profile *profile = source->profile;

	for (size_t i = 0; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];
		size_t row = compare_row_of_node(source->state, source->build, profile, i);

		if (node->kind != PROFILE_BAREPROF) {
			tally->time += node->self_time;
			tally->samples += node->self_samples;
		}
		if (row == PAIRING_NONE)
			continue;
		struct tally_figures *figures = &tally->rows[row];
		add_node_figures(figures, node);
		figures->handler += profile_node_handler_time(profile, i);
		figures->is_sampled |= is_in_sampled_range(profile, node);
		figures->is_called |= is_own_code(profile, i) &&
		                      (node->self_samples > 0 || node->child_time > 0 || profile_node_calls(node) > 0);
	}
}

static void tally_arcs(struct build_tally *tally, const struct tally_source *source)
{
	const struct compare_state *state = source->state;
	const struct profile *profile = source->profile;

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		size_t caller = compare_row_of_node(state, source->build, profile, arc->caller);
		size_t callee = compare_row_of_node(state, source->build, profile, arc->callee);
		size_t place = compare_arc_between(state->comparison, caller, callee);

		tally->has_calls |= !arc->is_inlined && arc->count > 0;
		add_arc_figures(&tally->arcs[place], source, arc);
		/* Recursive calls count only in their arc: a part that became a clone is also called by the rest of its
		 * function. */
		if (caller != callee)
			tally->rows[callee].calls += counted_calls(arc);
	}
}

bool compare_add_profile(const struct compare_state *state, enum build build, const struct profile *profile,
                         struct build_tally *tally)
{
	struct tally_source source = {state, profile, build,
	                              calloc(profile->cycle_count + 1, sizeof(struct tally_figures))};

	tally->rows = calloc(state->comparison->row_count + 1, sizeof *tally->rows);
	tally->arcs = calloc(state->comparison->arc_count + 1, sizeof *tally->arcs);
	if (source.cycles == NULL || tally->rows == NULL || tally->arcs == NULL) {
		free(source.cycles);
		return false;
	}
	tally->is_measured = profile->measurement != NULL;
	for (size_t i = 0; i < profile->cycle_count; i++)
		source.cycles[i] = figures_of_cycle(profile, &profile->cycles[i]);
	tally_nodes(tally, &source);
	tally_arcs(tally, &source);
	free(source.cycles);
	return true;
}

/* Finds how each row is inlined. A fully inlined function may keep its symbol. */
static void find_inlining(struct compare_state *state, enum build build)
{
	struct comparison *comparison = state->comparison;

	for (size_t i = 0; i < comparison->row_count; i++) {
		struct compare_row *row = &comparison->rows[i];

		if (row->pair != PAIRING_NONE && comparison->pairing.pairs[row->pair].has_inlined[build])
			row->inlining[build] =
			        state->all[build].rows[i].is_called ? COMPARE_PARTLY_INLINED : COMPARE_INLINED;
	}
}

enum status compare_tally(struct compare_state *state, struct error *error)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct compare_build *compared = &state->comparison->builds[build];

		if (!compare_add_profile(state, build, compared->profile, &state->all[build]))
			return compare_out_of_memory(state, error);
		find_inlining(state, build);
		compared->time = compared->profile->total_time;
		compared->recorder_time = profile_recorder_time(compared->profile);
		compared->samples = compared->profile->total_samples;
	}
	return STATUS_OK;
}
