/* SPDX-License-Identifier: MIT */
/* The text that a GDB stub says while it carries out a command. Knows nothing of how it comes. */
#ifndef TARGET_BACKEND_GDB_OUTPUT_H
#define TARGET_BACKEND_GDB_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* All zeros = nothing yet. */
struct gdb_output {
	size_t size;
	char text[1024]; /* as much as fits, with a NUL behind it */
};

/* Adds the text that these digits stand for; what does not fit, and what is no digit, is dropped. */
void gdb_output_add(struct gdb_output *output, const uint8_t *digits, size_t size);
/* The last line that holds anything; takes the line's end off. "" = nothing was output. */
const char *gdb_output_last_line(struct gdb_output *output);

#endif
