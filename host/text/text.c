/* SPDX-License-Identifier: MIT */
/* See text.h. */
#include "text/text.h"

#include <inttypes.h>
#include <string.h>

#define TAB_WIDTH 8

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Length by the first byte; 0 for bytes that begin no character (RFC 3629, section 3). */
static size_t character_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xC2 && first <= 0xDF)
		return 2;
	if (first >= 0xE0 && first <= 0xEF)
		return 3;
	return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/* Overlong forms, surrogates and code points above U+10FFFF show in the second byte (RFC 3629, section 4). */
static bool is_second_byte_valid(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xE0:
		return second >= 0xA0;
	case 0xED:
		return second <= 0x9F;
	case 0xF0:
		return second >= 0x90;
	case 0xF4:
		return second <= 0x8F;
	case 0xC2: /* U+0080 to U+009F are control characters */
		return second >= 0xA0;
	default:
		return true;
	}
}

/*
 * Characters that are not seen but make text read as another: zero width (U+200B to U+200D, U+FEFF) and those that turn
 * its direction (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069; Unicode Standard Annex 9, section 2).
 */
static bool is_invisible(const char *text)
{
	unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1], third = (unsigned char)text[2];
	if (first == 0xEF)
		return second == 0xBB && third == 0xBF;
	if (first != 0xE2)
		return false;
	return (second == 0x80 && ((third >= 0x8B && third <= 0x8F) || (third >= 0xAA && third <= 0xAE))) ||
	       (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

size_t text_character(const char *text)
{
	unsigned char first = (unsigned char)text[0];
	size_t length = character_length(first);
	if (length == 1)
		return first >= ' ' && first != 0x7F ? 1 : 0;
	for (size_t i = 1; i < length; i++)
		if (!is_continuation(text[i]))
			return 0;
	if (length < 2 || !is_second_byte_valid(first, (unsigned char)text[1]))
		return 0;
	return length == 3 && is_invisible(text) ? 0 : length;
}

void text_print(FILE *stream, const char *text)
{
	while (*text != '\0') {
		size_t length = text_character(text);
		if (length > 0)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*text);
		text += length > 0 ? length : 1;
	}
}

/* What would be a character if it did not end at the end of the text is none. */
static size_t character_within(const char *text, size_t length)
{
	char head[5] = "";
	memcpy(head, text, length < 4 ? length : 4);
	return text_character(head);
}

void text_print_source(FILE *stream, const char *text, size_t length)
{
	size_t column = 0;
	for (size_t at = 0; at < length;) {
		size_t size = text[at] == '\t' ? 0 : character_within(text + at, length - at);
		if (size > 0)
			column += fwrite(text + at, 1, size, stream) > 0;
		else if (text[at] == '\t')
			column += (size_t)fprintf(stream, "%*s", (int)(TAB_WIDTH - column % TAB_WIDTH), "");
		else
			column += (size_t)fprintf(stream, "\\x%02x", (unsigned)(unsigned char)text[at]);
		at += size > 0 ? size : 1;
	}
}

const char *text_format_count(uint64_t value, char text[TEXT_COUNT_SIZE])
{
	char digits[24];
	size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value), length = 0;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && (count - i) % 3 == 0)
			text[length++] = ',';
		text[length++] = digits[i];
	}
	text[length] = 0;
	return text;
}

void text_begin(FILE *stream, bool colour, enum text_style style)
{
	static const char *const sequences[] = {
	        [TEXT_BOLD] = "\033[1m",
	        [TEXT_DIM] = "\033[2m",
	        [TEXT_WARNING] = "\033[33m",
	};
	if (colour)
		fputs(sequences[style], stream);
}

void text_end(FILE *stream, bool colour)
{
	if (colour)
		fputs("\033[0m", stream);
}
