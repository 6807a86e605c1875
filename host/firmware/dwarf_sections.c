/* SPDX-License-Identifier: MIT */
/* See dwarf_sections.h. */
#include "firmware/dwarf_sections.h"

#include "firmware/bits.h"
#include "firmware/private.h"

#include <string.h>

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_debug_section(const struct image_section *section)
{
	return section->type != SHT_NOBITS && section->type != SHT_NULL &&
	       (has_prefix(section->name, ".debug") || has_prefix(section->name, ".zdebug") ||
	        has_prefix(section->name, ".gnu.debuglto_"));
}

/* The decompressed size of section, which libdw may have decompressed already. */
static uint64_t expanded_size(const struct image *image, size_t index)
{
	const struct image_section *section = &image->private->sections[index];
	Elf_Scn *scn = elf_getscn(image->private->elf, index);
	GElf_Chdr header;
	GElf_Shdr present;

	if ((section->flags & SHF_COMPRESSED) != 0 && gelf_getshdr(scn, &present) != NULL &&
	    (present.sh_flags & SHF_COMPRESSED) == 0)
		return present.sh_size;
	if ((section->flags & SHF_COMPRESSED) != 0)
		return gelf_getchdr(scn, &header) != NULL ? header.ch_size : UINT64_MAX;
	/* Before SHF_COMPRESSED: "ZLIB", then the size, big-endian. */
	if (!has_prefix(section->name, ".zdebug") || section->size < 12)
		return section->size;
	return number_at(image->private->bytes + section->offset + 4, 8, true);
}

/* Whether libdw may read the section. The budget covers only the sections that this folder reads, but libdw treats
 * parts of split DWARF and of link-time optimisation like the sections without their affix. */
static bool is_readable_by_libdw(const struct image_section *section)
{
	size_t length = strlen(section->name);

	return !has_prefix(section->name, ".gnu") && (length < 4 || strcmp(section->name + length - 4, ".dwo") != 0);
}

/* .debug_NAME or .zdebug_NAME. */
static bool is_debug_section_named(const struct image_section *section, const char *name)
{
	const char *after = strchr(section->name, '_');

	return is_debug_section(section) && after != NULL && strcmp(after + 1, name) == 0;
}

/* Whether there are debug sections, and libdw may read them. */
static bool check_debug_sections(const struct image *image, struct dwarf_budget *budget)
{
	bool is_debug = false;

	for (size_t i = 1; i < image->private->section_count; i++) {
		const struct image_section *section = &image->private->sections[i];

		if (!is_debug_section(section))
			continue;
		is_debug = true;
		if (!is_readable_by_libdw(section) || !dwarf_pay(budget, DWARF_EXPANSION, expanded_size(image, i)))
			return false;
	}
	return is_debug;
}

/* Empty without such a section, and with several ones, because libdw might use another one. */
static struct dwarf_cursor find_debug_section(const struct image *image, const char *name)
{
	static const uint8_t nothing;
	struct dwarf_cursor cursor = {.at = &nothing, .end = &nothing, .big_endian = image->big_endian};
	size_t found = 0, count = 0;

	for (size_t i = 1; i < image->private->section_count; i++) {
		if (!is_debug_section_named(&image->private->sections[i], name))
			continue;
		found = i;
		count++;
	}
	Elf_Data *data = count == 1 ? elf_rawdata(elf_getscn(image->private->elf, found), NULL) : NULL;
	if (data != NULL && data->d_buf != NULL) {
		cursor.at = data->d_buf;
		cursor.end = cursor.at + data->d_size;
	}
	return cursor;
}

void dwarf_sections_open(const struct image *image, struct dwarf_budget *budget, struct dwarf_sections *sections)
{
	*sections = (struct dwarf_sections){.dwarf = NULL};
	if (check_debug_sections(image, budget))
		sections->dwarf = dwarf_begin_elf(image->private->elf, DWARF_C_READ, NULL);
	if (sections->dwarf == NULL)
		return;
	/* Without an alternate file libdw would open any path that the ELF names. */
	dwarf_setalt(sections->dwarf, sections->dwarf);
	sections->entries = find_debug_section(image, "info");
	sections->abbreviations = find_debug_section(image, "abbrev");
	sections->lines = find_debug_section(image, "line");
	sections->strings = find_debug_section(image, "str");
	sections->line_strings = find_debug_section(image, "line_str");
	sections->ranges = find_debug_section(image, "ranges");
	sections->range_lists = find_debug_section(image, "rnglists");
	sections->frames = find_debug_section(image, "frame");
}

void dwarf_sections_close(struct dwarf_sections *sections)
{
	dwarf_end(sections->dwarf);
}
