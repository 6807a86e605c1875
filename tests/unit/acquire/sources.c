/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "sources.h"
#include "test.h"

#include <string.h>

const struct source *resolved_source(const char *text)
{
	static struct source sources[8];
	static unsigned next;
	struct source *source = &sources[next++ % 8];
	struct error error;

	if (backends_resolve(text, source, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return source;
}

enum status open_source(const char *text, const struct target_setup *setup, struct target **target, struct error *error)
{
	struct source source;

	enum status status = backends_resolve(text, &source, error);
	return status ? status : target_open(&source, setup, target, error);
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
