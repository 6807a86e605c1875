/* SPDX-License-Identifier: MIT */
/* Runs the tests that a program registers. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

__attribute__((weak)) struct test_fixture each_test;
__attribute__((weak)) struct test_fixture all_tests;

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

int main(int argc, char **argv)
{
	size_t count = (size_t)(__stop_unit_tests - __start_unit_tests);
	struct test *registered = calloc(count, sizeof *registered);
	struct CMUnitTest *tests = calloc(count, sizeof *tests);
	const char *folder = argc > 0 ? strstr(argv[0], "/unit/") : NULL;
	int failed;

	if (registered == NULL || tests == NULL)
		abort();
	memcpy(registered, __start_unit_tests, count * sizeof *registered);
	qsort(registered, count, sizeof *registered, by_line);
	for (size_t i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){registered[i].name, registered[i].run, registered[i].fixture->set_up,
		                               registered[i].fixture->tear_down, registered[i].initial_state};

	failed = _cmocka_run_group_tests(folder != NULL ? folder + strlen("/unit/") : "unit", tests, count,
	                                 all_tests.set_up, all_tests.tear_down);
	free(registered);
	free(tests);
	return failed;
}
