/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, seconds, frequencies. A wrong value is a usage error of the command. Private
 * to command/. */
#ifndef COMMAND_VALUES_H
#define COMMAND_VALUES_H

#include "command/command.h"

#include <stdbool.h>
#include <stdint.h>

struct value_range {
	const char *what; /* for messages: "a number" */
	uint32_t min, max;
};

/* Parses a decimal number up to max, without an error message; false if text is not one. */
bool value_parse_number(const char *text, uint32_t max, uint32_t *number);
/* Each parses text, the value of the option with this name. */
enum status value_number(const struct command *command, const char *name, const char *text,
                         const struct value_range *range, uint32_t *number, struct error *error);
/* Up to max; 0 only if from_zero. Rounds up to a millisecond. */
enum status value_seconds(const struct command *command, const char *name, const char *text, bool from_zero, double max,
                          unsigned *milliseconds, struct error *error);
/* Hertz, with optional k or M and optional Hz: 500k, 1.8MHz. */
enum status value_frequency(const struct command *command, const char *name, const char *text,
                            const struct value_range *range, uint32_t *hertz, struct error *error);

#endif
