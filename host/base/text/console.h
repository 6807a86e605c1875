/* SPDX-License-Identifier: MIT */
/* Console output of a target, made safe for a terminal. It may arrive in arbitrary pieces. */
#ifndef BASE_TEXT_CONSOLE_H
#define BASE_TEXT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Initially all zero except for the stream. */
struct console {
	FILE *stream;
	uint8_t held[4]; /* the beginning of a character that is still incomplete */
	size_t held_size;
	bool is_in_line; /* something was printed since the last newline */
};

/* Like text_print(), except that newlines, carriage returns and tabs are kept. */
void console_print(struct console *console, const uint8_t *bytes, size_t size);
/* Prints an incomplete character that was held back, and ends the current line. */
void console_end(struct console *console);

#endif
