/* SPDX-License-Identifier: MIT */
/*
 * Stacks for functions that no stack ends in, see measure.h. The callers of such a function are taken from the first of
 * these that exists: stacks on which it calls others; stacks of its recorded callers; stacks of functions with few
 * stacks, with an unknown caller. In each case several functions share the same stacks. So the functions' times and the
 * stacks' times are laid out side by side, and there are at most as many pieces as functions and stacks together.
 */
#include "base/array.h"
#include "base/search.h"
#include "profile/measurement.h"
#include "profile/stacks/measure.h"

#include <stdlib.h>

/* Functions with fewer stacks than this lend to functions without known callers. */
#define FEW_STACKS 5

/* A function on a stack: its innermost frame there. */
struct occurrence {
	size_t node, stack, position;
};

/* A part of a claim, and the function whose stacks it gets: its caller, itself, or PROFILE_NONE for any stacks. */
struct claim_piece {
	size_t through;
	const struct stack_claim *claim;
	size_t stratum;
	double time;
};

struct borrowing {
	struct measure *measure;
	size_t first, end;              /* range of the stacks that are borrowed */
	struct occurrence *occurrences; /* by node, then by stack */
	size_t occurrence_count;
	struct claim_piece *pieces;
	size_t piece_count;
};

/* --- Functions on stacks. */

static int compare_occurrences(const void *left, const void *right)
{
	const struct occurrence *a = left, *b = right;

	if (a->node != b->node)
		return compare_numbers(a->node, b->node);
	return a->stack != b->stack ? compare_numbers(a->stack, b->stack) : compare_numbers(a->position, b->position);
}

static bool is_lendable(const struct measure *measure, const struct measured_stack *stack)
{
	enum profile_node_kind kind = measure->profile->nodes[measure->frames[stack->first].node].kind;

	return kind == PROFILE_FUNCTION || kind == PROFILE_UNKNOWN || kind == PROFILE_OUTSIDE;
}

static void keep_innermost(struct borrowing *borrowing)
{
	struct occurrence *items = borrowing->occurrences;
	size_t kept = 0;

	if (borrowing->occurrence_count > 0)
		qsort(items, borrowing->occurrence_count, sizeof *items, compare_occurrences);
	for (size_t i = 0; i < borrowing->occurrence_count; i++)
		if (kept == 0 || items[kept - 1].node != items[i].node || items[kept - 1].stack != items[i].stack)
			items[kept++] = items[i];
	borrowing->occurrence_count = kept;
}

static bool find_occurrences(struct borrowing *borrowing)
{
	const struct measure *measure = borrowing->measure;

	for (size_t i = borrowing->first; i < borrowing->end; i++) {
		const struct measured_stack *stack = &measure->stacks[i];

		for (size_t j = 0; is_lendable(measure, stack) && j < stack->depth; j++) {
			const struct occurrence occurrence = {measure->frames[stack->first + j].node, i, j};

			if (!array_append(&borrowing->occurrences, &borrowing->occurrence_count, &occurrence,
			                  sizeof occurrence))
				return false;
		}
	}
	keep_innermost(borrowing);
	return true;
}

static size_t first_occurrence(const struct borrowing *borrowing, size_t node)
{
	return first_index_from(borrowing->occurrences, borrowing->occurrence_count, sizeof *borrowing->occurrences,
	                        offsetof(struct occurrence, node), node);
}

static bool is_on_lent_stack(const struct borrowing *borrowing, size_t node)
{
	size_t first = first_occurrence(borrowing, node);

	return first < borrowing->occurrence_count && borrowing->occurrences[first].node == node;
}

/* --- The stacks that a claim gets. */

static bool add_piece(struct borrowing *borrowing, const struct stack_claim *claim, size_t through, size_t stratum,
                      double time)
{
	const struct claim_piece piece = {through, claim, stratum, time};

	return array_append(&borrowing->pieces, &borrowing->piece_count, &piece, sizeof piece);
}

/* Adds a stratum of one function. Its callers are as uncertain as if a single stack had shown them. */
static bool add_borrowed_stratum(struct measure *measure, const struct stack_claim *claim)
{
	const struct stratum stratum = {
	        .source = claim->source,
	        .leaf = claim->node,
	        .samples = claim->samples,
	        .time = claim->time,
	        .variance = claim->variance,
	        .observations = 1,
	};

	return array_append(&measure->strata, &measure->stratum_count, &stratum, sizeof stratum);
}

static bool is_caller_on_stack(const struct borrowing *borrowing, const struct profile_arc *arc)
{
	return arc->count > 0 && arc->caller != arc->callee && is_on_lent_stack(borrowing, arc->caller);
}

/* The number of calls by functions that are on stacks. */
static double count_known_calls(const struct borrowing *borrowing, size_t node)
{
	const struct profile *profile = borrowing->measure->profile;
	double calls = 0;

	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		calls += is_caller_on_stack(borrowing, arc) ? (double)arc->count : 0;
	}
	return calls;
}

static bool divide_among_callers(struct borrowing *borrowing, const struct stack_claim *claim, double calls)
{
	const struct profile *profile = borrowing->measure->profile;
	size_t stratum = borrowing->measure->stratum_count;
	bool ok = add_borrowed_stratum(borrowing->measure, claim);

	for (size_t i = profile->first_parent[claim->node]; ok && i < profile->first_parent[claim->node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		if (is_caller_on_stack(borrowing, arc))
			ok = add_piece(borrowing, claim, arc->caller, stratum,
			               claim->time * ((double)arc->count / calls));
	}
	return ok;
}

static bool choose_stacks(struct borrowing *borrowing, const struct stack_claim *claim)
{
	/* Arcs were made before the nodes of functions outside the image, which therefore have none. */
	bool may_have_arcs = claim->node < borrowing->measure->profile->image->function_count;
	double calls = may_have_arcs ? count_known_calls(borrowing, claim->node) : 0;

	if (is_on_lent_stack(borrowing, claim->node)) {
		size_t stratum = borrowing->measure->stratum_count;

		return add_borrowed_stratum(borrowing->measure, claim) &&
		       add_piece(borrowing, claim, claim->node, stratum, claim->time);
	}
	if (calls > 0)
		return divide_among_callers(borrowing, claim, calls);
	return add_piece(borrowing, claim, PROFILE_NONE, SIZE_MAX, claim->time);
}

/* Functions that may borrow any stack form one stratum. Its variance has two parts: the stacks of each function are as
 * uncertain as one draw, and the lenders are a sample themselves. */
static bool add_common_stratum(struct borrowing *borrowing, const double *weights)
{
	struct measure *measure = borrowing->measure;
	struct stratum stratum = {.leaf = PROFILE_NONE};
	double squares = 0, weight = 0, squared_weight = 0;

	for (size_t i = 0; i < borrowing->piece_count; i++) {
		struct claim_piece *piece = &borrowing->pieces[i];

		if (piece->through != PROFILE_NONE)
			continue;
		piece->stratum = measure->stratum_count;
		stratum.source = piece->claim->source;
		stratum.samples += piece->claim->samples;
		stratum.time += piece->claim->time;
		stratum.variance += piece->claim->variance;
		squares += piece->time * piece->time;
	}
	for (size_t i = borrowing->first; i < borrowing->end; i++)
		if (weights[i - borrowing->first] > 0) {
			weight += measure->stacks[i].weight;
			squared_weight += measure->stacks[i].squares;
		}
	if (stratum.time <= 0)
		return true;
	stratum.observations =
	        1 / (squares / (stratum.time * stratum.time) + (weight > 0 ? squared_weight / (weight * weight) : 0));
	return array_append(&measure->strata, &measure->stratum_count, &stratum, sizeof stratum);
}

/* --- The pieces of time. */

/* Adds a stack for a function, with the callers above the lender's frame at position. */
static bool lend_stack(struct borrowing *borrowing, const struct claim_piece *piece, size_t lender, size_t position,
                       double time)
{
	struct measure *measure = borrowing->measure;
	const struct measured_stack from = measure->stacks[lender];
	bool is_caller_unknown = piece->through == PROFILE_NONE && from.depth > 1;
	const struct measured_stack stack = {
	        .source = piece->claim->source,
	        .end = from.end,
	        .is_borrowed = true,
	        .stratum = piece->stratum,
	        .time = time,
	        .samples = piece->claim->samples * (time / piece->claim->time),
	};
	size_t outer = piece->through == piece->claim->node || piece->through == PROFILE_NONE ? position + 1 : position;
	bool ok = measure_begin_stack(measure, &stack) && measure_add_frame(measure, piece->claim->node, 0);

	if (is_caller_unknown)
		ok = ok &&
		     measure_add_frame(measure, profile_node_of_kind(measure->profile, PROFILE_UNKNOWN_CALLER), 0);
	for (size_t i = outer; ok && i < from.depth && measure->frame_count < MEASURE_FRAMES_MAX; i++) {
		const struct profile_frame frame = measure->frames[from.first + i];

		/* The lender's address belongs to a call of another function. */
		ok = measure_add_frame(measure, frame.node, i == position ? 0 : frame.address);
	}
	return ok;
}

/* Stacks, and the part of the time that each gets. */
struct lenders {
	const struct occurrence *items;
	const double *weights;
	size_t count;
};

/* Lays out the pieces along the stacks, and lends each piece the stacks next to it. */
static bool lend_along_stacks(struct borrowing *borrowing, const struct claim_piece *pieces, size_t count,
                              const struct lenders *lenders)
{
	double whole = 0, weight = 0;
	size_t next = 0;

	for (size_t i = 0; i < count; i++)
		whole += pieces[i].time;
	for (size_t i = 0; i < lenders->count; i++)
		weight += lenders->weights[i];
	double left = weight > 0 ? lenders->weights[0] * (whole / weight) : whole;
	for (size_t i = 0; i < count; i++) {
		double needed = pieces[i].time;

		while (needed > 0) {
			bool is_last = next + 1 == lenders->count;
			double taken = is_last || left > needed ? needed : left;
			const struct occurrence *lender = &lenders->items[next];

			if (taken > 0 && !lend_stack(borrowing, &pieces[i], lender->stack, lender->position, taken))
				return false;
			needed -= taken;
			left -= taken;
			if (needed > 0 && !is_last)
				left = lenders->weights[++next] * (whole / weight);
		}
	}
	return true;
}

/* The lenders are the stacks that contain a function, weighted by their times or, if these are 0, by their weights. */
static bool match_function(struct borrowing *borrowing, const struct claim_piece *pieces, size_t count, double *weights)
{
	const struct measured_stack *stacks = borrowing->measure->stacks;
	size_t first = first_occurrence(borrowing, pieces->through), end = first;
	double time = 0;

	for (; end < borrowing->occurrence_count && borrowing->occurrences[end].node == pieces->through; end++)
		time += stacks[borrowing->occurrences[end].stack].time;
	for (size_t i = first; i < end; i++) {
		const struct measured_stack *stack = &stacks[borrowing->occurrences[i].stack];

		weights[i - first] = time > 0 ? stack->time : stack->weight;
	}
	const struct lenders lenders = {&borrowing->occurrences[first], weights, end - first};
	return lend_along_stacks(borrowing, pieces, count, &lenders);
}

/* Sets the weights of stacks of functions with few stacks or, if there are no such functions, of all stacks. */
static void weigh_stacks(const struct borrowing *borrowing, double *weights)
{
	const struct measure *measure = borrowing->measure;
	bool has_few = false;

	for (int pass = 0; pass < 2 && !has_few; pass++)
		for (size_t i = borrowing->first; i < borrowing->end; i++) {
			const struct measured_stack *stack = &measure->stacks[i];
			bool is_chosen = is_lendable(measure, stack) &&
			                 (pass == 1 || measure->strata[stack->stratum].observations < FEW_STACKS);

			weights[i - borrowing->first] = is_chosen ? stack->weight : 0;
			has_few |= is_chosen;
		}
}

static bool match_any(struct borrowing *borrowing, const struct claim_piece *pieces, size_t count, double *weights)
{
	struct occurrence *lenders = calloc(borrowing->end - borrowing->first + 1, sizeof *lenders);
	size_t kept = 0;

	for (size_t i = borrowing->first; lenders != NULL && i < borrowing->end; i++) {
		if (weights[i - borrowing->first] <= 0)
			continue;
		weights[kept] = weights[i - borrowing->first];
		lenders[kept++] = (struct occurrence){.stack = i};
	}
	bool ok = lenders != NULL &&
	          lend_along_stacks(borrowing, pieces, count, &(struct lenders){lenders, weights, kept});
	free(lenders);
	return ok;
}

static int compare_claim_pieces(const void *left, const void *right)
{
	const struct claim_piece *a = left, *b = right;

	return a->through != b->through ? compare_numbers(a->through, b->through)
	                                : compare_numbers(a->claim->node, b->claim->node);
}

static bool match_pieces(struct borrowing *borrowing, double *weights, double *any_weights)
{
	size_t end;
	bool ok = true;

	if (borrowing->piece_count > 0)
		qsort(borrowing->pieces, borrowing->piece_count, sizeof *borrowing->pieces, compare_claim_pieces);
	for (size_t first = 0; ok && first < borrowing->piece_count; first = end) {
		const struct claim_piece *pieces = &borrowing->pieces[first];

		for (end = first + 1;
		     end < borrowing->piece_count && borrowing->pieces[end].through == pieces->through;)
			end++;
		ok = pieces->through == PROFILE_NONE ? match_any(borrowing, pieces, end - first, any_weights)
		                                     : match_function(borrowing, pieces, end - first, weights);
	}
	return ok;
}

bool measure_add_root(struct measure *measure, const struct stack_claim *claim)
{
	const struct measured_stack stack = {
	        .source = claim->source,
	        .stratum = measure->stratum_count,
	        .is_borrowed = true,
	        .time = claim->time,
	        .samples = claim->samples,
	};

	return add_borrowed_stratum(measure, claim) && measure_begin_stack(measure, &stack) &&
	       measure_add_frame(measure, claim->node, 0);
}

static bool add_roots(struct measure *measure, const struct stack_claim *claims, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!measure_add_root(measure, &claims[i]))
			return false;
	return true;
}

bool measure_borrow(struct measure *measure, const struct stack_claim *claims, size_t count, size_t first, size_t end)
{
	struct borrowing borrowing = {.measure = measure, .first = first, .end = end};
	struct scratch scratch = {.count = 0};
	double *weights = scratch_array(&scratch, end - first, sizeof *weights);
	double *any_weights = scratch_array(&scratch, end - first, sizeof *any_weights);
	bool ok = !scratch.is_short_of_memory && find_occurrences(&borrowing);

	if (ok && borrowing.occurrence_count == 0) {
		ok = add_roots(measure, claims, count);
		count = 0;
	}
	for (size_t i = 0; ok && i < count; i++)
		ok = choose_stacks(&borrowing, &claims[i]);
	if (ok && count > 0) {
		weigh_stacks(&borrowing, any_weights);
		ok = add_common_stratum(&borrowing, any_weights) && match_pieces(&borrowing, weights, any_weights);
	}
	free(borrowing.occurrences);
	free(borrowing.pieces);
	scratch_free(&scratch);
	return ok;
}
