/* SPDX-License-Identifier: MIT */
/* Function symbols, and the preferred one among several at one address. */
#include "firmware/extents.h"
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

#define UNDERSCORES_MAX 255

/* Mapping symbols ($a, $t, $d, $x and others: ELF for the Arm Architecture 5.5.5, RISC-V psABI "Mapping Symbol") mark
 * transitions between code and data; names in .L are internal to the compiler. */
bool image_is_internal_label(const char *name)
{
	return name[0] == '$' || strncmp(name, ".L", 2) == 0;
}

bool image_names_code(const struct elf_symbol *symbol)
{
	if (symbol->section == NULL || !image_is_code(symbol->section) || symbol->name[0] == '\0')
		return false;
	if (symbol->value < symbol->section->address ||
	    symbol->value - symbol->section->address >= symbol->section->size)
		return false;
	if (symbol->type == STT_NOTYPE)
		return !image_is_internal_label(symbol->name);
	return image_names_function(symbol) || symbol->type == STT_OBJECT;
}

static enum candidate_kind kind_of_symbol(const struct elf_symbol *symbol)
{
	if (symbol->type == STT_OBJECT)
		return CANDIDATE_OBJECT;
	return symbol->size > 0 ? CANDIDATE_FUNCTION : CANDIDATE_LABEL;
}

/* Functions before labels, then global before weak before local, then fewer leading underscores. */
static unsigned rank_of_symbol(const struct elf_symbol *symbol)
{
	unsigned underscores = 0;

	while (underscores < UNDERSCORES_MAX && symbol->name[underscores] == '_')
		underscores++;
	unsigned label = image_names_function(symbol) ? 0 : 1;
	return label << 16 | image_binding_rank(symbol->binding) << 8 | underscores;
}

static struct candidate candidate_of_symbol(const struct elf_symbol *symbol, size_t order)
{
	enum candidate_kind kind = kind_of_symbol(symbol);
	uint64_t section_end = symbol->section->address + symbol->section->size;
	uint64_t room = section_end - symbol->value;

	return (struct candidate){
	        .name = symbol->name,
	        .start = symbol->value,
	        .end = kind == CANDIDATE_LABEL || symbol->size > room ? section_end : symbol->value + symbol->size,
	        .kind = kind,
	        .is_label = !image_names_function(symbol),
	        .is_local = symbol->binding == STB_LOCAL,
	        .rank = rank_of_symbol(symbol),
	        .order = order,
	};
}

static size_t collect_candidates(const struct image *image, struct candidate *candidates)
{
	size_t count = 0;

	for (size_t i = 0; i < image->private->symbol_count; i++) {
		struct elf_symbol symbol;

		if (image_symbol_at(image, i, &symbol) && image_names_code(&symbol))
			candidates[count++] = candidate_of_symbol(&symbol, i);
	}
	return count;
}

static enum status shorten_names(const struct image *image, struct error *error)
{
	struct image_private *private = image->private;

	for (size_t i = 0; i < private->function_count; i++) {
		private->functions[i].name = image_short_name(image, private->functions[i].name);
		if (private->functions[i].name == NULL)
			return status_no_memory(error, image->path);
	}
	return STATUS_OK;
}

enum status image_load_functions(struct image *image, struct error *error)
{
	struct image_private *private = image->private;
	struct candidate *candidates = calloc(private->symbol_count + 1, sizeof *candidates);

	if (candidates == NULL)
		return status_no_memory(error, image->path);
	size_t count = collect_candidates(image, candidates);
	bool ok = extents_make(candidates, count, &private->functions, &private->function_count);
	free(candidates);
	if (!ok)
		return status_no_memory(error, image->path);
	if (private->function_count == 0)
		return status_fail(error, "%s: no function in its symbol table: build with symbols or do not strip",
		                   image->path);
	image->functions = private->functions;
	image->function_count = private->function_count;
	return shorten_names(image, error);
}
