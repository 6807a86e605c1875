/* SPDX-License-Identifier: MIT */
/* See sampling.h. DWT_PCSR of a Cortex-M holds the address of an instruction that it executed recently, and is readable
 * while the core runs. Registers: Armv6-M ARM (DDI 0419) C1.6.3, C1.6.5, C1.7.2; Armv7-M ARM (DDI 0403) C1.6.2, C1.6.5,
 * and C1.8, "Program counter sampling support". */
#include "target/sample/sampling.h"

#include "target/backend/cortex.h"
#include "target/dap/cpuid.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#define DEMCR        UINT64_C(0xE000EDFC)
#define DEMCR_TRCENA (UINT32_C(1) << 24)
#define DWT_PCSR     UINT64_C(0xE000101C)

#define TRIAL 16

#define SECOND UINT64_C(1000000000)

static uint64_t now(void *context)
{
	struct timespec time;

	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* A signal that is not blocked may shorten it, which has no effect on the statistics of random pauses. */
static bool pause_for(void *context, uint64_t nanoseconds, int cancel)
{
	const struct timespec time = {.tv_sec = (time_t)(nanoseconds / SECOND),
	                              .tv_nsec = (long)(nanoseconds % SECOND)};
	struct pollfd ready = {.fd = cancel, .events = POLLIN};

	(void)context;
	return ppoll(&ready, 1, &time, NULL) <= 0;
}

const struct stopwatch stopwatch_system = {.now = now, .pause = pause_for};

static enum status read_register(struct target *target, uint64_t address, uint32_t *value, struct error *error)
{
	return target_read_register(target, address, value, 1, error);
}

static enum status check_core(struct target *target, struct error *error)
{
	uint32_t cpuid;

	enum status status = read_register(target, CORTEX_CPUID, &cpuid, error);
	if (status != STATUS_OK || cortex_is_cpuid(cpuid))
		return status;
	return status_fail(
	        error,
	        "%s: this is not a Cortex-M (CPUID reads 0x%08" PRIx32
	        "), and no other core can be sampled through a probe: build the firmware with bareprof, and pull",
	        target->source, cpuid);
}

static enum status take_reset(struct target *target, bool *was_reset, struct error *error)
{
	uint32_t dhcsr = 0;

	enum status status = read_register(target, CORTEX_DHCSR, &dhcsr, error);
	*was_reset = (dhcsr & CORTEX_DHCSR_S_RESET_ST) != 0;
	return status;
}

static enum status pcsr_read(struct target *target, uint32_t *words, size_t count, struct error *error)
{
	return target_read_register(target, DWT_PCSR, words, count, error);
}

static enum status check_register(struct target *target, struct error *error)
{
	uint32_t words[TRIAL];

	enum status status = pcsr_read(target, words, TRIAL, error);
	for (size_t i = 0; status == STATUS_OK && i < TRIAL; i++)
		if (words[i] != 0)
			return STATUS_OK;
	return status ? status
	              : status_fail(
	                        error,
	                        "%s: this core has no DWT_PCSR (it reads 0), so a probe cannot sample it: build the "
	                        "firmware with bareprof, and pull",
	                        target->source);
}

/* Fails if the target was reset (S_RESET_ST of DHCSR, unless another reader cleared it) or the trace unit was disabled
 * since the last check: the samples are meaningless then. Only a power-on reset clears DEMCR.TRCENA. */
static enum status pcsr_check_enabled(struct target *target, struct error *error)
{
	uint32_t demcr;
	bool was_reset;

	enum status status = take_reset(target, &was_reset, error);
	if (status == STATUS_OK && was_reset)
		return status_fail(error, "%s: the target was reset while it was sampled: sample again",
		                   target->source);
	if (status == STATUS_OK)
		status = read_register(target, DEMCR, &demcr, error);
	if (status != STATUS_OK || (demcr & DEMCR_TRCENA) != 0)
		return status;
	return status_fail(
	        error,
	        "%s: the trace unit of the core is off (DEMCR.TRCENA): was the target reset or powered down, or "
	        "is another debugger connected? Sample again",
	        target->source);
}

/* Enables the core's trace unit, and checks that the register exists. *was_enabled: its state before. */
static enum status pcsr_enable(struct target *target, bool *was_enabled, struct error *error)
{
	uint32_t demcr;
	bool was_reset; /* an earlier reset, which does not matter */

	*was_enabled = true;
	enum status status = check_core(target, error);
	if (status == STATUS_OK)
		status = take_reset(target, &was_reset, error);
	if (status == STATUS_OK)
		status = read_register(target, DEMCR, &demcr, error);
	if (status != STATUS_OK)
		return status;
	*was_enabled = (demcr & DEMCR_TRCENA) != 0;
	if (!*was_enabled)
		status = target_write_register(target, DEMCR, demcr | DEMCR_TRCENA, error);
	if (status == STATUS_OK)
		status = pcsr_check_enabled(target, error);
	return status != STATUS_OK ? status : check_register(target, error);
}

static enum status pcsr_restore(struct target *target, bool was_enabled, struct error *error)
{
	uint32_t demcr;

	if (was_enabled)
		return STATUS_OK;
	enum status status = read_register(target, DEMCR, &demcr, error);
	return status != STATUS_OK ? status : target_write_register(target, DEMCR, demcr & ~DEMCR_TRCENA, error);
}

/* Reads of a batch: maximum and mean. */
#define RHYTHM_BATCH_MAX  31u
#define RHYTHM_BATCH_MEAN 16u

_Static_assert(2 * RHYTHM_BATCH_MEAN == RHYTHM_BATCH_MAX + 1, "lengths from 1 on are uniform");

/* The minimum mean period of batches. More batches per second gain little. */
#define BATCH_NANOSECONDS 1.6e6

/* The schedule of reads: batches of random length with random pauses, so that no program can run in step with them.
 * With exponentially distributed pauses, the starts of batches are as good as independent moments, even for periodic
 * programs. */
struct rhythm {
	unsigned short state[3]; /* of erand48() */
	double rate;             /* reads per second to target_interval at */
	double busy;             /* total duration of all batches in nanoseconds */
	double batches;
};

static void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed)
{
	*rhythm = (struct rhythm){
	        .state = {(unsigned short)seed, (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)},
	        .rate = rate,
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

	return fmin(ceil(needed), RHYTHM_BATCH_MEAN);
}

/* Mean nanoseconds between the starts of two batches, at the requested rate. */
static double target_interval(const struct rhythm *rhythm)
{
	return 1e9 * mean_length(rhythm) / rhythm->rate;
}

/* The length of the next batch, uniformly distributed from 1 to twice the mean minus 1. Reads a few microseconds apart
 * mostly hit the same function, so separate ones are worth more: the mean is no larger than the rate requires. */
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

static enum status take_batch(struct target *target, struct rhythm *rhythm, struct batches *batches,
                              struct error *error)
{
	uint32_t words[RHYTHM_BATCH_MAX];
	size_t length = rhythm_next_length(rhythm);

	enum status status = pcsr_read(target, words, length, error);
	if (status != STATUS_OK || batches_add(batches, words, length))
		return status;
	return status_no_memory(error, target->source);
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

		if (status != STATUS_OK)
			return status;
		uint64_t after = stopwatch->now(stopwatch->context);
		uint64_t pause =
		        shorter(rhythm_next_pause(&rhythm, after - before), left_of(plan->nanoseconds, after - begin));
		end->is_cut_short = !stopwatch->pause(stopwatch->context, pause, plan->cancel);
		batches->nanoseconds = stopwatch->now(stopwatch->context) - begin;
		if (plan->progress != NULL)
			plan->progress(plan->context, left_of(plan->nanoseconds, batches->nanoseconds), batches->reads);
	}
	end->is_behind = rhythm_is_behind(&rhythm);
	return STATUS_OK;
}

/* Reports the first failure: after it the target may be gone. */
static enum status restore(struct target *target, bool was_enabled, enum status status, struct error *error)
{
	struct error ignored;

	enum status restored = pcsr_restore(target, was_enabled, status ? &ignored : error);
	return status != STATUS_OK ? status : restored;
}

enum status sampling_run(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                         struct sampling_end *end, struct error *error)
{
	bool was_enabled;

	*end = (struct sampling_end){0};
	enum status status = pcsr_enable(target, &was_enabled, error);
	if (status == STATUS_OK)
		status = take_batches(target, plan, batches, end, error);
	if (status == STATUS_OK)
		status = pcsr_check_enabled(target, error);
	return restore(target, was_enabled, status, error);
}
