/* SPDX-License-Identifier: MIT */
/* Untrusted text escaped for formats in which some characters have a meaning. */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include <stdio.h>

/* A character and its replacement. */
struct escape {
	char character;
	const char *written;
};

/* Prints text as text_print() does, with replacements from escapes, a list that ends with a zero character. Unprintable
 * bytes become the prefix hidden and two hexadecimal digits; for a terminal the prefix is "\\x". */
void escape_print(FILE *stream, const char *text, const struct escape *escapes, const char *hidden);

/* Like escape_print(), for XML (1.0, fifth edition) and HTML, between tags or in quoted attributes. */
void xml_print(FILE *stream, const char *text);

#endif
