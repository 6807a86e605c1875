/* SPDX-License-Identifier: MIT */
/*
 * Pass: measured total times of source lines. The time of a stack counts once for each line that made a call on it.
 * Lines of the sampled function get parts of the time in proportion to all of the function's samples, which are many
 * more than its stacks. A line of that function that also made a call on the stack gets the whole time.
 *
 * In a stratum with the time S, a line has the time O as sampled code and C as a call, which is the part P = C / (S -
 * O) of the rest. The variance is var(O) + P^2 var(S - O) + (S - O)^2 P (1 - P) / n; see stack_errors.h for the last
 * term.
 */
#include "base/search.h"
#include "firmware/calls/calls.h"
#include "profile/lines.h"
#include "profile/lines/line_places.h"
#include "profile/stacks/measure.h"
#include "profile/stacks/stack_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a line's total time and of its variance. */
struct line_sums {
	double share;         /* its part of the current function's samples */
	double own, called;   /* its times in the current stratum: as sampled code, and as a call */
	double own_variance;  /* variance of its time as sampled code */
	double self_variance; /* variance of its self time: includes the uncertainty about shared bins, but not inlined
	                         code */
	double observed;      /* the number of stacks that it was on as a call */
	double base;          /* the sum of stack_errors_unseen() over the strata that it is in */
	bool may_call;        /* it has a call instruction */
	bool is_touched;      /* it is in the current stratum */
	size_t last_stack;    /* the last stack that it was on, counted from 1 */
};

struct totals {
	struct profile *profile;
	struct line_places places;
	struct line_sums *sums; /* by total */
	size_t *touched;        /* totals of the current stratum */
	size_t touched_count;
	size_t stack_number; /* number of the current stack */
	/* The sampled function of the current stacks, its sampled code from first_code up to end_code, and the time of
	 * its stacks. */
	size_t leaf, first_code, end_code;
	double leaf_time;
	double observed;   /* all stacks */
	double time, base; /* sums over all strata: of times, and of stack_errors_unseen() */
};

/* Notes that the line is in the current stratum. */
static struct line_sums *touch_line(struct totals *totals, size_t total)
{
	struct line_sums *sums = &totals->sums[total];

	if (!sums->is_touched)
		totals->touched[totals->touched_count++] = total;
	sums->is_touched = true;
	return sums;
}

/* --- The sampled function. */

/* Sets the lines' shares of the current function's samples. */
static void set_shares(struct totals *totals)
{
	const struct profile *profile = totals->profile;

	for (size_t i = totals->first_code; i < totals->end_code; i++) {
		const struct line_place *place = &totals->places.code[i];
		double share = profile->sampled_code[i].samples / profile->nodes[totals->leaf].self_samples;

		for (size_t j = 0; j < place->count; j++)
			totals->sums[line_places_total(&totals->places, place, j)].share += share;
	}
}

/* Ends the stacks of a function: gives its lines their shares of the time. */
static void end_leaf(struct totals *totals)
{
	for (size_t i = totals->first_code; i < totals->end_code; i++) {
		const struct line_place *place = &totals->places.code[i];

		for (size_t j = 0; j < place->count; j++) {
			size_t total = line_places_total(&totals->places, place, j);
			struct line_sums *sums = touch_line(totals, total);
			double time = sums->share * totals->leaf_time;

			totals->profile->line_totals[total].time += time;
			sums->own += time;
			sums->share = 0;
		}
	}
	totals->leaf_time = 0;
}

/* The first sampled code of the node, or of the next one that has any. */
static size_t first_code_of(const struct profile *profile, size_t node)
{
	return first_index_from(profile->sampled_code, profile->sampled_code_count, sizeof *profile->sampled_code,
	                        offsetof(struct profile_code, node), node);
}

static void begin_leaf(struct totals *totals, size_t leaf)
{
	totals->leaf = leaf;
	totals->first_code = first_code_of(totals->profile, leaf);
	totals->end_code = first_code_of(totals->profile, leaf + 1);
	set_shares(totals);
}

/* --- Calls. */

typedef void on_call(struct totals *totals, const struct profile_stack *stack, size_t total);

/* Calls on() once for each line that made a call on the stack. */
static void each_call(struct totals *totals, const struct profile_stack *stack, on_call on)
{
	totals->stack_number++;
	for (size_t i = 1; i < stack->depth; i++) {
		const struct line_place *call = line_places_of_call(&totals->places, stack->frames[i].address);

		for (size_t j = 0; call != NULL && j < call->count; j++) {
			size_t total = line_places_total(&totals->places, call, j);

			if (totals->sums[total].last_stack != totals->stack_number)
				on(totals, stack, total);
			totals->sums[total].last_stack = totals->stack_number;
		}
	}
}

static void observe_line(struct totals *totals, const struct profile_stack *stack, size_t total)
{
	totals->sums[total].observed += stack->observations;
}

/* Adds the time of a stack, less the line's share of it as a line of the sampled function. */
static void add_called_time(struct totals *totals, const struct profile_stack *stack, size_t total)
{
	struct line_sums *sums = touch_line(totals, total);
	double time = stack->time * (1 - sums->share);

	totals->profile->line_totals[total].time += time;
	sums->called += time;
}

/* --- Variances. */

static double prior_of_line(const struct totals *totals, const struct line_sums *sums)
{
	return stack_errors_prior(sums->observed, totals->observed);
}

/* Adds the variance of the line's time in the current stratum. Errors of calls are added only if the line made a call
 * on some stack; otherwise see end_line(). */
static void end_in_stratum(struct totals *totals, const struct profile_stratum *stratum, size_t total)
{
	struct line_sums *sums = &totals->sums[total];
	double rest = fmax(stratum->time - sums->own, 0), part = rest > 0 ? fmin(sums->called / rest, 1) : 0;
	double relative = stratum->variance / stratum->time, *variance = &totals->profile->line_totals[total].variance;

	sums->own_variance += relative * sums->own;
	*variance += part * part * relative * rest;
	if (sums->called > 0 || sums->observed > 0) {
		*variance += stack_errors_seen(rest, stratum->observations, part, prior_of_line(totals, sums));
		sums->base += stack_errors_unseen(stratum->time, stratum->observations);
	}
}

static void end_stratum(struct totals *totals, size_t index)
{
	const struct profile_stratum *stratum = &totals->profile->measurement->strata[index];
	bool has_time = stratum->time > 0 && stratum->observations > 0;

	end_leaf(totals);
	if (has_time) {
		totals->time += stratum->time;
		totals->base += stack_errors_unseen(stratum->time, stratum->observations);
	}
	while (totals->touched_count > 0) {
		size_t total = totals->touched[--totals->touched_count];
		struct line_sums *sums = &totals->sums[total];

		if (has_time)
			end_in_stratum(totals, stratum, total);
		sums->is_touched = false;
		sums->own = sums->called = 0;
	}
}

/* A line with a call that no stack shows may be on the next stack, so its error is the time of one stack. */
static void end_line(const struct totals *totals, size_t total)
{
	struct profile_line_total *made = &totals->profile->line_totals[total];
	const struct line_sums *sums = &totals->sums[total];
	double one = totals->observed > 0 ? totals->time / totals->observed : 0;
	double unseen = sums->observed > 0 ? prior_of_line(totals, sums) * fmax(totals->base - sums->base, 0)
	                                   : one * one * sums->may_call;

	made->variance += fmax(sums->own_variance, sums->self_variance) + unseen;
	made->is_lower_bound =
	        sums->may_call &&
	        measure_is_lower_bound(totals->profile, totals->profile->nodes[made->node].hidden_time, made->variance);
}

static struct line_sums *sums_of_line(const struct totals *totals, const char *file, int line)
{
	const struct profile_line_total *found = profile_find_line_total(totals->profile, file, line);

	return found == NULL ? NULL : &totals->sums[found - totals->profile->line_totals];
}

static void add_self_variances(struct totals *totals)
{
	const struct profile *profile = totals->profile;

	for (size_t i = 0; i < profile->line_count && profile->lines[i].file != NULL; i++) {
		const struct profile_line *line = &profile->lines[i];
		struct line_sums *sums = sums_of_line(totals, line->file, line->line);

		if (sums != NULL)
			sums->self_variance += line->self_variance;
	}
}

/* --- Lines that may call. */

static enum status mark_callers(struct totals *totals, struct error *error)
{
	const struct profile *profile = totals->profile;
	struct calls calls;

	for (size_t i = 0; i < profile->line_total_count; i++)
		totals->sums[i].may_call = !calls_can_decode(profile->image);
	enum status status = calls_find(profile->image, &calls, error);
	for (size_t i = 0; status == STATUS_OK && i < calls.count; i++) {
		struct line_sums *sums = NULL;
		const char *file;
		int line;

		if (measure_may_call(profile->image, &calls.items[i]) &&
		    image_instruction_line(profile->image, calls.items[i].site, &file, &line))
			sums = sums_of_line(totals, file, line);
		if (sums != NULL)
			sums->may_call = true;
	}
	calls_free(&calls);
	return status;
}

/* --- The pass. */

static void add_times_of_stacks(struct totals *totals)
{
	const struct profile_measurement *measurement = totals->profile->measurement;
	const struct profile_stack *last = NULL;

	for (size_t i = 0; i < measurement->count; i++) {
		each_call(totals, &measurement->stacks[i], observe_line);
		totals->observed += measurement->stacks[i].observations;
	}
	for (size_t i = 0; i < measurement->count; i++) {
		const struct profile_stack *stack = &measurement->stacks[i];

		if (last != NULL && last->stratum != stack->stratum)
			end_stratum(totals, last->stratum);
		else if (last != NULL && last->frames[0].node != stack->frames[0].node)
			end_leaf(totals);
		if (last == NULL || last->stratum != stack->stratum || last->frames[0].node != stack->frames[0].node)
			begin_leaf(totals, stack->frames[0].node);
		each_call(totals, stack, add_called_time);
		totals->leaf_time += stack->time;
		last = stack;
	}
	if (last != NULL)
		end_stratum(totals, last->stratum);
}

static enum status add_up_line_totals(struct totals *totals, struct error *error)
{
	enum status status = mark_callers(totals, error);

	if (status != STATUS_OK)
		return status;
	add_times_of_stacks(totals);
	add_self_variances(totals);
	for (size_t i = 0; i < totals->profile->line_total_count; i++)
		end_line(totals, i);
	return STATUS_OK;
}

enum status analysis_find_line_totals(struct profile *profile, struct error *error)
{
	struct totals totals = {.profile = profile};
	struct scratch scratch = {.count = 0}, sums = {.count = 0};
	enum status status = STATUS_OK;

	if (profile->measurement == NULL)
		return STATUS_OK;
	bool ok = line_places_find(&totals.places, profile, &scratch);
	totals.sums = scratch_array(&sums, profile->line_total_count, sizeof *totals.sums);
	totals.touched = scratch_array(&sums, profile->line_total_count, sizeof *totals.touched);
	if (!ok || totals.sums == NULL || totals.touched == NULL)
		status = status_no_memory(error, profile->image->path);
	else
		status = add_up_line_totals(&totals, error);
	scratch_free(&sums);
	scratch_free(&scratch);
	free(totals.places.mentions);
	return status;
}

static int compare_line_totals(const void *left, const void *right)
{
	const struct profile_line_total *a = left, *b = right;
	int by_file = strcmp(a->file, b->file);

	return by_file != 0 ? by_file : (a->line > b->line) - (a->line < b->line);
}

const struct profile_line_total *profile_find_line_total(const struct profile *profile, const char *file, int line)
{
	const struct profile_line_total key = {.file = file, .line = line};

	if (file == NULL || profile->line_total_count == 0)
		return NULL;
	return bsearch(&key, profile->line_totals, profile->line_total_count, sizeof key, compare_line_totals);
}
