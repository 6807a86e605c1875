/* SPDX-License-Identifier: MIT */
/* Runs the tests that a program registers. */
#include "test.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

__attribute__((weak)) struct test_fixture each_test;
__attribute__((weak)) struct test_fixture all_tests;

struct error failure;

/* Accepted by release_later() and not yet released, in order. */
static struct kept {
	void *thing;
	void (*release)(void *thing);
} * kept;
static size_t kept_count, kept_before_test;

/* In the order in which cmocka runs them. */
static struct test *registered;
static size_t next_test;

/* The bounds of the section, which the linker defines. */
extern const struct test __start_unit_tests[], __stop_unit_tests[]; /* NOLINT(bugprone-reserved-identifier) */

/* Compilers may emit variables in another order than that of the source. */
static int by_line(const void *left, const void *right)
{
	return ((const struct test *)left)->line - ((const struct test *)right)->line;
}

/* Loads that depend on each other. */
static double run_loop(void)
{
	enum { SIZE = 1 << 16, LOADS = 500 * SIZE };
	const clock_t start = clock();
	uint32_t *next = malloc(SIZE * sizeof *next);
	volatile uint32_t at = 0;

	if (next == NULL)
		abort();
	for (uint32_t i = 0; i < SIZE; i++)
		next[i] = (5 * i + 12345) % SIZE;
	for (size_t i = 0; i < LOADS; i++)
		at = next[at];
	free(next);
	return (double)(clock() - start);
}

void assert_time(clock_t start, double limit)
{
	const double time = (double)(clock() - start), loop = run_loop();

	if (time > limit * loop)
		fail_msg("%.1f times the reference loop, which took %.2f s; the limit is %.1f", time / loop,
		         loop / CLOCKS_PER_SEC, limit);
}

void assert_contains(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' does not contain '%s'", text, part);
}

void assert_says(const struct error *error, const char *part)
{
	assert_contains(error->message, part);
	assert_null(strchr(error->message, '\n'));
}

void assert_success(enum status status, const struct error *error)
{
	if (status != STATUS_OK)
		fail_msg("%s", error->message);
}

void assert_failure(enum status status, const struct error *error, const char *part)
{
	assert_int_equal(status, STATUS_FAILED);
	assert_says(error, part);
}

void *release_later(void *thing, void (*release)(void *thing))
{
	kept = array_reserve(kept, sizeof *kept, kept_count);
	if (kept == NULL)
		abort();
	kept[kept_count++] = (struct kept){thing, release};
	return thing;
}

/* The last one first, until count are left. */
static void release_down_to(size_t count)
{
	for (; kept_count > count; kept_count--)
		kept[kept_count - 1].release(kept[kept_count - 1].thing);
}

static int begin_test(void **state)
{
	const struct test_fixture *fixture = registered[next_test++].fixture;

	kept_before_test = kept_count;
	failure.message[0] = '\0';
	return fixture->set_up != NULL ? fixture->set_up(state) : 0;
}

static int end_test(void **state)
{
	const struct test_fixture *fixture = registered[next_test - 1].fixture;
	int result = fixture->tear_down != NULL ? fixture->tear_down(state) : 0;

	release_down_to(kept_before_test);
	return result;
}

int main(int argc, char **argv)
{
	size_t count = (size_t)(__stop_unit_tests - __start_unit_tests);
	struct CMUnitTest *tests = calloc(count, sizeof *tests);
	const char *folder = argc > 0 ? strstr(argv[0], "/unit/") : NULL;
	int failed;

	registered = calloc(count, sizeof *registered);
	if (registered == NULL || tests == NULL)
		abort();
	memcpy(registered, __start_unit_tests, count * sizeof *registered);
	qsort(registered, count, sizeof *registered, by_line);
	for (size_t i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){registered[i].name, registered[i].run, begin_test, end_test,
		                               registered[i].initial_state};

	failed = _cmocka_run_group_tests(folder != NULL ? folder + strlen("/unit/") : "unit", tests, count,
	                                 all_tests.set_up, all_tests.tear_down);
	release_down_to(0);
	free(kept);
	free(registered);
	free(tests);
	return failed;
}
