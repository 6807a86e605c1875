/* SPDX-License-Identifier: MIT */
/* See sampling.h. */
#include "target/sample/sampling.h"

#include "target/sample/pcsr.h"
#include "target/sample/rhythm.h"

static enum status take_batch(struct target *target, struct rhythm *rhythm, struct batches *batches,
                              struct error *error)
{
	uint32_t words[RHYTHM_BATCH_MAX];
	size_t length = rhythm_next_length(rhythm);

	enum status status = pcsr_read(target, words, length, error);
	if (status || batches_add(batches, words, length))
		return status;
	return status_fail(error, "%s: out of memory for samples at %zu places", target->source, batches->place_count);
}

static uint64_t shorter(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t left_of(uint64_t all, uint64_t gone)
{
	return all > gone ? all - gone : 0;
}

static enum status take_batches(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                                struct sampling_end *end, struct error *error)
{
	const struct stopwatch *stopwatch = plan->stopwatch;
	struct rhythm rhythm;
	uint64_t begin = stopwatch->now(stopwatch->context);

	rhythm_begin(&rhythm, plan->rate, plan->seed);
	while (!end->is_cut_short && (batches->batches == 0 || left_of(plan->nanoseconds, batches->nanoseconds) > 0)) {
		uint64_t before = stopwatch->now(stopwatch->context);
		enum status status = take_batch(target, &rhythm, batches, error);
		if (status)
			return status;
		uint64_t after = stopwatch->now(stopwatch->context);
		uint64_t pause =
		        shorter(rhythm_next_pause(&rhythm, after - before), left_of(plan->nanoseconds, after - begin));
		end->is_cut_short = !stopwatch->pause(stopwatch->context, pause, plan->cancel);
		batches->nanoseconds = stopwatch->now(stopwatch->context) - begin;
		if (plan->told != NULL)
			plan->told(plan->context, left_of(plan->nanoseconds, batches->nanoseconds), batches->reads);
	}
	end->is_behind = rhythm_is_behind(&rhythm);
	return STATUS_OK;
}

/* Reports the first failure: after it the target may be gone. */
static enum status restore(struct target *target, bool was_enabled, enum status status, struct error *error)
{
	struct error ignored;

	enum status restored = pcsr_restore(target, was_enabled, status ? &ignored : error);
	return status ? status : restored;
}

enum status sampling_run(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                         struct sampling_end *end, struct error *error)
{
	bool was_enabled;

	*end = (struct sampling_end){0};
	enum status status = pcsr_enable(target, &was_enabled, error);
	if (!status)
		status = take_batches(target, plan, batches, end, error);
	if (!status)
		status = pcsr_check_enabled(target, error);
	return restore(target, was_enabled, status, error);
}
