/* SPDX-License-Identifier: MIT */
/* The GNU build-id note. Note format: System V gABI, "Note Section". */
#include "firmware/private.h"

#include <stdio.h>
#include <string.h>

/* A build-id note has 36 bytes; longer note sections hold something else. */
#define NOTES_SIZE_MAX 4096
#define SEGMENTS_MAX   256

static bool is_build_id(const GElf_Nhdr *note, const char *name, size_t capacity)
{
	return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
	       memcmp(name, "GNU", sizeof "GNU") == 0 && note->n_descsz > 0 && note->n_descsz <= capacity;
}

/* address: where data is in the target; NULL if it is not loaded. */
static bool find_build_id(struct image *image, Elf_Data *data, const uint64_t *address)
{
	GElf_Nhdr note;
	size_t name = 0;
	size_t id = 0;
	size_t next = 0;

	for (size_t at = 0; data != NULL && (next = gelf_getnote(data, at, &note, &name, &id)) > at; at = next) {
		const char *bytes = data->d_buf;

		if (!is_build_id(&note, bytes + name, sizeof image->build_id))
			continue;
		memcpy(image->build_id, bytes + id, note.n_descsz);
		image->build_id_size = note.n_descsz;
		image->build_id_address = address == NULL ? 0 : *address + id;
		return true;
	}
	return false;
}

static bool find_in_sections(struct image *image)
{
	const struct image_private *private = image->private;

	for (size_t i = 0; i < private->section_count; i++) {
		const struct image_section *section = &private->sections[i];

		if (section->type != SHT_NOTE || section->size > NOTES_SIZE_MAX)
			continue;
		const uint64_t *address = (section->flags & SHF_ALLOC) != 0 ? &section->address : NULL;
		if (find_build_id(image, elf_getdata(elf_getscn(private->elf, i), NULL), address))
			return true;
	}
	return false;
}

/* A linker script may put the note into a section of code or constants, described only by a segment. */
static void find_in_segments(struct image *image)
{
	Elf *elf = image->private->elf;
	size_t count = 0;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && i < SEGMENTS_MAX; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_NOTE ||
		    segment.p_filesz > NOTES_SIZE_MAX || segment.p_offset > image->private->size)
			continue;
		Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
		                                      segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (find_build_id(image, data, &segment.p_vaddr))
			return;
	}
}

void image_find_build_id(struct image *image)
{
	if (!find_in_sections(image))
		find_in_segments(image);
}

const char *image_format_build_id(const struct image *image, char text[IMAGE_BUILD_ID_TEXT_SIZE])
{
	text[0] = '\0';
	for (size_t i = 0; i < image->build_id_size; i++)
		snprintf(text + 2 * i, 3, "%02x", image->build_id[i]);
	return text;
}
