/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, seconds, frequencies. Private to command/. */
#ifndef COMMAND_VALUES_H
#define COMMAND_VALUES_H

#include "command/options.h"

#include <stdbool.h>
#include <stdint.h>

struct value_range {
	const char *what; /* for messages: "a number" */
	uint32_t min, max;
};

struct value_percentage {
	double min, max; /* in percent */
};

struct value_seconds {
	bool from_zero; /* 0 is accepted */
	double max;
};

/* Parses a decimal number up to max, without an error message; false if text is not one. */
bool value_parse_number(const char *text, uint32_t max, uint32_t *number);

/* For take of struct command_option: */

/* A number (uint32_t) in the struct value_range of detail. */
enum status option_take_number(const struct given_option *given, struct error *error);
/* A fraction (double), given in percent within the struct value_percentage of detail. */
enum status option_take_percent(const struct given_option *given, struct error *error);
/* Seconds within the struct value_seconds of detail, rounded up to a millisecond
 * (unsigned milliseconds). */
enum status option_take_seconds(const struct given_option *given, struct error *error);
/* Hertz (uint32_t) within the struct value_range of detail, with optional k or M and optional Hz: 500k, 1.8MHz. */
enum status option_take_frequency(const struct given_option *given, struct error *error);

#endif
