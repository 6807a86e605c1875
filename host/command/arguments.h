/* SPDX-License-Identifier: MIT */
/* Command lines in which @FILE stands for the words in FILE, as in GNU tools. */
#ifndef COMMAND_ARGUMENTS_H
#define COMMAND_ARGUMENTS_H

#include "base/file/inputs.h"
#include "base/status.h"

#include <stddef.h>

struct arguments {
	char **words; /* NULL-terminated */
	size_t count;
	struct file_inputs files; /* the option files */
};

/*
 * Words in a file are separated by white space; quotes of either kind protect it, and a backslash protects any
 * character. A word of an option file may itself be an @FILE, but not one that includes it. An @FILE that does not
 * exist is left unchanged; an unreadable or unbounded one is an error. argv[0] is the command. *arguments is freed by
 * arguments_free() on success.
 */
enum status arguments_expand(int argc, char **argv, struct arguments *arguments, struct error *error);
void arguments_free(struct arguments *arguments);

#endif
