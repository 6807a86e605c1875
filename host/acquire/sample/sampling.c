/* SPDX-License-Identifier: MIT */
/* See sampling.h. */
#include "acquire/sample/sampling.h"

#include <math.h>
#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

/* Reads of a batch: maximum and mean. */
#define RHYTHM_BATCH_MAX  31u
#define RHYTHM_BATCH_MEAN 16u

_Static_assert(2 * RHYTHM_BATCH_MEAN == RHYTHM_BATCH_MAX + 1, "lengths from 1 on are uniform");

/* The minimum mean period of batches. More batches per second gain little. */
#define BATCH_NANOSECONDS 1.6e6

/* The schedule of reads: batches of random length with random pauses, so that no program can run in step with them.
 * With exponentially distributed pauses, batches start at practically independent moments, even for periodic
 * programs. */
struct rhythm {
	unsigned short state[3]; /* state of erand48() */
	double rate;             /* reads per second to aim at */
	double mean_max;         /* reads of a batch */
	double busy;             /* total duration of all batches in nanoseconds */
	double batches;
};

static void rhythm_begin(struct rhythm *rhythm, const struct sampling_plan *plan)
{
	const uint64_t seed = plan->seed;

	*rhythm = (struct rhythm){
	        .state = {(unsigned short)seed, (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)},
	        .rate = plan->rate,
	        .mean_max = plan->sampler->halts ? 1 : RHYTHM_BATCH_MEAN,
	};
}

static double mean_taken(const struct rhythm *rhythm)
{
	return rhythm->batches > 0 ? rhythm->busy / rhythm->batches : 0;
}

/* Mean reads per batch. A period is a batch and a pause of the same length. */
static double mean_length(const struct rhythm *rhythm)
{
	double needed = rhythm->rate * fmax(2 * mean_taken(rhythm), BATCH_NANOSECONDS) / 1e9;

	return fmin(ceil(needed), rhythm->mean_max);
}

/* Mean nanoseconds between the starts of two batches, at the requested rate. */
static double target_interval(const struct rhythm *rhythm)
{
	return 1e9 * mean_length(rhythm) / rhythm->rate;
}

/* The length of the next batch, uniformly distributed from 1 to twice the mean minus 1. Reads a few microseconds apart
 * mostly hit the same function, so reads in separate batches are worth more. The mean is therefore no larger than the
 * rate requires. */
static size_t rhythm_next_length(struct rhythm *rhythm)
{
	return 1 + (size_t)(erand48(rhythm->state) * (2 * mean_length(rhythm) - 1));
}

/* The pause, in nanoseconds, after a batch that took this long. Pauses are on average no shorter than batches, so that
 * the schedule stays random: if the probe cannot keep up with the rate, it is busy half of the time. */
static uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken)
{
	rhythm->busy += (double)taken;
	rhythm->batches++;
	double mean = fmax(target_interval(rhythm) - mean_taken(rhythm), mean_taken(rhythm));
	return (uint64_t)(-log1p(-erand48(rhythm->state)) * mean);
}

/* Whether the probe cannot keep up with the rate, judged by the batches so far. */
static bool rhythm_is_behind(const struct rhythm *rhythm)
{
	return 2 * mean_taken(rhythm) > target_interval(rhythm);
}

static enum status take_batch(struct target *target, const struct sampling_plan *plan, struct rhythm *rhythm,
                              struct batches *batches, struct error *error)
{
	uint32_t words[RHYTHM_BATCH_MAX];
	size_t length = rhythm_next_length(rhythm);

	enum status status = plan->sampler->read(target, words, length, plan->stacks, error);
	if (status != STATUS_OK || batches_add(batches, words, length))
		return status;
	return status_no_memory(error, target->source);
}

static uint64_t shorter_time(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t longer_time(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t remaining_time(uint64_t all, uint64_t gone)
{
	return all > gone ? all - gone : 0;
}

static enum status take_batches(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                                struct sampling_end *end, struct error *error)
{
	const struct clock *clock = plan->clock;
	struct rhythm rhythm;
	uint64_t begin = clock->nanoseconds();

	rhythm_begin(&rhythm, plan);
	while (!end->is_cut_short &&
	       (batches->batches == 0 || remaining_time(plan->nanoseconds, batches->nanoseconds) > 0)) {
		uint64_t before = clock->nanoseconds();
		enum status status = take_batch(target, plan, &rhythm, batches, error);

		if (status != STATUS_OK)
			return status;
		uint64_t after = clock->nanoseconds();
		if (plan->sampler->halts) {
			end->halted += after - before;
			end->longest_halt = longer_time(end->longest_halt, after - before);
		}
		uint64_t pause = shorter_time(rhythm_next_pause(&rhythm, after - before),
		                              remaining_time(plan->nanoseconds, after - begin));
		end->is_cut_short = !clock->pause_nanoseconds(pause, plan->cancel);
		batches->nanoseconds = clock->nanoseconds() - begin;
		if (plan->progress != NULL)
			plan->progress(plan->context, remaining_time(plan->nanoseconds, batches->nanoseconds),
			               batches->reads);
	}
	end->is_behind = rhythm_is_behind(&rhythm);
	return STATUS_OK;
}

/* Reports the first failure, because the target may be gone after it. */
static enum status end_sampler(struct target *target, const struct sampler *sampler, bool trace_was_enabled,
                               enum status status, struct error *error)
{
	struct error ignored;

	enum status restored = sampler->end(target, trace_was_enabled, status ? &ignored : error);
	return status != STATUS_OK ? status : restored;
}

enum status sampling_run(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                         struct sampling_end *end, struct error *error)
{
	const struct sampler *sampler = plan->sampler;
	bool trace_was_enabled;

	*end = (struct sampling_end){0};
	enum status status = sampler->begin(target, &trace_was_enabled, error);
	if (status == STATUS_OK)
		status = take_batches(target, plan, batches, end, error);
	if (status == STATUS_OK)
		status = sampler->check(target, error);
	return end_sampler(target, sampler, trace_was_enabled, status, error);
}
