/* SPDX-License-Identifier: MIT */
/* See definitions.h. */
#include "firmware/definitions.h"

#include <dwarf.h>
#include <search.h>
#include <stdlib.h>

/* An inlined call refers to a function, which refers to a declaration. Longer chains are not followed. */
#define CHAIN_MAX 16

/* The attributes of one entry, without the attributes of entries that it refers to. */
struct entry_reading {
	struct line_units *units;
	struct definition definition;
	uint64_t abstract_origin, specification; /* offsets; UINT64_MAX: none */
	Dwarf_Word file, call_file;              /* numbers */
};

/* An entry that was read or is being read. It is not read again, so circular references end. */
struct known {
	uint64_t offset;
	uint64_t origin; /* the referenced entry; UINT64_MAX: none */
	struct definition definition;
};

/* References to type units and to other files are not followed. */
static uint64_t reference_of(const struct entry_reading *reading, Dwarf_Attribute *attribute)
{
	Dwarf_Die entry;

	switch (dwarf_whatform(attribute)) {
	case DW_FORM_ref_addr:
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		break;
	default:
		return UINT64_MAX;
	}
	if (dwarf_formref_die(attribute, &entry) == NULL ||
	    !dwarf_tree_has_entry(&reading->units->tree, dwarf_dieoffset(&entry)))
		return UINT64_MAX;
	return dwarf_dieoffset(&entry);
}

static int line_of(Dwarf_Attribute *attribute)
{
	Dwarf_Word number;

	return dwarf_formudata(attribute, &number) == 0 && number <= INT32_MAX ? (int)number : 0;
}

static void read_first_string(const char **string, Dwarf_Attribute *attribute)
{
	if (*string == NULL)
		*string = dwarf_formstring(attribute);
}

static int read_attribute(Dwarf_Attribute *attribute, void *context)
{
	struct entry_reading *reading = context;
	struct definition *definition = &reading->definition;

	switch (dwarf_whatattr(attribute)) {
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		read_first_string(&definition->linkage_name, attribute);
		break;
	case DW_AT_name:
		read_first_string(&definition->name, attribute);
		break;
	case DW_AT_external:
		dwarf_formflag(attribute, &definition->is_external);
		break;
	case DW_AT_decl_file:
		dwarf_formudata(attribute, &reading->file);
		break;
	case DW_AT_decl_line:
		definition->line = line_of(attribute);
		break;
	case DW_AT_call_file:
		dwarf_formudata(attribute, &reading->call_file);
		break;
	case DW_AT_call_line:
		definition->call_line = line_of(attribute);
		break;
	case DW_AT_abstract_origin:
		reading->abstract_origin = reference_of(reading, attribute);
		break;
	case DW_AT_specification:
		reading->specification = reference_of(reading, attribute);
		break;
	default:
		break;
	}
	return DWARF_CB_OK;
}

/* The name of a file by its number in a unit; libdw has already read the table, so this is cheap. */
static const char *file_name(const struct entry_reading *reading, size_t unit, Dwarf_Word number)
{
	const struct line_units *units = reading->units;
	Dwarf_Die entry;
	Dwarf_Files *files;
	size_t count;

	if (unit == DWARF_NONE || !units->tree.units[unit].has_files ||
	    dwarf_offdie(units->sections.dwarf, units->tree.units[unit].first, &entry) == NULL ||
	    dwarf_getsrcfiles(&entry, &files, &count) != 0 || number >= count)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

/* Reads one entry; returns the offset of the entry that has its other attributes, or UINT64_MAX. */
static uint64_t read_definition(struct definitions *definitions, uint64_t offset, struct definition *definition)
{
	struct entry_reading reading = {
	        .units = definitions->units,
	        .abstract_origin = UINT64_MAX,
	        .specification = UINT64_MAX,
	        .file = 0,
	        .call_file = UINT64_MAX,
	};
	Dwarf_Die entry;

	if (dwarf_offdie(definitions->units->sections.dwarf, offset, &entry) != NULL)
		dwarf_getattrs(&entry, read_attribute, &reading, 0);
	size_t unit = dwarf_tree_unit_at(&definitions->units->tree, offset);
	*definition = reading.definition;
	if (reading.file != 0)
		definition->file = file_name(&reading, unit, reading.file);
	if (definition->call_line > 0 && reading.call_file != UINT64_MAX)
		definition->call_file = file_name(&reading, unit, reading.call_file);
	return reading.abstract_origin != UINT64_MAX ? reading.abstract_origin : reading.specification;
}

static int compare_known_entries(const void *left, const void *right)
{
	const struct known *a = left, *b = right;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* NULL when out of memory. */
static struct known *find_or_add(struct definitions *definitions, uint64_t offset, bool *is_new)
{
	struct known *known = malloc(sizeof *known);

	if (known == NULL)
		return NULL;
	*known = (struct known){.offset = offset, .origin = UINT64_MAX};
	struct known **found = tsearch(known, &definitions->known, compare_known_entries);
	*is_new = found != NULL && *found == known;
	if (!*is_new)
		free(known);
	return found == NULL ? NULL : *found;
}

static void inherit_definition(struct definition *definition, const struct definition *origin)
{
	if (definition->linkage_name == NULL)
		definition->linkage_name = origin->linkage_name;
	if (definition->name == NULL)
		definition->name = origin->name;
	if (definition->file == NULL)
		definition->file = origin->file;
	if (definition->line == 0)
		definition->line = origin->line;
	definition->is_external |= origin->is_external;
}

bool definition_read(struct definitions *definitions, uint64_t offset, struct definition *definition)
{
	struct known *chain[CHAIN_MAX];
	size_t count = 0;
	bool is_new = true;
	uint64_t origin = read_definition(definitions, offset, definition);

	for (; origin != UINT64_MAX && is_new && count < CHAIN_MAX; origin = chain[count++]->origin) {
		chain[count] = find_or_add(definitions, origin, &is_new);
		if (chain[count] == NULL)
			return false;
		if (is_new)
			chain[count]->origin = read_definition(definitions, origin, &chain[count]->definition);
	}
	for (size_t i = count; i > 1; i--)
		inherit_definition(&chain[i - 2]->definition, &chain[i - 1]->definition);
	if (count > 0)
		inherit_definition(definition, &chain[0]->definition);
	return true;
}

void definitions_free(struct definitions *definitions)
{
	tdestroy(definitions->known, free);
}
