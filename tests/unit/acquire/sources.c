/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "sources.h"
#include "test.h"

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
