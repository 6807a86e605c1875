/* SPDX-License-Identifier: MIT */
/* See pprof_tables.h. */
#include "report/pprof_tables.h"

#include "base/array.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of profile.proto. */
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4, FUNCTION_START_LINE = 5 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER = 2 };

#define INLINES_MAX 64

/* A row of a table. Its key consists of text and the fields that the table compares. */
struct pprof_row {
	const char *text; /* string; name of the function */
	const char *file; /* for functions; may be NULL */
	uint64_t address; /* for locations */
	bool is_code;     /* for locations: an address in the code, not the function as a whole */
	uint64_t id;
};

static int compare_row_texts(const char *left, const char *right)
{
	if (left == right)
		return 0;
	if (left == NULL || right == NULL)
		return left == NULL ? -1 : 1;
	return strcmp(left, right);
}

static int compare_pprof_rows(const void *left, const void *right)
{
	const struct pprof_row *a = left, *b = right;
	int order = compare_row_texts(a->text, b->text);

	if (order == 0)
		order = compare_row_texts(a->file, b->file);
	if (order == 0)
		order = (a->address > b->address) - (a->address < b->address);
	return order != 0 ? order : (int)a->is_code - (int)b->is_code;
}

/* Finds an entry, or adds it with the next id; ids begin at first. */
static uint64_t find_or_add_row(struct pprof_tables *tables, void **tree, size_t *count, const struct pprof_row *key,
                                uint64_t first, bool *is_new)
{
	struct pprof_row *added = malloc(sizeof *added);
	struct pprof_row **found;

	*is_new = false;
	if (added == NULL) {
		tables->is_short_of_memory = true;
		return 0;
	}
	*added = *key;
	added->id = *count + first;
	found = tsearch(added, tree, compare_pprof_rows);
	*is_new = found != NULL && *found == added;
	if (!*is_new)
		free(added);
	tables->is_short_of_memory |= found == NULL;
	*count += *is_new;
	return found == NULL ? 0 : (*found)->id;
}

uint64_t pprof_string(struct pprof_tables *tables, const char *text)
{
	const struct pprof_row key = {.text = text};
	bool is_new;
	uint64_t id = find_or_add_row(tables, &tables->strings, &tables->string_count, &key, 0, &is_new);

	if (is_new)
		protobuf_add_bytes(&tables->message, PPROF_STRING, text, strlen(text));
	return id;
}

/* pprof drops text in angle brackets from names, like template parameters, so nothing would be left of "<exception>".
 * It uses square brackets for a kernel. */
static const char *shown_name(struct pprof_tables *tables, const char *name)
{
	size_t length = strlen(name);

	if (name[0] != '<' || name[length - 1] != '>')
		return demangler_name(tables->names, name);
	char *copy = array_append_text(&tables->texts, &tables->text_count, name, length);
	if (copy == NULL) {
		tables->is_short_of_memory = true;
		return "";
	}
	copy[0] = '[';
	copy[length - 1] = ']';
	return copy;
}

static uint64_t find_pprof_function(struct pprof_tables *tables, const char *name, const char *file, int line)
{
	const struct pprof_row key = {.text = name, .file = file};
	bool is_new;
	uint64_t id = find_or_add_row(tables, &tables->functions, &tables->function_count, &key, 1, &is_new);
	struct protobuf item = {.size = 0};

	if (!is_new)
		return id;
	protobuf_add_number(&item, FUNCTION_ID, id);
	protobuf_add_number(&item, FUNCTION_NAME, pprof_string(tables, shown_name(tables, name)));
	protobuf_add_number(&item, FUNCTION_SYSTEM_NAME, pprof_string(tables, name));
	if (file != NULL)
		protobuf_add_number(&item, FUNCTION_FILE, pprof_string(tables, file));
	protobuf_add_number(&item, FUNCTION_START_LINE, (uint64_t)line);
	protobuf_add_message(&tables->message, PPROF_FUNCTION, &item);
	free(item.bytes);
	return id;
}

static void add_pprof_line(struct pprof_tables *tables, uint64_t function, int line)
{
	protobuf_add_number(&tables->line, LINE_FUNCTION, function);
	protobuf_add_number(&tables->line, LINE_NUMBER, line > 0 ? (uint64_t)line : 0);
	protobuf_add_message(&tables->item, LOCATION_LINE, &tables->line);
}

/* The innermost function first. Inlined functions have no start line, because it is not read from DWARF. */
static void add_pprof_lines(struct pprof_tables *tables, const struct profile_node *node, const struct pprof_row *key)
{
	struct image_inline inlines[INLINES_MAX];
	size_t count = key->is_code ? image_inlines(tables->image, key->address, inlines, INLINES_MAX) : 0;
	const char *file = NULL, *own_file = NULL;
	int line = 0, own_line = 0;

	profile_node_line(tables->image, node, &own_file, &own_line);
	for (size_t i = 0; i + 1 < count; i++)
		add_pprof_line(tables, find_pprof_function(tables, inlines[i].name, inlines[i].file, 0),
		               inlines[i].line);
	if (count > 0)
		line = inlines[count - 1].line;
	else if (!key->is_code || !image_line(tables->image, key->address, &file, &line))
		line = own_line;
	add_pprof_line(tables, find_pprof_function(tables, node->name, own_file, own_line), line);
}

static uint64_t find_pprof_location(struct pprof_tables *tables, const struct profile_node *node,
                                    const struct pprof_row *key)
{
	bool is_new;
	uint64_t id = find_or_add_row(tables, &tables->locations, &tables->location_count, key, 1, &is_new);

	if (!is_new)
		return id;
	protobuf_add_number(&tables->item, LOCATION_ID, id);
	protobuf_add_number(&tables->item, LOCATION_MAPPING, node->kind == PROFILE_FUNCTION ? 1 : 0);
	protobuf_add_number(&tables->item, LOCATION_ADDRESS, key->address);
	add_pprof_lines(tables, node, key);
	protobuf_add_message(&tables->message, PPROF_LOCATION, &tables->item);
	return id;
}

uint64_t pprof_function_location(struct pprof_tables *tables, const struct profile_node *node)
{
	const struct pprof_row key = {.text = node->name, .address = node->address};

	return find_pprof_location(tables, node, &key);
}

uint64_t pprof_code_location(struct pprof_tables *tables, const struct profile_node *node, uint64_t address)
{
	const struct pprof_row key = {.text = node->name, .address = address, .is_code = true};

	return find_pprof_location(tables, node, &key);
}

void pprof_tables_free(struct pprof_tables *tables)
{
	tdestroy(tables->strings, free);
	tdestroy(tables->functions, free);
	tdestroy(tables->locations, free);
	for (size_t i = 0; i < tables->text_count; i++)
		free(tables->texts[i]);
	free(tables->texts);
	free(tables->message.bytes);
	free(tables->item.bytes);
	free(tables->line.bytes);
}
