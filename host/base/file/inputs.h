/* SPDX-License-Identifier: MIT */
/* What a command reads, so that nothing it writes replaces it. Knows nothing of reading and writing. */
#ifndef BASE_FILE_INPUTS_H
#define BASE_FILE_INPUTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A regular file; the others cannot be written over. */
struct file_input {
	char *name; /* for messages */
	dev_t device;
	ino_t node;
};

/* All zero: none yet. */
struct file_inputs {
	struct file_input *items;
	size_t count;
	bool has_standard_input;
};

/* Adds what file_read() reads of this path, if it is there. A second "-" is a usage error: it would find nothing. */
enum status file_inputs_add(struct file_inputs *inputs, const char *path, struct error *error);
/* Adds what file_read_regular() reads of this path: "-" is a file like any other. */
enum status file_inputs_add_regular(struct file_inputs *inputs, const char *path, struct error *error);
void file_inputs_free(struct file_inputs *inputs);

/* A usage error if path, the name of an output ("-": standard output), is by whatever name one of the inputs. */
enum status file_check_output(const char *path, const struct file_inputs *inputs, struct error *error);
/* The same for names that nobody at the keyboard chose: they must not lead to a device, and a pipe without a reader is
 * not waited for. "-" is a file like any other. */
enum status file_check_fixed_output(const char *path, const struct file_inputs *inputs, struct error *error);

#endif
