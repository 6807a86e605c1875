/* SPDX-License-Identifier: MIT */
/* See console.h. */
#include "base/text/console.h"

#include "base/text/text.h"

#include <string.h>

/* The length of a character by its first byte (RFC 3629, section 3). */
static size_t claimed_length(uint8_t first)
{
	return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

static bool may_be_completed(const struct console *console)
{
	for (size_t i = 1; i < console->held_size; i++)
		if ((console->held[i] & 0xC0) != 0x80)
			return false;
	return console->held_size < claimed_length(console->held[0]);
}

static void drop_held_bytes(struct console *console, size_t size)
{
	console->held_size -= size;
	memmove(console->held, console->held + size, console->held_size);
}

static void print_first(struct console *console)
{
	char text[sizeof console->held + 1] = "";

	memcpy(text, console->held, console->held_size);
	bool is_layout = text[0] != 0 && strchr("\n\r\t", text[0]) != NULL;
	size_t length = is_layout ? 1 : text_character(text);

	if (length > 0)
		fwrite(text, 1, length, console->stream);
	else
		fprintf(console->stream, "\\x%02x", (unsigned)console->held[0]);
	console->is_in_line = text[0] != '\n';
	drop_held_bytes(console, length > 0 ? length : 1);
}

void console_print(struct console *console, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		console->held[console->held_size++] = bytes[i];
		while (console->held_size > 0 && !may_be_completed(console))
			print_first(console);
	}
	fflush(console->stream);
}

void console_end(struct console *console)
{
	while (console->held_size > 0)
		print_first(console);
	if (console->is_in_line)
		fputc('\n', console->stream);
	console->is_in_line = false;
	fflush(console->stream);
}
