/* SPDX-License-Identifier: MIT */
/* Error messages: their length, combination and hints. */
#include "base/status.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

TEST(short_message_is_kept)
{
	struct error error;

	assert_int_equal(status_fail(&error, "%s: offset %d: no", "x", 7), STATUS_FAILED);
	assert_string_equal(error.message, "x: offset 7: no");
	assert_int_equal(status_usage(&error, "%s", "how"), STATUS_USAGE);
	assert_string_equal(error.message, "how");
}

TEST(long_name_is_shortened_and_the_reason_kept)
{
	struct error error;

	for (size_t length = 400; length < 20000; length += 97) {
		char name[20001];

		memset(name, 'n', length);
		name[length] = '\0';
		status_fail(&error, "a%s: the reason", name);
		assert_true(strlen(error.message) < sizeof error.message);
		assert_int_equal(error.message[0], 'a');
		/* A message longer than any path loses its end. */
		if (length < 8000)
			assert_non_null(strstr(error.message, "n: the reason"));
		assert_int_equal(strstr(error.message, "...") != NULL,
		                 length + strlen("a: the reason") >= sizeof error.message);
	}
}

TEST(second_error_is_appended_or_becomes_the_error)
{
	struct error error, other = {.message = ""};

	status_usage(&error, "first");
	assert_int_equal(status_add(STATUS_USAGE, &error, &other), STATUS_USAGE);
	assert_string_equal(error.message, "first");
	assert_int_equal(status_add(STATUS_OK, &error, &other), STATUS_OK);
	status_fail(&other, "second");
	assert_int_equal(status_add(STATUS_USAGE, &error, &other), STATUS_USAGE);
	assert_string_equal(error.message, "first; second");
	assert_int_equal(status_add(STATUS_OK, &error, &other), STATUS_FAILED);
	assert_string_equal(error.message, "second");
}

TEST(second_error_is_not_repeated)
{
	struct error error, other;

	status_fail(&error, "first");
	status_fail(&other, "second");
	status_add(STATUS_FAILED, &error, &other);
	status_add(STATUS_FAILED, &error, &other);
	assert_string_equal(error.message, "first; second");
}

TEST(hint_survives_a_second_error)
{
	struct error error, second;

	status_fail(&error, "first");
	assert_int_equal(error.hint, HINT_NONE);
	status_fail_with(&second, HINT_FORCE, "second");
	status_add(STATUS_FAILED, &error, &second);
	assert_int_equal(error.hint, HINT_FORCE);
	status_fail_with(&second, HINT_SHOW_ALL, "third");
	status_add(STATUS_FAILED, &error, &second);
	assert_int_equal(error.hint, HINT_FORCE);
	status_add(STATUS_OK, &error, &second);
	assert_int_equal(error.hint, HINT_SHOW_ALL);
}
