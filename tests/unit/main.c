/* SPDX-License-Identifier: MIT */
/* Runs the tests that a program registers. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

__attribute__((weak)) struct test_fixture each_test;
__attribute__((weak)) struct test_fixture all_tests;

static size_t kept_before_test;

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

static int begin_test(void **state)
{
	const struct test_fixture *fixture = registered[next_test++].fixture;

	kept_before_test = release_count();
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
	free(registered);
	free(tests);
	return failed;
}
