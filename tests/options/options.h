/* SPDX-License-Identifier: MIT */
/* Tables of command-line options, for test programs. */
#ifndef TESTS_OPTIONS_H
#define TESTS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
	OPTION_NUMBER, /* uint64_t, as strtoull() reads it with base 0 */
	OPTION_TEXT,   /* const char *, not copied */
	OPTION_FLAG,   /* bool; has no value on the command line */
};

struct option_row {
	const char *name;
	enum option_kind kind;
	void *value; /* of the type that kind states */
};

/* Sets one option from NAME=VALUE. Returns false if the name is unknown or the value is not a number. */
bool options_set(const struct option_row *rows, size_t count, const char *text);
/* Reads `--NAME VALUE` and `--FLAG` from argv[1] on. Returns the index of the first word that is not such an option. */
int options_read(const struct option_row *rows, size_t count, int argc, char **argv);

#endif
