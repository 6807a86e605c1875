/* SPDX-License-Identifier: MIT */
/* See gdb_said.h. */
#include "target/backend/gdb_said.h"

#include "target/backend/gdb_packet.h"

#include <string.h>

void gdb_said_add(struct gdb_said *said, const uint8_t *digits, size_t size)
{
	size_t room = sizeof said->text - 1 - said->size;
	size_t count = size / 2 < room ? size / 2 : room;

	if (!gdb_hex_decode(digits, 2 * count, (uint8_t *)said->text + said->size))
		count = 0;
	said->size += count;
	said->text[said->size] = 0;
}

const char *gdb_said_last_line(struct gdb_said *said)
{
	while (said->size > 0 && strchr("\r\n ", said->text[said->size - 1]) != NULL)
		said->text[--said->size] = 0;
	const char *newline = strrchr(said->text, '\n');
	return newline != NULL ? newline + 1 : said->text;
}
