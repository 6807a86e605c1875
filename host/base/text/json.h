/* SPDX-License-Identifier: MIT */
/* JSON strings and numbers (RFC 8259), valid for any input. */
#ifndef BASE_TEXT_JSON_H
#define BASE_TEXT_JSON_H

#include <stdio.h>

/* A string in quotes. Bytes that text_character() rejects become U+FFFD, except for ASCII control characters, which are
 * escaped. */
void json_print_string(FILE *stream, const char *text);

/* A number; null if it is not finite. Whole numbers below 2^53 have all their digits, others nine. */
void json_print_number(FILE *stream, double value);

#endif
