/* SPDX-License-Identifier: MIT */
/* Symbols from a text file in the format of nm, see symbol_table.h. */
#include "firmware/symbol_table.h"

#include "base/file/file.h"
#include "firmware/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A word of a line, not NUL-terminated. */
struct word {
	const char *text;
	size_t length;
};

static bool is_blank(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The next word of [*at, end); empty at the end. */
static struct word next_word(const char **at, const char *end)
{
	while (*at < end && is_blank(**at))
		(*at)++;
	struct word word = {.text = *at};
	while (*at < end && !is_blank(**at))
		(*at)++;
	word.length = (size_t)(*at - word.text);
	return word;
}

static int hexadecimal_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

static bool parse_address(const struct image *image, struct word word, uint64_t *address)
{
	uint64_t limit = image->address_size == 4 ? UINT32_MAX : UINT64_MAX;
	size_t first = word.length > 2 && word.text[0] == '0' && word.text[1] == 'x' ? 2 : 0;
	*address = 0;
	for (size_t i = first; i < word.length; i++) {
		int digit = hexadecimal_digit(word.text[i]);
		if (digit < 0 || *address > limit >> 4)
			return false;
		*address = *address << 4 | (uint64_t)digit;
	}
	/* ELF for the Arm Architecture, 5.5.3: bit 0 of a function address selects the instruction set. */
	*address &= ~image_thumb_bit(image);
	return *address != UINT64_MAX;
}

static bool is_type_of_code(struct word word)
{
	return word.length == 1 && (word.text[0] == 't' || word.text[0] == 'T');
}

static const char *keep_name(const struct image *image, struct word word)
{
	/* One byte more than fits, so that the name is shortened like any other. */
	char *name = strndup(word.text, word.length <= IMAGE_NAME_MAX ? word.length : IMAGE_NAME_MAX + 1);
	const char *kept = name == NULL ? NULL : image_keep_name(image, name);
	free(name);
	return kept;
}

/* The position of a line, for messages. */
struct place {
	const char *path;
	size_t line;
};

static enum status read_line(const struct image *image, const struct place *place, const char *at, const char *end,
                             struct symbol_table *table, struct error *error)
{
	struct word address = next_word(&at, end), type = next_word(&at, end), name = next_word(&at, end);
	if (name.length == 0 || !is_type_of_code(type))
		return STATUS_OK;
	struct image_function symbol = {.is_local = type.text[0] == 't'};
	if (!parse_address(image, address, &symbol.start))
		return status_fail(error, "%s: line %zu does not begin with an address of the firmware, in hexadecimal",
		                   place->path, place->line);
	symbol.name = keep_name(image, name);
	if (symbol.name == NULL || !symbol_table_append(table, symbol))
		return status_fail(error, "%s: out of memory for its symbols", place->path);
	return STATUS_OK;
}

static enum status read_lines(const struct image *image, const char *path, const char *at, const char *end,
                              struct symbol_table *table, struct error *error)
{
	enum status status = STATUS_OK;
	struct place place = {.path = path};
	while (at < end && status == STATUS_OK) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline == NULL ? end : newline;
		place.line++;
		status = read_line(image, &place, at, line_end, table, error);
		at = newline == NULL ? end : newline + 1;
	}
	if (status == STATUS_OK && table->count == 0)
		return status_fail(error, "%s: no symbol of code, expected lines `ADDRESS T NAME` as nm prints them",
		                   path);
	return status;
}

enum status symbol_table_read(const struct image *image, const char *path, struct symbol_table *table,
                              struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(path, &bytes, &size, error);
	if (status != STATUS_OK)
		return status;
	status = read_lines(image, path, (const char *)bytes, (const char *)bytes + size, table, error);
	free(bytes);
	return status;
}
