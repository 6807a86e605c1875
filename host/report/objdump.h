/* SPDX-License-Identifier: MIT */
/* Instructions as text, from the objdump of a toolchain, which knows every instruction that its compiler generates.
 * Private to report/. */
#ifndef REPORT_OBJDUMP_H
#define REPORT_OBJDUMP_H

#include "profile/profile.h"

#include <stdio.h>
#include <sys/types.h>

/* Longer lines are cut. */
#define OBJDUMP_LINE_MAX 4096

/* Initially all zero except for program and image. */
struct objdump {
	const char *program; /* NULL: the first existing one of the usual programs for the image's ISA */
	const struct image *image;
	pid_t child; /* running while a listing is read */
	FILE *output;
	uint64_t bytes_left; /* how much output may still be read; a program that prints more fails */
	char line[OBJDUMP_LINE_MAX];
};

struct objdump_line {
	uint64_t address;
	const char *text; /* mnemonic, tab, operands; escape before printing. Valid until the next call */
};

/* Starts the program for the code in [low, high). */
enum status objdump_begin(struct objdump *objdump, uint64_t low, uint64_t high, struct error *error);
/* The next instruction or item of data; false at the end. */
bool objdump_next(struct objdump *objdump, struct objdump_line *line);
/* Waits for the program; fails if the program failed. Must be called if objdump_begin() succeeded. */
enum status objdump_end(struct objdump *objdump, struct error *error);

#endif
