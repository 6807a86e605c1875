/* SPDX-License-Identifier: MIT */
/* The parts of a SOURCE, `scheme:address,option=value,...`. Knows nothing of which schemes there are, nor of what the
 * options mean. */
#ifndef TARGET_CHANNEL_SOURCE_H
#define TARGET_CHANNEL_SOURCE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_option {
	const char *name;
	bool given;
	char value[64];
	const char *scheme, *text; /* of the SOURCE where it was given, for messages; not owned */
};

/* Behind the scheme comes one of these, or nothing. */
#define SOURCE_SCHEME_ENDS ":,"

bool source_has_scheme(const char *source, const char *scheme);

/*
 * Splits text, which follows the scheme, into the address, copied to address[0..capacity), and the values of options. A
 * comma that no `name=` follows belongs to the address. An option that is not in the table is a usage error that lists
 * the table; one that is given twice is an error, too. Scheme and text must outlive the options.
 */
enum status source_split(const char *scheme, const char *text, char *address, size_t capacity,
                         struct source_option *options, size_t count, struct error *error);

/* The usage error of an option whose value is not what was expected, which the format tells. */
enum status source_refuse(const struct source_option *option, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* The value of an option of seconds, as milliseconds; *milliseconds stays as it is if it was not given. */
enum status source_milliseconds(const struct source_option *option, unsigned *milliseconds, struct error *error);
/* The value of an option that is a number, decimal or 0x; *value stays as it is if it was not given. */
enum status source_number(const struct source_option *option, uint64_t *value, struct error *error);

#endif
