/* SPDX-License-Identifier: MIT */
/* See text.h. */
#include "base/text/text.h"

#include <inttypes.h>
#include <string.h>

#define TAB_WIDTH 8

static bool is_continuation_byte(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Length by the first byte; 0 for a byte that cannot begin a character (RFC 3629, section 3). */
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

/* Decodes a well-formed character (RFC 3629, section 4; surrogates are accepted) and returns its length, or 0. */
static size_t decode_character(const char *text, uint32_t *character)
{
	static const uint32_t minimum[] = {0, 0, 0x80, 0x800, 0x10000};

	unsigned char first = (unsigned char)text[0];
	size_t length = character_length(first);

	*character = first & (length == 1 ? 0x7F : 0x7F >> length);
	for (size_t i = 1; i < length; i++) {
		if (!is_continuation_byte(text[i]))
			return 0;
		*character = *character << 6 | ((unsigned char)text[i] & 0x3F);
	}
	return *character >= minimum[length] && *character <= 0x10FFFF ? length : 0;
}

/*
 * Characters that control the terminal, are invisible, change the direction of text or break the line: general
 * categories Cc, Cf, Cs, Zl and Zp, and Default_Ignorable_Code_Point (Unicode 15.1, DerivedGeneralCategory.txt and
 * DerivedCoreProperties.txt). In ascending order.
 */
static const struct {
	uint32_t first, last;
} hidden[] = {
        {0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
        {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
        {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0x3164, 0x3164},   {0xD800, 0xDFFF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
        {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

static bool is_hidden(uint32_t character)
{
	const size_t count = sizeof hidden / sizeof hidden[0];
	size_t i = 0;

	while (i < count && hidden[i].last < character)
		i++;
	return i < count && hidden[i].first <= character;
}

size_t text_character(const char *text)
{
	uint32_t character;
	size_t length = decode_character(text, &character);

	return is_hidden(character) ? 0 : length;
}

bool text_is_printable(const char *text)
{
	for (size_t length; *text != '\0'; text += length)
		if ((length = text_character(text)) == 0)
			return false;
	return true;
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

/* Like text_character(), for text that is not terminated: a character cut off by its end is invalid. */
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
	        [TEXT_GOOD] = "\033[32m",
	};

	if (colour)
		fputs(sequences[style], stream);
}

void text_end(FILE *stream, bool colour)
{
	if (colour)
		fputs("\033[0m", stream);
}
