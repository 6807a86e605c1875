/* SPDX-License-Identifier: MIT */
/* The input files of a command, which its outputs must not overwrite. */
#ifndef BASE_FILE_INPUTS_H
#define BASE_FILE_INPUTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A regular file; other inputs cannot be overwritten. */
struct file_input {
	char *name; /* for messages */
	dev_t device;
	ino_t node;
};

/* All zero: empty. */
struct file_inputs {
	struct file_input *items;
	size_t count;
	bool has_standard_input;
};

/* Adds an input of file_read(), if it exists. A second "-" is a usage error: standard input can be read only once. */
enum status file_inputs_add(struct file_inputs *inputs, const char *path, struct error *error);
/* Adds an input of file_read_regular(): "-" is an ordinary name. */
enum status file_inputs_add_regular(struct file_inputs *inputs, const char *path, struct error *error);
void file_inputs_free(struct file_inputs *inputs);

/* Fails with a usage error if the output path ("-": standard output) is one of the inputs, under any name. */
enum status file_check_output(const char *path, const struct file_inputs *inputs, struct error *error);
/* Like file_check_output(), for names that the user did not choose: these must also not be devices or pipes, which
 * could block. "-" is an ordinary name. */
enum status file_check_implicit_output(const char *path, const struct file_inputs *inputs, struct error *error);

#endif
