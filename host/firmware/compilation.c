/* SPDX-License-Identifier: MIT */
/* How the units of a firmware were compiled, from the string that each compiler leaves in DWARF (DW_AT_producer). GCC
 * records its options there, clang only its name. */
#include "firmware/line_units.h"
#include "firmware/private.h"

#include <dwarf.h>
#include <string.h>

static const char *producer_of(Dwarf *dwarf, const struct dwarf_unit *unit)
{
	Dwarf_Die entry;
	Dwarf_Attribute attribute;

	if (dwarf_offdie(dwarf, unit->first, &entry) == NULL || dwarf_attr(&entry, DW_AT_producer, &attribute) == NULL)
		return NULL;
	return dwarf_formstring(&attribute);
}

/* Whether the words of a text contain this one. */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
		if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* GCC records -pg as -p. Assembly of startup code does not count: only compilers can add hooks. */
static void add_producer(struct image_compilation *compilation, const char *producer)
{
	if (strncmp(producer, "GNU AS", strlen("GNU AS")) == 0)
		return;
	compilation->is_known = true;
	compilation->with_clang |= strstr(producer, "clang") != NULL;
	compilation->with_hooks |= has_word(producer, "-p") || has_word(producer, "-finstrument-functions");
	compilation->with_lto |= has_word(producer, "-fltrans") || has_word(producer, "-flto");
}

struct image_compilation image_compilation(const struct image *image)
{
	struct image_compilation compilation = {.is_known = false};
	struct line_units *units = image_line_units(image);
	const char *last = NULL;

	for (size_t i = 0; units != NULL && i < units->tree.unit_count; i++) {
		const char *producer = producer_of(units->sections.dwarf, &units->tree.units[i]);

		/* Most units share one string. */
		if (producer == NULL || producer == last)
			continue;
		if (!dwarf_pay(&units->budget, DWARF_FILES, strlen(producer)))
			break;
		add_producer(&compilation, producer);
		last = producer;
	}
	return compilation;
}
