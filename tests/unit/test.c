/* SPDX-License-Identifier: MIT */
/* Checks and the release of fixtures, for unit tests and for programs that share their fixtures. */
#include "test.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct error failure;

/* Accepted by release_later() and not yet released, in order. */
static struct kept {
	void *thing;
	void (*release)(void *thing);
} * kept;
static size_t kept_count;

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

bool is_near(double found, double expected)
{
	return fabs(found - expected) <= 1e-9 * (1 + fabs(expected));
}

void assert_near(double found, double expected)
{
	if (!is_near(found, expected))
		fail_msg("%.12g, expected %.12g", found, expected);
}

/* Values too small for their relative error to be meaningful are equal. */
bool is_near_relative(double found, long double expected, double error)
{
	return fabsl(found - expected) <= error * fabsl(expected) + 1e-300L;
}

void assert_near_relative(double found, long double expected, double error)
{
	if (!is_near_relative(found, expected, error))
		fail_msg("%.15g, expected %.15Lg", found, expected);
}

static void release_printed(void *thing)
{
	struct printed *printed = thing;

	fclose(printed->stream);
	free(printed->text);
	free(printed);
}

struct printed *printed_begin(void)
{
	struct printed *printed = calloc(1, sizeof *printed);

	assert_non_null(printed);
	printed->stream = open_memstream(&printed->text, &printed->size);
	assert_non_null(printed->stream);
	return release_later(printed, release_printed);
}

const char *printed_text(struct printed *printed)
{
	fflush(printed->stream);
	return printed->text;
}

void *release_later(void *thing, void (*release)(void *thing))
{
	kept = array_reserve(kept, sizeof *kept, kept_count);
	if (kept == NULL)
		abort();
	kept[kept_count++] = (struct kept){thing, release};
	return thing;
}

size_t release_count(void)
{
	return kept_count;
}

void release_down_to(size_t count)
{
	for (; kept_count > count; kept_count--)
		kept[kept_count - 1].release(kept[kept_count - 1].thing);
	if (count == 0) {
		free(kept);
		kept = NULL;
	}
}
