/* SPDX-License-Identifier: MIT */
/* Time-outs and lengths of frames, estimated from past answers. */
#include "acquire/channel/pace.h"
#include "test.h"

TEST(time_out_grows_after_two_late_answers_in_a_row)
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

TEST(bytes_earlier_than_any_answer_do_not_count_as_one)
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
