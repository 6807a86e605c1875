/* SPDX-License-Identifier: MIT */
/* Text of ELFs and command lines where some characters mean something else. Private to difference/; XML and HTML have
 * xml_print(). */
#ifndef DIFF_FORMATS_ESCAPE_H
#define DIFF_FORMATS_ESCAPE_H

#include <stdio.h>

/* What stands for a character. */
struct escape {
	char character;
	const char *written;
};

/* Text as text_print() shows it, with escapes, which a zero character ends. hidden: what begins the two digits of a
 * byte that is not shown, "\\x" for a terminal. */
void escape_print(FILE *stream, const char *text, const struct escape *escapes, const char *hidden);

#endif
