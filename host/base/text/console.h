/* SPDX-License-Identifier: MIT */
/* What a target prints, made safe for a terminal, however it is cut into pieces. Knows nothing of where it comes from.
 */
#ifndef BASE_TEXT_CONSOLE_H
#define BASE_TEXT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero but for the stream to begin with. */
struct console {
	FILE *stream;
	uint8_t held[4]; /* of a character whose rest has not come */
	size_t held_size;
	bool is_in_line; /* something was printed since the last newline */
};

/* Prints as text_print() does, but newlines, carriage returns and tabs as they are. */
void console_print(struct console *console, const uint8_t *bytes, size_t size);
/* Prints what was held back, and ends the line if one was begun. */
void console_end(struct console *console);

#endif
