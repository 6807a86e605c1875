/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, seconds, frequencies, styles of names. What is none is a usage error of the command,
 * where one is named. Private to command/. */
#ifndef COMMAND_VALUES_H
#define COMMAND_VALUES_H

#include "base/text/demangle.h"
#include "command/command.h"

#include <stdbool.h>
#include <stdint.h>

struct value_range {
	const char *what; /* for the message: "a number" */
	uint32_t least, most;
};

/* A decimal number up to most, without a command that is to be told; false if text is none. */
bool value_parse_number(const char *text, uint32_t most, uint32_t *number);
/* text is of the option with this name. */
enum status value_number(const struct command *command, const char *name, const char *text,
                         const struct value_range *range, uint32_t *number, struct error *error);
/* Up to most; 0 only if from_zero. More than 0 is a millisecond at least. */
enum status value_seconds(const struct command *command, const char *name, const char *text, bool from_zero,
                          double most, unsigned *milliseconds, struct error *error);
struct value_percentage {
	double least, most; /* in percent */
};

/* A percentage, its sign % may be left out: *part becomes 0.05 of 5%. */
enum status value_percent(const struct command *command, const char *name, const char *text,
                          const struct value_percentage *range, double *part, struct error *error);
/* Hertz, with k or M in front of Hz, which may be left out: 500k, 1.8MHz. */
enum status value_frequency(const struct command *command, const char *name, const char *text,
                            const struct value_range *range, uint32_t *hertz, struct error *error);

/* The style that --demangle names, or "none". */
enum status value_style(const struct command *command, const char *name, struct demangle_style *style,
                        struct error *error);
#define STYLE_HELP                                                                                       \
	"      --demangle=STYLE names as in auto (default: C++ and Rust), gnu-v3, rust, dlang or gnat\n" \
	"      --no-demangle    names as the ELF has them\n"

#endif
