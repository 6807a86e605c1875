/* SPDX-License-Identifier: MIT */
/* See builds.h. */
#include "builds.h"

#include <math.h>

static void set(struct compare_change *change, struct stats_sum old, struct stats_sum new)
{
	change->sums[BUILD_OLD] = old;
	change->sums[BUILD_NEW] = new;
	change->q = NAN;
	compare_change_at(change, 0.95, &change->values);
}

void builds_begin(struct builds *builds)
{
	*builds = (struct builds){.comparison = {.confidence = 0.95, .has_total_errors = true}};
	builds->comparison.rows = builds->rows;
	builds->comparison.pairing.pairs = builds->pairs;
	const struct stats_sum unknown = {.variance = NAN, .spread = NAN, .captures = 1};
	set(&builds->comparison.time, unknown, unknown);
	set(&builds->comparison.size, unknown, unknown);
}

struct compare_row *builds_add(struct builds *builds, const char *old, const char *new)
{
	size_t index = builds->comparison.row_count++;

	builds->pairs[index] = (struct pairing_pair){.names = {old, new}};
	builds->comparison.pairing.count = builds->comparison.row_count;
	struct compare_row *row = &builds->rows[index];
	*row = (struct compare_row){.names = {old, new}, .kind = PROFILE_FUNCTION, .pair = index};
	const struct stats_sum unknown = {.variance = NAN, .spread = NAN, .captures = 1};
	for (size_t i = 0; i < COMPARE_QUANTITIES; i++)
		set(&row->changes[i], unknown, unknown);
	return row;
}

static struct stats_sum samples(double count)
{
	return (struct stats_sum){
	        .sum = count * BUILDS_SAMPLE,
	        .work = BUILDS_WORK,
	        .variance = count * BUILDS_SAMPLE * BUILDS_SAMPLE,
	        .grain = BUILDS_SAMPLE,
	        .spread = NAN,
	        .captures = 1,
	};
}

void builds_set_samples(struct compare_change *change, double old, double new)
{
	set(change, samples(old), samples(new));
	change->q = old + new > 0 ? 0.5 : NAN;
}

void builds_set_unsure(struct compare_change *change, double old, double new)
{
	struct stats_sum sums[] = {samples(old), samples(new)};

	sums[0].variance = sums[1].variance = NAN;
	set(change, sums[0], sums[1]);
}

void builds_set_exact(struct compare_change *change, double old, double new)
{
	const struct stats_sum sums[] = {
	        {.sum = old, .work = 1, .spread = NAN, .captures = 1},
	        {.sum = new, .work = 1, .spread = NAN, .captures = 1},
	};

	set(change, sums[0], sums[1]);
}
