/* SPDX-License-Identifier: MIT */
/*
 * The whole life cycle of a profile compared with a model: after each of many random calls, requests and resets of the
 * core, the block agrees with the model.
 */
#include "arena.h"
#include "test.h"

#include <string.h>

#define FUNCTIONS  4u
#define FUNCTION_0 ((uintptr_t)0x2000)
#define SIZE       0x40u
#define CALLER     ((uintptr_t)0x1000)
#define PERIOD     10u
#define CLOCK_HZ   1000u
#define SLICE      256u

/* The state of a profile, without its clearing. */
enum mode { RUNNING, ARMED, STOPPED };

static struct model {
	bool exists;
	enum mode mode;
	bool clearing;
	uint32_t slices_left; /* of a reset that has begun to clear */
	uint32_t window;
	uint32_t trigger_start, trigger_end;
	uint32_t period, clock_hz;
	uint32_t calls[FUNCTIONS];
	uint32_t samples, outside, epoch, resets;
	uint32_t argument, request, acknowledge;
} model;

static uint32_t table_slices(void)
{
	const uint32_t tables = arena_layout.block_size - (uint32_t)BAREPROF_HEADER_SIZE(sizeof(uintptr_t));

	return (tables + SLICE - 1) / SLICE;
}

static void model_clear_counts(void)
{
	memset(model.calls, 0, sizeof model.calls);
	model.samples = model.outside = model.resets = 0;
	model.epoch++;
	model.clearing = false;
}

/* Does nothing in the first tick, then clears a slice in each. */
static void model_clear_step(void)
{
	if (model.slices_left == 0)
		model.slices_left = table_slices();
	else if (--model.slices_left == 0)
		model_clear_counts();
}

static void model_start(void)
{
	model.mode = RUNNING;
	model.window = 0;
}

static void model_arm(uint32_t ticks)
{
	model.mode = ARMED;
	model.window = ticks;
}

static bool model_request(uint32_t command, uint32_t argument)
{
	switch (command) {
	case BAREPROF_COMMAND_START:
		model_start();
		return true;
	case BAREPROF_COMMAND_STOP:
		model.mode = STOPPED;
		return true;
	case BAREPROF_COMMAND_PERIOD:
		if (argument == 0)
			return false;
		model.period = argument;
		model.clearing = true;
		return true;
	case BAREPROF_COMMAND_RESET:
		model.clearing = true;
		return true;
	case BAREPROF_COMMAND_TRIGGER_START:
		model.trigger_start = argument;
		return true;
	case BAREPROF_COMMAND_TRIGGER_END:
		model.trigger_end = argument;
		return true;
	case BAREPROF_COMMAND_ARM:
		model_arm(argument);
		return true;
	default:
		return false;
	}
}

static void model_sample(bool is_outside)
{
	if (!model.exists)
		return;
	if (model.clearing) {
		model_clear_step();
	} else if (model.mode == RUNNING) {
		is_outside ? model.outside++ : model.samples++;
		if (model.window != 0 && --model.window == 0)
			model.mode = STOPPED;
	}
	if (model.request >> 8 == model.acknowledge >> 8)
		return;
	model.acknowledge = model.request;
	if (!model_request(model.request & 0xFF, model.argument))
		model.acknowledge |= BAREPROF_COMMAND_REFUSED;
}

/* A trigger that ends before it begins goes around the end of the address space. */
static bool model_triggers(uint32_t callee)
{
	const bool is_after_start = callee >= model.trigger_start;
	const bool is_before_end = callee < model.trigger_end;

	return model.trigger_start <= model.trigger_end ? is_after_start && is_before_end
	                                                : is_after_start || is_before_end;
}

static void model_call(unsigned function)
{
	if (!model.exists || model.clearing || model.mode == STOPPED)
		return;
	if (model.mode == ARMED && !model_triggers(FUNCTION_0 + function * SIZE))
		return;
	model.mode = RUNNING;
	model.calls[function]++;
}

static void model_init(void)
{
	if (model.exists && !model.clearing && model.period == PERIOD && model.clock_hz == CLOCK_HZ)
		model.resets++;
	else
		model = (struct model){.exists = true, .period = PERIOD, .clock_hz = CLOCK_HZ};
	model.mode = STOPPED;
}

static void set_period(uint32_t clock_units)
{
	assert_int_not_equal(clock_units, 0);
}

/* Each operation does the same to the recorder and to the model. */
static void call(void)
{
	const unsigned function = arena_random() % FUNCTIONS;

	bareprof_arc(CALLER, FUNCTION_0 + function * SIZE);
	model_call(function);
}

static void sample(void)
{
	const bool is_outside = arena_random() % 8 == 0;

	bareprof_sample(is_outside ? 0 : (uintptr_t)bareprof_text_start + arena_random() % ARENA_TEXT_SIZE);
	model_sample(is_outside);
}

static void sample_often(void)
{
	for (uint32_t ticks = arena_random() % 16; ticks > 0; ticks--)
		sample();
}

static void start(void)
{
	bareprof_start();
	if (model.exists)
		model_start();
}

static void stop(void)
{
	bareprof_stop();
	if (model.exists)
		model.mode = STOPPED;
}

static void reset(void)
{
	bareprof_reset();
	model.clearing = model.exists;
}

static void arm(void)
{
	const uint32_t function = FUNCTION_0 + arena_random() % FUNCTIONS * SIZE;
	const uint32_t ticks = arena_random() % 6;

	bareprof_arm((const void *)(uintptr_t)function, SIZE, ticks);
	if (!model.exists)
		return;
	model.trigger_start = function;
	model.trigger_end = function + SIZE;
	model_arm(ticks);
}

static void change_clock(void)
{
	const uint32_t hz = CLOCK_HZ + arena_random() % 2;

	bareprof_clock_changed(hz);
	if (!model.exists)
		return;
	model.clearing = true;
	model.clock_hz = hz;
}

static uint32_t random_argument(uint32_t command)
{
	if (command == BAREPROF_COMMAND_TRIGGER_START || command == BAREPROF_COMMAND_TRIGGER_END)
		return FUNCTION_0 + arena_random() % (FUNCTIONS + 1) * SIZE;
	return command == BAREPROF_COMMAND_PERIOD ? PERIOD * (arena_random() % 2) : arena_random() % 6;
}

/* Like a host, sends no request before the last one was answered. */
static void request(void)
{
	const uint32_t command = arena_random() % (BAREPROF_COMMAND_ARM + 2);

	if (!model.exists || model.request >> 8 != model.acknowledge >> 8)
		return;
	model.argument = random_argument(command);
	model.request = BAREPROF_REQUEST((model.request >> 8) + 1, command);
	arena_set_word(BAREPROF_OFFSET_CONTROL_ARGUMENT, model.argument);
	arena_set_word(BAREPROF_OFFSET_CONTROL_REQUEST, model.request);
}

static void reset_the_core(void)
{
	if (arena_random() % 4 != 0)
		return;
	bareprof_init();
	model_init();
}

static void (*const operations[])(void) = {
        call, call,  call, sample, sample,       sample,  sample_often, start,
        stop, reset, arm,  arm,    change_clock, request, request,      reset_the_core,
};

static void assert_block_equals_the_model(void)
{
	const uint32_t state = (uint32_t)model.mode + (model.clearing ? BAREPROF_STATE_CLEARING : 0);

	assert_int_equal(arena_state(), state);
	assert_int_equal(arena_word(BAREPROF_OFFSET_EPOCH), model.epoch);
	assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), model.period);
	assert_int_equal(arena_word(BAREPROF_OFFSET_CLOCK_HZ), model.clock_hz);
	assert_int_equal(arena_word(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE), model.acknowledge);
	/* A reset that has begun leaves counts in between. */
	if (model.slices_left != 0)
		return;
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), model.samples + model.outside);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), model.outside);
	assert_int_equal(arena_samples(BAREPROF_SECTION_GRANULES) + arena_samples(BAREPROF_SECTION_COARSE),
	                 model.samples);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), model.resets);
	for (unsigned function = 0; function < FUNCTIONS; function++)
		assert_int_equal(arena_arc_calls(CALLER, FUNCTION_0 + function * SIZE), model.calls[function]);
}

TEST(the_block_follows_the_model)
{
	uint32_t modes_seen = 0;

	for (uint32_t seed = 1; seed <= 400; seed++) {
		arena_begin(32, 16);
		arena_use_granules(32, 16, 3, 8);
		arena_layout.config.set_period = set_period;
		arena_layout.config.period_min = PERIOD;
		arena_fill_random(seed);
		arena_remember();
		model = (struct model){.exists = false};
		for (unsigned step = 0; step < 1000; step++) {
			operations[arena_random() % (sizeof operations / sizeof *operations)]();
			if (!model.exists) {
				assert_true(arena_is_as_remembered());
				continue;
			}
			assert_block_equals_the_model();
			modes_seen |= 1u << arena_state();
		}
		assert_true(arena_is_untouched_outside_block());
	}
	assert_int_equal(modes_seen, 0x77);
}
