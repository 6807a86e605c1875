/* SPDX-License-Identifier: MIT */
/* How long answers are waited for, and how long frames and stretches are, after what was seen. */
#include "target/channel/pace.h"
#include "test.h"

TEST(one_late_answer_is_an_accident_and_two_are_a_slow_target)
{
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

TEST(nothing_is_an_answer_that_comes_sooner_than_answers_do)
{
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

TEST(no_frame_takes_longer_than_a_second)
{
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
