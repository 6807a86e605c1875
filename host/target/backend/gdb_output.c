/* SPDX-License-Identifier: MIT */
/* See gdb_output.h. */
#include "target/backend/gdb_output.h"

#include "target/backend/gdb_packet.h"

#include <string.h>

void gdb_output_add(struct gdb_output *output, const uint8_t *digits, size_t size)
{
	size_t room = sizeof output->text - 1 - output->size;
	size_t count = size / 2 < room ? size / 2 : room;

	if (!gdb_hex_decode(digits, 2 * count, (uint8_t *)output->text + output->size))
		count = 0;
	output->size += count;
	output->text[output->size] = 0;
}

const char *gdb_output_last_line(struct gdb_output *output)
{
	while (output->size > 0 && strchr("\r\n ", output->text[output->size - 1]))
		output->text[--output->size] = 0;
	const char *newline = strrchr(output->text, '\n');
	return newline ? newline + 1 : output->text;
}
