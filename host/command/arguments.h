/* SPDX-License-Identifier: MIT */
/* Words of a command line of which @FILE stands for the words in FILE, as with GNU's tools. Knows no options. */
#ifndef COMMAND_ARGUMENTS_H
#define COMMAND_ARGUMENTS_H

#include "base/file/inputs.h"
#include "base/status.h"

#include <stddef.h>

struct arguments {
	char **words; /* ended by NULL */
	size_t count;
	struct file_inputs files; /* each FILE that was read */
};

/*
 * Words in a file are divided by white space; quotes of either kind keep it, a backslash keeps any character. A word of
 * a file may be an @FILE in its turn, but not of a file that it comes from. An @FILE that does not exist stays as it
 * is; one that cannot be read is an error, as are files without measure. The first of argv is the command. *arguments
 * is freed by arguments_free() on success.
 */
enum status arguments_expand(int argc, char **argv, struct arguments *arguments, struct error *error);
void arguments_free(struct arguments *arguments);

#endif
