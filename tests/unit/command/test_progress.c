/* SPDX-License-Identifier: MIT */
/* The line that tells how far a read is: when it is drawn, and that nothing of it is left. */
#include "command/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *drawn;
static size_t size;
static struct progress progress;

static int begin(void **state)
{
	(void)state;
	progress = (struct progress){.stream = open_memstream(&drawn, &size)};
	return progress.stream ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	fclose(progress.stream);
	free(drawn);
	return 0;
}

static void assert_drawn(const char *expected)
{
	fflush(progress.stream);
	assert_string_equal(drawn, expected);
}

#define HALF "\r[###############               ] 5,000 of 10,000 bytes, 10,000 bytes/s\033[K"
#define GONE "\r\033[K"

static void slow_read_has_a_line_that_is_gone_at_its_end(void **state)
{
	(void)state;
	progress_tell(&progress, 0, 10000, 1000);
	progress_tell(&progress, 1000, 10000, 1100);
	assert_drawn("");
	progress_tell(&progress, 5000, 10000, 1500);
	assert_drawn(HALF);
	progress_tell(&progress, 10000, 10000, 2000);
	assert_drawn(HALF GONE);
	progress_hide(&progress);
	assert_drawn(HALF GONE);
}

static void line_is_not_drawn_too_often(void **state)
{
	(void)state;
	progress_tell(&progress, 0, 10000, 1000);
	progress_tell(&progress, 5000, 10000, 1500);
	progress_tell(&progress, 6000, 10000, 1599);
	assert_drawn(HALF);
	progress_tell(&progress, 8000, 10000, 1640);
	assert_drawn(HALF "\r[########################      ] 8,000 of 10,000 bytes, 12,500 bytes/s\033[K");
}

static void quick_reads_one_after_the_other_have_none(void **state)
{
	(void)state;
	for (uint64_t now = 1000; now < 3000; now += 100) {
		progress_tell(&progress, 100, 256, now);
		progress_tell(&progress, 256, 256, now + 50);
	}
	assert_drawn("");
}

static void rate_is_that_of_this_read(void **state)
{
	(void)state;
	progress_tell(&progress, 0, 10000, 1000);
	progress_tell(&progress, 10000, 10000, 9000);
	progress_tell(&progress, 2000, 20000, 10000);
	progress_tell(&progress, 10000, 20000, 10800);
	assert_drawn("\r[###############               ] 10,000 of 20,000 bytes, 10,000 bytes/s\033[K");
}

static void line_comes_back_after_it_was_hidden(void **state)
{
	(void)state;
	progress_tell(&progress, 0, 10000, 1000);
	progress_tell(&progress, 5000, 10000, 1500);
	progress_hide(&progress);
	progress_tell(&progress, 6000, 10000, 1600);
	assert_drawn(HALF GONE "\r[##################            ] 6,000 of 10,000 bytes, 10,000 bytes/s\033[K");
}

static void nothing_is_shown_where_there_is_no_terminal(void **state)
{
	(void)state;
	struct progress none = {.stream = NULL};
	progress_tell(&none, 0, 10000, 1000);
	progress_tell(&none, 5000, 10000, 9000);
	progress_hide(&none);
	assert_false(none.is_shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(slow_read_has_a_line_that_is_gone_at_its_end, begin, end),
	        cmocka_unit_test_setup_teardown(line_is_not_drawn_too_often, begin, end),
	        cmocka_unit_test_setup_teardown(quick_reads_one_after_the_other_have_none, begin, end),
	        cmocka_unit_test_setup_teardown(rate_is_that_of_this_read, begin, end),
	        cmocka_unit_test_setup_teardown(line_comes_back_after_it_was_hidden, begin, end),
	        cmocka_unit_test(nothing_is_shown_where_there_is_no_terminal),
	};
	return cmocka_run_group_tests_name("command/progress", tests, NULL, NULL);
}
