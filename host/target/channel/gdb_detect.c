/* SPDX-License-Identifier: MIT */
/* See gdb_detect.h. */
#include "target/channel/gdb_detect.h"

#include <string.h>

/* Of '#' and two digits, the checksum. */
#define END_SIZE 3u

static int digit_value(uint8_t character)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit = memchr(digits, character, sizeof digits - 1);
	return digit != NULL ? (int)(digit - digits) : -1;
}

/* Whether payload[0..size) is followed by '#' and its checksum. */
static bool has_right_sum(const uint8_t *payload, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += payload[i];
	return digit_value(payload[size + 1]) == (int)(sum >> 4 & 0xF) &&
	       digit_value(payload[size + 2]) == (int)(sum & 0xF);
}

bool gdb_detect(const uint8_t *text, size_t size)
{
	size_t start = 0;

	while (start < size && (text[start] == '+' || text[start] == '-'))
		start++;
	if (start == size)
		return size > 0;
	if (text[start] != '$')
		return false;
	const uint8_t *payload = text + start + 1;
	const uint8_t *end = memchr(payload, '#', size - start - 1);
	size_t left = end != NULL ? (size_t)(text + size - end) : 0;
	return left >= END_SIZE && has_right_sum(payload, (size_t)(end - payload));
}
