/* SPDX-License-Identifier: MIT */
/* Adjustment of p-values for multiple testing. */
#include "base/stats/stats.h"

#include <math.h>
#include <stdlib.h>

struct test {
	double p;
	size_t index;
};

static int compare_tests(const void *a, const void *b)
{
	double left = ((const struct test *)a)->p, right = ((const struct test *)b)->p;

	return (left > right) - (left < right);
}

/* A p-value that is not a number stands for no test. */
static size_t collect_tests(const double *p_values, size_t count, struct test *tests)
{
	size_t test_count = 0;

	for (size_t i = 0; i < count; i++) {
		if (!isnan(p_values[i]))
			tests[test_count++] = (struct test){p_values[i], i};
	}
	return test_count;
}

bool stats_adjust(double *p_values, size_t count)
{
	struct test *tests = malloc((count + 1) * sizeof *tests);
	double lowest = 1;

	if (tests == NULL)
		return false;
	size_t test_count = collect_tests(p_values, count, tests);
	qsort(tests, test_count, sizeof *tests, compare_tests);
	for (size_t i = test_count; i-- > 0;) {
		lowest = fmin(lowest, tests[i].p * (double)test_count / (double)(i + 1));
		p_values[tests[i].index] = lowest;
	}
	free(tests);
	return true;
}
