/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "sources.h"
#include "test.h"

#include <stdio.h>
#include <unistd.h>

const struct source *resolved_source(const char *text)
{
	static struct source sources[8];
	static unsigned next;
	struct source *source = &sources[next++ % 8];

	assert_success(backends_resolve(text, source, &failure), &failure);
	return source;
}

enum status open_source(const char *text, const struct target_setup *setup, struct target **target, struct error *error)
{
	struct source source;

	enum status status = backends_resolve(text, &source, error);
	return status ? status : target_open(&source, setup, target, error);
}

char noted[512];

void take_note(void *context, const char *text)
{
	(void)context;
	snprintf(noted, sizeof noted, "%s", text);
}

static void close_end(void *end)
{
	close((int)(intptr_t)end);
}

void open_cancel_pipe(int pipe_ends[2])
{
	assert_int_equal(pipe(pipe_ends), 0);
	for (unsigned i = 0; i < 2; i++)
		release_later((void *)(intptr_t)pipe_ends[i], close_end);
}

void cancel_by(const int pipe_ends[2])
{
	assert_int_equal(write(pipe_ends[1], "x", 1), 1);
}
