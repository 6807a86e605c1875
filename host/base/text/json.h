/* SPDX-License-Identifier: MIT */
/* Strings and numbers of JSON (RFC 8259), valid whatever they are made of. Knows nothing of what they say. */
#ifndef BASE_TEXT_JSON_H
#define BASE_TEXT_JSON_H

#include <stdio.h>

/* In quotes. What text_character() does not take for a character becomes U+FFFD, byte by byte, but for control
 * characters of ASCII, which are escaped. */
void json_print_string(FILE *stream, const char *text);

/* null of what is no finite number. Whole numbers below 2^53 have all their digits, others nine. */
void json_print_number(FILE *stream, double value);

#endif
