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
