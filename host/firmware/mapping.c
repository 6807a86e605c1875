/* SPDX-License-Identifier: MIT */
/* Mapping symbols, which mark data within code sections (ELF for the Arm Architecture 5.5.5: $a, $t, $d, $x; RISC-V
 * psABI "Mapping Symbol": $x, optionally with an ISA string, $d; each optionally followed by a dot and a suffix). */
#include "firmware/private.h"

#include <stdlib.h>

struct mapping {
	uint64_t address;
	uint64_t section_end;
	size_t order; /* position in the symbol table; the last symbol at an address applies */
	char letter;
};

/* 'a', 'd', 't' or 'x'; 0 if it is not a mapping symbol. */
static char mapping_letter(const char *name)
{
	if (name[0] != '$' || (name[1] != 'a' && name[1] != 'd' && name[1] != 't' && name[1] != 'x'))
		return 0;
	bool has_isa = name[1] == 'x' && name[2] == 'r' && name[3] == 'v';
	return name[2] == '\0' || name[2] == '.' || has_isa ? name[1] : 0;
}

static bool read_mapping(const struct image *image, size_t index, struct mapping *mapping)
{
	struct elf_symbol symbol;

	if (!image_symbol_at(image, index, &symbol) || symbol.type != STT_NOTYPE || symbol.section == NULL ||
	    !image_is_code(symbol.section))
		return false;
	uint64_t offset = symbol.value - symbol.section->address;
	*mapping = (struct mapping){
	        .address = symbol.value,
	        .section_end = symbol.section->address + symbol.section->size,
	        .order = index,
	        .letter = mapping_letter(symbol.name),
	};
	return mapping->letter != 0 && symbol.value >= symbol.section->address && offset < symbol.section->size;
}

static int compare_mappings(const void *left, const void *right)
{
	const struct mapping *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool is_code_letter(const struct image *image, char letter)
{
	return letter != 'd' && !(letter == 'a' && image->isa == IMAGE_ISA_ARM);
}

/* Adds the extent from each mapping symbol to the next one. */
static size_t make_extents(const struct image *image, const struct mapping *mappings, size_t mapping_count,
                           struct image_extent *extents)
{
	size_t count = 0;

	for (size_t i = 0; i < mapping_count; i++) {
		uint64_t start = mappings[i].address, end = mappings[i].section_end;

		if (i + 1 < mapping_count && mappings[i + 1].address < end)
			end = mappings[i + 1].address;
		enum image_content content = mappings[i].letter == 'd' ? IMAGE_CONTENT_DATA : IMAGE_CONTENT_A32;
		struct image_extent *last = count > 0 ? &extents[count - 1] : NULL;
		if (start == end || is_code_letter(image, mappings[i].letter))
			continue;
		if (last != NULL && last->end == start && last->content == content)
			last->end = end;
		else
			extents[count++] = (struct image_extent){start, end, content};
	}
	return count;
}

bool image_data_in_code(const struct image *image, struct image_extent **extents, size_t *count)
{
	size_t symbol_count = image->private->symbol_count, mapping_count = 0;
	struct mapping *mappings = calloc(symbol_count + 1, sizeof *mappings);

	*extents = calloc(symbol_count + 1, sizeof **extents);
	if (mappings == NULL || *extents == NULL) {
		free(mappings);
		free(*extents);
		*extents = NULL;
		return false;
	}
	for (size_t i = 0; i < symbol_count; i++)
		if (read_mapping(image, i, &mappings[mapping_count]))
			mapping_count++;
	qsort(mappings, mapping_count, sizeof *mappings, compare_mappings);
	*count = make_extents(image, mappings, mapping_count, *extents);
	free(mappings);
	return true;
}
