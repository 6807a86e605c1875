/* SPDX-License-Identifier: MIT */
/* How long answers are waited for, and how long frames and stretches are, after what was seen. */
#include "target/channel/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void patience_follows_the_round_trips_within_bounds(void **state)
{
	(void)state;
	struct pace pace;
	pace_init(&pace, 0);
	assert_int_equal(pace_retransmit_timeout(&pace), 250);
	pace_note_wait(&pace, 0, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 50);
	pace_note_wait(&pace, 100, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 300);
	/* Within an answer shorter waits say nothing, longer ones do. */
	pace_note_wait(&pace, 1, false);
	assert_int_equal(pace_retransmit_timeout(&pace), 300);
	pace_note_wait(&pace, 200, false);
	assert_int_equal(pace_retransmit_timeout(&pace), 600);
	pace_note_wait(&pace, 86400000, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 1000);
	for (unsigned i = 0; i < 12; i++)
		pace_note_wait(&pace, 10, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 50);
	/* 64 bytes at 1,200 baud take 533 milliseconds. */
	pace_init(&pace, 1200);
	assert_int_equal(pace_retransmit_timeout(&pace), 250 + 533);
	pace_note_wait(&pace, 2000, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 1533);
}

static void silence_makes_patient_and_noise_does_not(void **state)
{
	(void)state;
	static const unsigned waits[] = {60, 120, 240, 480, 960, 1000, 1000};
	struct pace pace;
	pace_init(&pace, 0);
	pace_note_wait(&pace, 20, true);
	assert_false(pace_is_silent(&pace));
	for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
		assert_int_equal(pace_retransmit_timeout(&pace), waits[i]);
		pace_note_timeout(&pace, false);
		assert_true(pace_is_silent(&pace));
	}
	pace_note_timeout(&pace, true);
	assert_int_equal(pace_retransmit_timeout(&pace), 60);
	pace_note_timeout(&pace, false);
	pace_note_timely(&pace, 20);
	assert_int_equal(pace_retransmit_timeout(&pace), 60);
}

static void one_late_answer_is_an_accident_and_two_are_a_slow_target(void **state)
{
	(void)state;
	struct pace pace;
	pace_init(&pace, 0);
	pace_note_wait(&pace, 20, true);
	pace_note_late(&pace, 200);
	pace_note_timely(&pace, 20);
	pace_note_late(&pace, 200);
	assert_int_equal(pace_retransmit_timeout(&pace), 60);
	pace_note_late(&pace, 200);
	assert_int_equal(pace_retransmit_timeout(&pace), 600);
}

static void nothing_is_an_answer_that_comes_sooner_than_answers_do(void **state)
{
	(void)state;
	struct pace pace;
	pace_init(&pace, 0);
	assert_false(pace_may_be_answered(&pace, 1000));
	pace_note_timely(&pace, 20);
	pace_note_timely(&pace, 30);
	assert_false(pace_may_be_answered(&pace, 19));
	assert_true(pace_may_be_answered(&pace, 20));
	pace_note_timely(&pace, 0);
	assert_false(pace_may_be_answered(&pace, 0));
	assert_true(pace_may_be_answered(&pace, 1));
}

static void note_frames(struct pace *pace, unsigned good, unsigned damaged)
{
	while (good-- > 0)
		pace_note_frame(pace, false);
	while (damaged-- > 0)
		pace_note_frame(pace, true);
}

static void frames_get_shorter_where_many_are_damaged_and_longer_again_slowly(void **state)
{
	(void)state;
	struct pace pace;
	pace_init(&pace, 0);
	pace_set_frame(&pace, 1000);
	assert_int_equal(pace.frame, 1000);
	note_frames(&pace, 0, 1);
	assert_int_equal(pace.frame, 500);
	note_frames(&pace, 0, 1);
	assert_int_equal(pace.frame, 250);
	/* One in 16 is what halves of 250 bytes would not be better for. */
	for (unsigned i = 0; i < 10; i++)
		note_frames(&pace, 15, 1);
	assert_int_equal(pace.frame, 250);
	note_frames(&pace, 0, 2);
	assert_int_equal(pace.frame, 125);
	note_frames(&pace, 0, 100);
	assert_int_equal(pace.frame, 64);
	note_frames(&pace, 63 + 16, 0);
	assert_true(pace.frame <= 128);
	note_frames(&pace, 64 * 4, 0);
	assert_int_equal(pace.frame, 1000);
	/* The same target says again who it is: what was learned is kept. */
	note_frames(&pace, 0, 1);
	pace_set_frame(&pace, 1000);
	assert_int_equal(pace.frame, 500);
	pace_set_frame(&pace, 128);
	assert_int_equal(pace.frame, 128);
}

static void no_frame_takes_longer_than_a_second(void **state)
{
	(void)state;
	static const struct {
		uint32_t bit_rate;
		unsigned frame;
	} cases[] = {{0, 1024}, {300, 64}, {640, 64}, {2400, 240}, {9600, 960}, {19200, 1024}};
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct pace pace;
		pace_init(&pace, cases[i].bit_rate);
		pace_set_frame(&pace, 1024);
		assert_int_equal(pace.frame, cases[i].frame);
	}
}

static void stretches_take_a_fraction_of_a_second(void **state)
{
	(void)state;
	static const struct {
		uint32_t bit_rate, stretch;
	} cases[] = {{0, 4096}, {300, 256}, {9600, 256}, {115200, 2048}, {1000000, 16384}, {UINT32_MAX, 16384}};
	struct pace pace;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		pace_init(&pace, cases[i].bit_rate);
		assert_int_equal(pace.stretch, cases[i].stretch);
	}
	pace_init(&pace, 0);
	pace_note_range(&pace, 4096, 10);
	assert_int_equal(pace.stretch, 8192);
	pace_note_range(&pace, 4096, 10);
	assert_int_equal(pace.stretch, 8192);
	pace_note_range(&pace, 8192, 10);
	pace_note_range(&pace, 16384, 10);
	assert_int_equal(pace.stretch, 16384);
	pace_note_range(&pace, 16384, 250);
	assert_int_equal(pace.stretch, 16384);
	for (unsigned i = 0; i < 10; i++)
		pace_note_range(&pace, 100, 1000);
	assert_int_equal(pace.stretch, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(patience_follows_the_round_trips_within_bounds),
	        cmocka_unit_test(silence_makes_patient_and_noise_does_not),
	        cmocka_unit_test(one_late_answer_is_an_accident_and_two_are_a_slow_target),
	        cmocka_unit_test(nothing_is_an_answer_that_comes_sooner_than_answers_do),
	        cmocka_unit_test(frames_get_shorter_where_many_are_damaged_and_longer_again_slowly),
	        cmocka_unit_test(no_frame_takes_longer_than_a_second),
	        cmocka_unit_test(stretches_take_a_fraction_of_a_second),
	};
	return cmocka_run_group_tests_name("target/channel/pace", tests, NULL, NULL);
}
