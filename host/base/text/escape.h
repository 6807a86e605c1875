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

/* Prints text as text_print() does, with replacements, a list that a zero character ends. hidden is put before the two
 * digits of a byte that is not shown; for a terminal that is "\\x". */
void escape_print(FILE *stream, const char *text, const struct escape *escapes, const char *hidden);

/* The same for XML (1.0, fifth edition) and HTML, between tags or in quoted attributes. */
void xml_print(FILE *stream, const char *text);

#endif
