/* SPDX-License-Identifier: MIT */
/* Division of the code by symbols or lines: selection of the symbols that start a function. */
#include "firmware/private.h"
#include "firmware/symbol_table.h"

#include <stdlib.h>
#include <string.h>

/* The length of a clone suffix at the start of text, up to its number. */
static size_t clone_length(const char *text)
{
	static const char *const clones[] = {".clone", ".constprop"};

	for (size_t i = 0; i < sizeof clones / sizeof *clones; i++)
		if (strncmp(text, clones[i], strlen(clones[i])) == 0)
			return strlen(clones[i]);
	return 0;
}

/* Nested functions and clones may have numbers after a dot; other text after a dot or dollar sign marks an internal
 * name of data. */
static bool has_internal_suffix(const char *name)
{
	const char *rest = name + strcspn(name, ".$");

	while (*rest == '.') {
		rest += clone_length(rest);
		rest += strspn(rest, ".0123456789");
	}
	return *rest != '\0';
}

/* GNU gprof ignores local functions with a dot or dollar sign in their names, which excludes every clone and every
 * local Rust function; here they are included. */
static bool includes_local(const struct elf_symbol *symbol, const struct image_division *division)
{
	if (division->no_static || image_is_internal_label(symbol->name))
		return false;
	return image_names_function(symbol) || (!division->functions_only && !has_internal_suffix(symbol->name));
}

static bool includes_symbol(const struct elf_symbol *symbol, const struct image_division *division)
{
	if (symbol->section == NULL || !image_is_for_code(symbol->section) || symbol->name[0] == '\0' ||
	    symbol->value == UINT64_MAX)
		return false;
	bool is_weak_object = symbol->type == STT_OBJECT && symbol->binding == STB_WEAK;
	if (is_weak_object ||
	    (!image_names_function(symbol) && symbol->type != STT_NOTYPE && symbol->type != STT_OBJECT))
		return false;
	return symbol->binding != STB_LOCAL || includes_local(symbol, division);
}

static enum status collect_symbols(const struct image *image, const struct image_division *division,
                                   struct symbol_table *table, struct error *error)
{
	for (size_t i = 0; i < image->private->symbol_count; i++) {
		struct elf_symbol symbol;

		if (!image_symbol_at(image, i, &symbol) || !includes_symbol(&symbol, division))
			continue;
		struct image_function wanted = {
		        .name = image_short_name(image, symbol.name),
		        .start = symbol.value,
		        .is_local = symbol.binding == STB_LOCAL,
		        .is_label = !image_names_function(&symbol),
		};
		if (wanted.name == NULL || !symbol_table_append(table, wanted))
			return status_no_memory(error, image->path);
	}
	if (table->count == 0)
		return status_fail(error, "%s: no symbol of its code is left to count", image->path);
	return STATUS_OK;
}

static enum status make_table(const struct image *image, const struct image_division *division,
                              struct symbol_table *table, struct error *error)
{
	enum status status = division->symbol_file == NULL
	                             ? collect_symbols(image, division, table, error)
	                             : symbol_table_read(image, division->symbol_file, table, error);

	if (status == STATUS_OK && division->rule == IMAGE_BY_LINE)
		status = symbol_table_add_lines(image, table) ? STATUS_OK : status_no_memory(error, image->path);
	symbol_table_sort(table);
	symbol_table_set_ends(image, table);
	return status;
}

static enum status divide_by_symbol(struct image *image, const struct image_division *division, struct error *error)
{
	struct symbol_table table = {.functions = NULL};
	enum status status = make_table(image, division, &table, error);

	if (status != STATUS_OK) {
		free(table.functions);
		return status;
	}
	image_replace_functions(image, table.functions, table.count);
	return STATUS_OK;
}

/* For a division by symbols, a function has the line of its first instruction, as in GNU gprof. */
static void find_function_lines(struct image *image)
{
	bool by_size = image->rule == IMAGE_BY_SIZE;

	for (size_t i = 0; i < image->function_count; i++) {
		struct image_function *function = &image->functions[i];

		if (function->file == NULL && by_size)
			image_line(image, function->start, &function->file, &function->line);
		else if (function->file == NULL)
			image_instruction_line(image, function->start, &function->file, &function->line);
	}
}

enum status image_divide(struct image *image, const struct image_division *division, struct error *error)
{
	if (division->rule == IMAGE_BY_SIZE) {
		image->functions = image->private->functions;
		image->function_count = image->private->function_count;
	} else {
		enum status status = divide_by_symbol(image, division, error);

		if (status != STATUS_OK)
			return status;
	}
	image->rule = division->rule;
	if (division->lines || division->rule == IMAGE_BY_LINE)
		find_function_lines(image);
	return STATUS_OK;
}
