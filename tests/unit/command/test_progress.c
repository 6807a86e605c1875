/* SPDX-License-Identifier: MIT */
/* The progress line: when it is drawn, and that it is removed completely. */
#include "command/progress.h"
#include "test.h"

static struct printed *drawn;
static struct progress progress;

static int begin(void **state)
{
	drawn = printed_begin();
	progress = (struct progress){.stream = drawn->stream, .columns = 120};
	return 0;
}

static void assert_drawn(const char *expected)
{
	assert_string_equal(printed_text(drawn), expected);
}

#define HALF "\r[###############               ]  5,000 of 10,000 bytes of memory, 10,000 bytes/s\033[K"
#define GONE "\r\033[K"

EACH_TEST(begin, NULL);

TEST(slow_read_shows_a_line_until_its_end)
{
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 1000, 10000, 1100);
	assert_drawn("");
	progress_update(&progress, 5000, 10000, 1500);
	assert_drawn(HALF);
	progress_update(&progress, 10000, 10000, 2000);
	assert_drawn(HALF GONE);
	progress_hide(&progress);
	assert_drawn(HALF GONE);
}

TEST(line_is_not_drawn_too_often)
{
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 5000, 10000, 1500);
	progress_update(&progress, 6000, 10000, 1599);
	assert_drawn(HALF);
	progress_update(&progress, 8000, 10000, 1640);
	assert_drawn(HALF "\r[########################      ]  8,000 of 10,000 bytes of memory, 12,500 bytes/s\033[K");
}

TEST(successive_quick_reads_show_no_line)
{
	for (uint64_t now = 1000; now < 3000; now += 100) {
		progress_update(&progress, 100, 256, now);
		progress_update(&progress, 256, 256, now + 50);
	}
	assert_drawn("");
}

TEST(rate_is_of_the_current_read)
{
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 10000, 10000, 9000);
	progress_update(&progress, 2000, 20000, 10000);
	progress_update(&progress, 10000, 20000, 10800);
	assert_drawn("\r[###############               ] 10,000 of 20,000 bytes of memory, 10,000 bytes/s\033[K");
}

TEST(hidden_line_is_drawn_again)
{
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 5000, 10000, 1500);
	progress_hide(&progress);
	progress_update(&progress, 6000, 10000, 1600);
	assert_drawn(HALF GONE
	             "\r[##################            ]  6,000 of 10,000 bytes of memory, 10,000 bytes/s\033[K");
}

TEST(bar_is_as_long_as_the_terminal_allows)
{
	static const struct {
		unsigned columns;
		const char *line;
	} cases[] = {
	        {120, "[###############               ]  5,000 of 10,000 bytes of memory, 10,000 bytes/s"},
	        {80, "[##############              ]  5,000 of 10,000 bytes of memory, 10,000 bytes/s"},
	        {63, "[#####      ]  5,000 of 10,000 bytes of memory, 10,000 bytes/s"},
	        {62, "[#####     ]  5,000 of 10,000 bytes of memory, 10,000 bytes/s"},
	        {61, "[###############               ]  5,000 of 10,000 bytes"},
	        {40, "[#######       ]  5,000 of 10,000 bytes"},
	        {35, " 5,000 of 10,000 bytes"},
	        {23, " 5,000 of 10,000 bytes"},
	        {22, " 50 %"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char expected[120];

		begin(NULL);
		progress.columns = cases[i].columns;
		progress_update(&progress, 0, 10000, 1000);
		progress_update(&progress, 5000, 10000, 1500);
		snprintf(expected, sizeof expected, "\r%s\033[K", cases[i].line);
		assert_drawn(expected);
	}
}

#define WAITING "\rwaiting for 2.5 s while the target works\033[K"
#define BROKEN  "\rconnection broken, opening it again\033[K"

TEST(line_does_not_move_while_its_figures_grow)
{
	progress.columns = 65;
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 990, 10000, 2000);
	progress_update(&progress, 9999, 10000, 2100);
	assert_drawn("\r[#            ]    990 of 10,000 bytes of memory, 990 bytes/s\033[K"
	             "\r[############ ]  9,999 of 10,000 bytes of memory, 9,090 bytes/s\033[K");
	begin(NULL);
	progress.columns = 61;
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 990, 10000, 2000);
	assert_drawn("\r[##                            ]    990 of 10,000 bytes\033[K");
}

TEST(state_is_shortened_to_whole_words)
{
	static const struct {
		unsigned columns;
		const char *waiting, *broken;
	} cases[] = {
	        {41, "waiting for 2.5 s while the target works", "connection broken, opening it again"},
	        {40, "waiting for 2.5 s", "connection broken, opening it again"},
	        {20, "waiting for 2.5 s", "connection broken"},
	        {10, "waiting", "broken"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char expected[120];

		begin(NULL);
		progress.columns = cases[i].columns;
		progress_wait(&progress, 2500);
		progress_break(&progress, true);
		snprintf(expected, sizeof expected, "\r%s\033[K" GONE "\r%s\033[K", cases[i].waiting, cases[i].broken);
		assert_drawn(expected);
	}
}

TEST(wait_line_is_drawn_again_after_text)
{
	progress_wait(&progress, 2500);
	assert_drawn(WAITING);
	progress_hide(&progress);
	progress_resume(&progress, true);
	assert_drawn(WAITING GONE);
	progress_resume(&progress, false);
	assert_drawn(WAITING GONE WAITING);
	progress_wait(&progress, 0);
	progress_resume(&progress, false);
	assert_drawn(WAITING GONE WAITING GONE);
}

TEST(sampling_line_is_not_drawn_too_often)
{
	progress_sample(&progress, 29001, 2345, 1000);
	progress_sample(&progress, 28950, 2500, 1099);
	progress_sample(&progress, 900, 123456, 30000);
	progress_hide(&progress);
	assert_drawn("\rsampling: 30 s left, 2,345 reads so far\033[K"
	             "\rsampling: 1 s left, 123,456 reads so far\033[K" GONE);
}

TEST(broken_connection_is_shown_during_a_wait)
{
	progress_break(&progress, true);
	progress_break(&progress, false);
	assert_drawn(BROKEN GONE);
	progress_wait(&progress, 2500);
	progress_break(&progress, true);
	progress_break(&progress, false);
	assert_drawn(BROKEN GONE WAITING GONE BROKEN GONE WAITING);
}

TEST(nothing_is_drawn_over_other_output)
{
	progress_resume(&progress, true);
	progress_update(&progress, 0, 10000, 1000);
	progress_update(&progress, 5000, 10000, 1500);
	progress_break(&progress, true);
	assert_drawn("");
}

TEST_WITH(nothing_is_shown_without_a_terminal, NULL, NULL)
{
	struct progress none = {.stream = NULL};

	progress_update(&none, 0, 10000, 1000);
	progress_update(&none, 5000, 10000, 9000);
	progress_sample(&none, 5000, 1, 9000);
	progress_wait(&none, 1000);
	progress_break(&none, true);
	progress_hide(&none);
	assert_false(none.is_shown);
}
