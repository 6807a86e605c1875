/* SPDX-License-Identifier: MIT */
/* Formulas over measurements, as an operator types them: "max(a, b) - (c + 40) * 3 / 2". */
#ifndef FIRMWARE_DEMO_PARSER_H
#define FIRMWARE_DEMO_PARSER_H

#include <stdbool.h>
#include <stdint.h>

#define EXPRESSION_VARIABLES 8

/*
 * Evaluates text with variables a, b, c, ... taken from values. False if text is not a valid expression, divides by
 * zero or names an unknown variable. Arithmetic saturates.
 */
bool expression_evaluate(const char *text, const int32_t values[EXPRESSION_VARIABLES], int32_t *result);

#endif
