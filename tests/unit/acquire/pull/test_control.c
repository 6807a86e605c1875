/* SPDX-License-Identifier: MIT */
/* Requests through the control words to a recorder that acknowledges, refuses or does not run. */
#include "acquire/pull/control.h"
#include "fake.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>

#define BLOCK (FAKE_BASE + 0x1000)

static struct fake fake;
static struct capture_header header;

static int begin(void **state)
{
	fake_init(&fake);
	fake_put_block(&fake, BLOCK);
	header = (struct capture_header){.order = {.address_size = 4}, .block_address = BLOCK, .block_size = 5120};
	return 0;
}

static void acknowledge(struct fake *target)
{
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE,
	              fake_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST));
}

static void acknowledge_after_70_ms(struct fake *target)
{
	if (target->milliseconds == 70)
		acknowledge(target);
}

static void refuse(struct fake *target)
{
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE,
	              fake_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST) | 0x80);
}

EACH_TEST(begin, NULL);

TEST(request_is_written_after_its_argument_and_awaited)
{
	fake.each_millisecond = acknowledge_after_70_ms;
	assert_success(control_request(&fake.target, &header, BAREPROF_COMMAND_PERIOD, 16000, &failure), &failure);
	assert_int_equal(fake.writes, 2);
	assert_int_equal(fake.written[0], BLOCK + BAREPROF_OFFSET_CONTROL_ARGUMENT);
	assert_int_equal(fake.written[1], BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST);
	assert_int_equal(fake_word(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_ARGUMENT), 16000);
	assert_int_equal(fake_word(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST) & 0xFF, BAREPROF_COMMAND_PERIOD);
	assert_in_range(fake.milliseconds, 70, 100);
}

TEST(request_of_a_big_endian_target_is_big_endian)
{
	fake.big_endian = true;
	fake_put_block(&fake, BLOCK);
	header.order.big_endian = true;
	fake.each_millisecond = acknowledge_after_70_ms;
	assert_success(control_request(&fake.target, &header, BAREPROF_COMMAND_PERIOD, 0x01020304, &failure), &failure);
	assert_memory_equal(fake_at(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_ARGUMENT), "\x01\x02\x03\x04", 4);
	assert_int_equal(*fake_at(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST + 3), BAREPROF_COMMAND_PERIOD);
}

TEST(sequence_differs_from_last_request_and_acknowledgement)
{
	static const struct {
		uint32_t request, acknowledge;
	} cases[] = {{0, 0},         {0x101, 0x101},      {0xFFFFFF02, 0xFFFFFF02},
	             {0x101, 0x201}, {0xFFFFFF01, 0x001}, {0x501, 0x401}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		begin(NULL);
		fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST, cases[i].request);
		fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, cases[i].acknowledge);
		fake.each_millisecond = acknowledge_after_70_ms;
		assert_success(control_request(&fake.target, &header, BAREPROF_COMMAND_START, 0, &failure), &failure);
		uint32_t request = fake_word(&fake, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST);
		assert_int_not_equal(request >> 8, cases[i].request >> 8);
		assert_int_not_equal(request >> 8, cases[i].acknowledge >> 8);
		assert_int_equal(request & 0xFF, BAREPROF_COMMAND_START);
	}
}

static uint32_t requests[8][2]; /* command and argument, in order */
static unsigned request_count;

static void note_and_acknowledge(struct fake *target)
{
	const uint32_t request = fake_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_REQUEST);

	if (request == fake_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE))
		return;
	assert_in_range(request_count, 0, 7);
	requests[request_count][0] = request & 0xFF;
	requests[request_count++][1] = fake_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_ARGUMENT);
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, request);
}

TEST(trigger_is_set_before_the_profile_is_armed)
{
	static const struct trigger trigger = {.start = 0x08000100, .end = 0x08000140, .ticks = 77};

	request_count = 0;
	fake.each_millisecond = note_and_acknowledge;
	assert_success(control_arm(&fake.target, &header, &trigger, &failure), &failure);
	assert_int_equal(request_count, 3);
	assert_int_equal(requests[0][0], BAREPROF_COMMAND_TRIGGER_START);
	assert_int_equal(requests[0][1], 0x08000100);
	assert_int_equal(requests[1][0], BAREPROF_COMMAND_TRIGGER_END);
	assert_int_equal(requests[1][1], 0x08000140);
	assert_int_equal(requests[2][0], BAREPROF_COMMAND_ARM);
	assert_int_equal(requests[2][1], 77);
}

TEST(refusal_to_arm_names_the_request)
{
	fake.each_millisecond = refuse;
	assert_failure(control_arm(&fake.target, &header, &(struct trigger){0}, &failure), &failure,
	               "fake:: the recorder at 0x20001000 refused to set the start of the trigger");
}

TEST(refusal_is_reported_at_once)
{
	fake.each_millisecond = refuse;
	assert_failure(control_request(&fake.target, &header, BAREPROF_COMMAND_START, 0, &failure), &failure,
	               "fake:: the recorder at 0x20001000 refused to start");
	assert_in_range(fake.milliseconds, 1, 10);
}

TEST(request_times_out_in_time_of_the_target)
{
	assert_failure(control_request(&fake.target, &header, BAREPROF_COMMAND_STOP, 0, &failure), &failure,
	               "fake:: asked to stop, the recorder at 0x20001000 did not answer: is the "
	               "sampling timer running and its interrupt enabled?");
	assert_in_range(fake.milliseconds, 2000, 2100);
}

/* An emulator that gets no processor time in a round shorter than this. */
static enum status run_starved(struct target *target, unsigned milliseconds, struct error *error)
{
	(void)error;
	((struct fake *)target)->milliseconds += milliseconds;
	if (milliseconds >= 80)
		acknowledge((struct fake *)target);
	return STATUS_OK;
}

TEST(emulator_on_a_busy_machine_is_awaited)
{
	fake.ops.run = run_starved;
	assert_success(control_request(&fake.target, &header, BAREPROF_COMMAND_START, 0, &failure), &failure);
	assert_in_range(fake.milliseconds, 80, 400);
}

TEST(lost_target_is_reported_with_the_pending_request)
{
	fake.unreadable = BLOCK + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE;
	assert_failure(control_request(&fake.target, &header, BAREPROF_COMMAND_STOP, 0, &failure), &failure,
	               "fake:: cannot read (while the profile was being stopped)");
	assert_failure(control_request(&fake.target, &header, 99, 0, &failure), &failure,
	               "fake:: cannot read (while the profile was being asked for that)");
	fake.unreadable = BLOCK + BAREPROF_OFFSET_LEFT_TO_CLEAR;
	assert_failure(control_await_reset(&fake.target, &header, &failure), &failure,
	               "fake:: cannot read (while the profile was being reset)");
}

/* Takes five seconds in all, with steady progress. */
static void clear_slowly(struct fake *target)
{
	if (target->milliseconds % 500 == 0)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_LEFT_TO_CLEAR, 5001 - target->milliseconds);
	if (target->milliseconds == 5000)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
}

TEST(reset_is_awaited_while_it_makes_progress)
{
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_CLEARING_TO_RUN));
	fake.each_millisecond = clear_slowly;
	assert_success(control_await_reset(&fake.target, &header, &failure), &failure);
}

TEST(stuck_reset_is_reported)
{
	static const uint32_t states[] = {BAREPROF_STATE_CLEARING_TO_STOP, BAREPROF_STATE_CLEARING_TO_RUN,
	                                  BAREPROF_STATE_CLEARING_TO_ARM};

	for (size_t i = 0; i < 3; i++) {
		fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, states[i]));
		assert_failure(control_await_reset(&fake.target, &header, &failure), &failure,
		               "does not come to an end: is the sampling timer running");
	}
}

TEST(completed_reset_is_not_awaited)
{
	assert_success(control_await_reset(&fake.target, &header, &failure), &failure);
	assert_int_equal(fake.milliseconds, 0);
}
