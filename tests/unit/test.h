/* SPDX-License-Identifier: MIT */
/* Unit tests with cmocka: tests are registered where they are defined, and main() of test.c runs those of a program. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

/* Functions that run before and after a test or a program, either may be NULL. They return 0, or -1 for a failure. */
struct test_fixture {
	CMFixtureFunction set_up, tear_down;
};

/* A test, in the section unit_tests: an array, since entries have no more than the alignment of the type. */
struct test {
	const char *name;
	CMUnitTestFunction run;
	const struct test_fixture *fixture;
	void *initial_state; /* *state before the fixture is set up */
	int line;            /* tests run in the order of their lines */
};

/* Begins a test, with braces to follow. Its name has at most 60 characters. It has the fixture of EACH_TEST(), if the
 * file has one. */
#define TEST(name) TEST_ENTRY(name, &each_test, NULL)

/* A test with its own fixture, */
#define TEST_WITH(name, set_up, tear_down) TEST_ENTRY(name, (&(const struct test_fixture){set_up, tear_down}), NULL)
/* whose set_up() finds `string` in *state. */
#define TEST_FROM(string, name, set_up, tear_down) \
	TEST_ENTRY(name, (&(const struct test_fixture){set_up, tear_down}), (void *)(uintptr_t)(string))

/* The fixture of each TEST(), and that of the program, which runs before the first and after the last test. */
#define EACH_TEST(set_up, tear_down) struct test_fixture each_test = {set_up, tear_down}
#define ALL_TESTS(set_up, tear_down) struct test_fixture all_tests = {set_up, tear_down}

/* Empty, if the file does not define them; not constant, or clang would expect that no file does. */
extern struct test_fixture each_test, all_tests;

/* The error of the call under test; its message is empty when a test begins. */
extern struct error failure;

void assert_contains(const char *text, const char *part);
/* The message contains part and is one line. */
void assert_says(const struct error *error, const char *part);
/* STATUS_OK; prints the error if it is not. */
void assert_success(enum status status, const struct error *error);
/* STATUS_FAILED, with an error of one line that contains part. */
void assert_failure(enum status status, const struct error *error, const char *part);

/* Whether the values differ by rounding only: by at most 1e-9 plus 1e-9 of the expected value. */
bool is_near(double found, double expected);
void assert_near(double found, double expected);
/* Whether the values differ by at most error times the expected value. */
bool is_near_relative(double found, long double expected, double error);
void assert_near_relative(double found, long double expected, double error);

/* Calls release(thing) after the test that is running, or after all tests if none is. Returns thing. */
void *release_later(void *thing, void (*release)(void *thing));

/* A stream in memory, and what was printed to it until the last printed_text(), with a zero after it. Both are released
 * after the test. */
struct printed {
	FILE *stream;
	char *text;
	size_t size;
};

struct printed *printed_begin(void);
const char *printed_text(struct printed *printed);

/* Calls of release_later() for images and captures; here, since a program without host code has these checks too. */
static inline void close_image(void *image)
{
	image_close(image);
}

static inline struct image *close_image_later(struct image *image)
{
	return release_later(image, close_image);
}

static inline void close_capture(void *capture)
{
	capture_close(capture);
}

static inline struct capture *close_capture_later(struct capture *capture)
{
	return release_later(capture, close_capture);
}

/* The number of things to release, and the release of the last ones until count are left: for main.c. */
size_t release_count(void);
void release_down_to(size_t count);

/* Fails if the processor time since `start`, which clock() returned, is more than `limit` times that of a fixed loop of
 * about a tenth of a second. The loop runs now, so a slow machine and a sanitizer slow both. For work that would take
 * far longer if its time were not in proportion to its input. */
void assert_time(clock_t start, double limit);

#define TEST_ENTRY(name, fixture, initial_state)                                                 \
	static void name(void **state);                                                          \
	_Static_assert(sizeof #name <= 61, "the name of a test has at most 60 characters");      \
	static const struct test name##_entry                                                    \
	        __attribute__((section("unit_tests"), used, aligned(_Alignof(struct test)))) = { \
	                #name, name, fixture, initial_state, __LINE__};                          \
	static void name(void **state)

#endif
