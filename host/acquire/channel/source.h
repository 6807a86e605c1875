/* SPDX-License-Identifier: MIT */
/* A SOURCE, `scheme:address,option=value,...`, split into its parts. Does not know which schemes exist. */
#ifndef ACQUIRE_CHANNEL_SOURCE_H
#define ACQUIRE_CHANNEL_SOURCE_H

#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_OPTIONS_MAX 4

/* How to write a SOURCE of some kind, for messages, help and completion. */
struct source_syntax {
	const char *scheme;   /* beginning of the SOURCE: "gdb" */
	const char *synopsis; /* rest of the SOURCE: ":HOST:PORT"; a leading "[" makes it optional */
	const char *summary;  /* one line */
	const char *options[SOURCE_OPTIONS_MAX];
};

struct source_option {
	const char *name;
	bool is_given;
	char value[64];
};

struct source {
	const char *text;                  /* as the user typed it; not owned */
	const struct target_ops *backend;  /* selected by its scheme */
	const struct channel_ops *channel; /* channel of a link; else NULL */
	char address[PATH_MAX];            /* the rest without options */
	struct source_option options[SOURCE_OPTIONS_MAX];
};

/* Whether the text's scheme, up to a colon, a comma or its end, is this one. */
bool source_has_scheme(const char *text, const char *scheme);

/*
 * Splits text into address and options. names are the options to accept. A comma that no `name=` follows belongs to the
 * address. An option that is unknown or given twice is a usage error. text must outlive *source; backend and channel
 * are left alone.
 */
enum status source_split(const char *text, const char *const names[SOURCE_OPTIONS_MAX], struct source *source,
                         struct error *error);

/* The value of an option whose name was passed to source_split(); NULL: the option was not given. */
const char *source_value(const struct source *source, const char *name);
/* Fails with a usage error for an option with a wrong value; the format is the text of the expectation. */
enum status source_refuse(const struct source *source, const char *name, struct error *error, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* Reads an option in seconds, as milliseconds; *milliseconds is unchanged if the option was not given. */
enum status source_milliseconds(const struct source *source, const char *name, unsigned *milliseconds,
                                struct error *error);
/* Reads an option that is a number from min to max, decimal or 0x; *value is unchanged if the option was not given. */
enum status source_number(const struct source *source, const char *name, uint64_t min, uint64_t max, uint64_t *value,
                          struct error *error);

#endif
