/* SPDX-License-Identifier: MIT */
/* Symbols from a text file in the format of nm, see symbol_table.h. */
#include "firmware/symbol_table.h"

#include "base/file/file.h"
#include "firmware/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\v\f\r"

static bool parse_symbol_address(const struct image *image, const char *word, uint64_t *address)
{
	uint64_t limit = image->address_size == 4 ? UINT32_MAX : UINT64_MAX;
	char *end;

	errno = 0;
	uint64_t number = strtoull(word, &end, 16);
	/* ELF for the Arm Architecture, 5.5.3: bit 0 of a function address selects the instruction set. */
	*address = number & ~image_thumb_bit(image);
	return isxdigit((unsigned char)word[0]) != 0 && *end == '\0' && errno == 0 && number <= limit &&
	       *address != UINT64_MAX;
}

static bool is_type_of_code(const char *word)
{
	return strcmp(word, "t") == 0 || strcmp(word, "T") == 0;
}

/* The position of a line, for messages. */
struct line_position {
	const char *path;
	size_t line;
};

static enum status read_symbol_line(const struct image *image, const struct line_position *place, char *line,
                                    struct symbol_table *table, struct error *error)
{
	char *rest = NULL;
	const char *address = strtok_r(line, BLANKS, &rest);
	const char *type = strtok_r(NULL, BLANKS, &rest);
	const char *name = strtok_r(NULL, BLANKS, &rest);

	if (name == NULL || !is_type_of_code(type))
		return STATUS_OK;
	struct image_function symbol = {.is_local = type[0] == 't'};
	if (!parse_symbol_address(image, address, &symbol.start))
		return status_fail(error, "%s: line %zu does not begin with an address of the firmware, in hexadecimal",
		                   place->path, place->line);
	symbol.name = image_keep_name(image, name);
	if (symbol.name == NULL || !symbol_table_append(table, symbol))
		return status_no_memory(error, place->path);
	return STATUS_OK;
}

/* text has room for a NUL at its end. */
static enum status read_lines(const struct image *image, const char *path, char *text, size_t size,
                              struct symbol_table *table, struct error *error)
{
	enum status status = STATUS_OK;
	struct line_position place = {.path = path};
	char *end = text + size;

	for (char *line = text, *next; line < end && status == STATUS_OK; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		next = next == NULL ? end : next;
		*next = '\0';
		place.line++;
		status = read_symbol_line(image, &place, line, table, error);
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
	char *text = realloc(bytes, size + 1);
	if (text == NULL) {
		free(bytes);
		return status_no_memory(error, path);
	}
	status = read_lines(image, path, text, size, table, error);
	free(text);
	return status;
}
