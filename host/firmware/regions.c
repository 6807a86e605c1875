/* SPDX-License-Identifier: MIT */
/* Code and data sections, regions of memory with code, memory to search for the block, and the address of the vectors.
 */
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

/* Firmware has only a few segments; this bounds the time spent on a hostile file. */
#define SEGMENTS_MAX 256

bool image_is_for_code(const struct image_section *section)
{
	uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;

	return section->type == SHT_PROGBITS && (section->flags & wanted) == wanted;
}

bool image_is_code(const struct image_section *section)
{
	return image_is_for_code(section) && section->size > 0;
}

/* Whether words of the section may be addresses, unlike words of notes, symbols or relocations. The unwind table has
 * addresses that nothing jumps to, and must not depend on whether it is in the ELF already. */
static bool is_data(const struct image_section *section)
{
	bool has_contents = section->type == SHT_PROGBITS || section->type == SHT_INIT_ARRAY ||
	                    section->type == SHT_FINI_ARRAY || section->type == SHT_PREINIT_ARRAY;

	return has_contents && (section->flags & SHF_ALLOC) != 0 && section->size > 0 && !image_is_code(section) &&
	       strcmp(section->name, UNWIND_TABLE_SECTION) != 0;
}

/* Thread-local variables have no address of their own. */
static bool is_memory(const struct image_section *section)
{
	uint64_t wanted = SHF_ALLOC | SHF_WRITE;

	return (section->flags & wanted) == wanted && (section->flags & SHF_TLS) == 0 && section->size > 0;
}

static int compare_code_sections(const void *left, const void *right)
{
	const struct image_code *a = left;
	const struct image_code *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* If sections could share bytes of the file, reading all of them could take time out of proportion to its size. */
static enum status check_sizes(const struct image *image, const char *kind, const struct image_code *sections,
                               size_t count, struct error *error)
{
	uint64_t left = image->private->size;

	for (size_t i = 0; i < count; i++) {
		if (sections[i].size > left)
			return status_fail(error,
			                   "%s: its %s sections together are larger than the file: sizes overlap at %s",
			                   image->path, kind, sections[i].name);
		left -= sections[i].size;
	}
	return STATUS_OK;
}

/* Collects the wanted sections in ascending order of address. */
static enum status load_contents(struct image *image, bool (*is_wanted)(const struct image_section *section),
                                 struct image_code **contents, size_t *count, struct error *error)
{
	const struct image_private *private = image->private;
	struct image_code *found = calloc(private->section_count, sizeof *found);

	*contents = found;
	if (found == NULL)
		return status_no_memory(error, image->path);
	for (size_t i = 0; i < private->section_count; i++) {
		const struct image_section *section = &private->sections[i];
		bool has_bytes = section->type != SHT_NOBITS && section->type != SHT_NULL;

		if (is_wanted(section))
			found[(*count)++] = (struct image_code){
			        .name = section->name,
			        .address = section->address,
			        .size = section->size,
			        .bytes = has_bytes ? private->bytes + section->offset : NULL,
			};
	}
	qsort(found, *count, sizeof *found, compare_code_sections);
	return STATUS_OK;
}

static void merge_memory(struct image *image)
{
	size_t merged = 0;

	for (size_t i = 1; i < image->memory_count; i++) {
		struct image_code *last = &image->memory[merged];
		struct image_code next = image->memory[i];

		if (next.address - last->address > last->size)
			image->memory[++merged] = next;
		else if (next.address - last->address + next.size > last->size)
			last->size = next.address - last->address + next.size;
	}
	if (image->memory_count > 0)
		image->memory_count = merged + 1;
}

static bool segment_holds(const GElf_Phdr *segment, const struct image_section *section)
{
	return segment->p_type == PT_LOAD && section->offset >= segment->p_offset &&
	       section->offset - segment->p_offset <= segment->p_filesz &&
	       section->size <= segment->p_filesz - (section->offset - segment->p_offset);
}

/* The load address of a section, which differs from its run address for .data in flash. Without a segment it is the
 * section's own address. */
static uint64_t load_address(const struct image *image, const struct image_section *section, size_t segment_count)
{
	for (size_t i = 0; i < segment_count; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(image->private->elf, (int)i, &segment) != NULL && segment_holds(&segment, section))
			return segment.p_paddr + (section->offset - segment.p_offset);
	}
	return section->address;
}

/*
 * The lowest load address of code or data. Computed from sections, not segments, because GNU ld may start the first
 * segment at a page boundary before the vectors to include the ELF header. Notes are ignored, so a build-id note that
 * displaces the vectors is below this address.
 */
static enum status find_lowest_address(struct image *image, struct error *error)
{
	const struct image_private *private = image->private;
	size_t segment_count = 0;

	if (elf_getphdrnum(private->elf, &segment_count) != 0)
		segment_count = 0;
	if (segment_count > SEGMENTS_MAX)
		return status_fail(error, "%s: %zu program headers, expected at most %d", image->path, segment_count,
		                   SEGMENTS_MAX);
	uint64_t lowest = UINT64_MAX;
	for (size_t i = 0; i < private->section_count; i++) {
		const struct image_section *section = &private->sections[i];

		if (section->type != SHT_PROGBITS || (section->flags & SHF_ALLOC) == 0 || section->size == 0)
			continue;
		uint64_t address = load_address(image, section, segment_count);
		lowest = address < lowest ? address : lowest;
	}
	image->vector_address = lowest == UINT64_MAX ? 0 : lowest;
	return STATUS_OK;
}

/* --- Regions of memory with code. */

static size_t segment_of_code(const struct image *image, const struct image_code *code, size_t segment_count)
{
	for (size_t i = 0; i < segment_count; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(image->private->elf, (int)i, &segment) != NULL && segment.p_type == PT_LOAD &&
		    code->address >= segment.p_vaddr && code->address - segment.p_vaddr < segment.p_memsz)
			return i;
	}
	return segment_count;
}

/* The largest section gives a region its name, unless there is a .text. */
static void add_to_region(struct image_region *region, const struct image_code *code, uint64_t *largest)
{
	bool is_text = strcmp(code->name, ".text") == 0;

	if (code->address + code->size > region->end)
		region->end = code->address + code->size;
	if (code->size > *largest || is_text) {
		region->name = code->name;
		*largest = is_text ? UINT64_MAX : code->size;
	}
}

/* Sections of one segment form one region. So do overlapping sections, and the last ones if there are too many. */
static enum status find_code_regions(struct image *image, struct error *error)
{
	size_t segment_count = 0, last_segment = SIZE_MAX, count = 0;
	struct image_region *regions = calloc(IMAGE_REGIONS_MAX, sizeof *regions);
	uint64_t largest = 0;

	image->regions = regions;
	if (regions == NULL)
		return status_no_memory(error, image->path);
	if (elf_getphdrnum(image->private->elf, &segment_count) != 0)
		segment_count = 0;
	for (size_t i = 0; i < image->code_count; i++) {
		const struct image_code *code = &image->code[i];
		size_t segment = segment_of_code(image, code, segment_count);
		bool is_new = count == 0 || (segment != last_segment && code->address >= regions[count - 1].end &&
		                             count < IMAGE_REGIONS_MAX);

		if (is_new) {
			regions[count++] = (struct image_region){.start = code->address, .end = code->address};
			largest = 0;
		}
		add_to_region(&regions[count - 1], code, &largest);
		last_segment = segment;
	}
	image->region_count = count;
	return STATUS_OK;
}

enum status image_load_regions(struct image *image, struct error *error)
{
	enum status status = load_contents(image, image_is_code, &image->code, &image->code_count, error);

	if (status == STATUS_OK)
		status = load_contents(image, is_data, &image->data, &image->data_count, error);
	if (status == STATUS_OK)
		status = load_contents(image, is_memory, &image->memory, &image->memory_count, error);
	if (status == STATUS_OK)
		status = check_sizes(image, "code", image->code, image->code_count, error);
	if (status == STATUS_OK)
		status = check_sizes(image, "data", image->data, image->data_count, error);
	if (status != STATUS_OK)
		return status;
	merge_memory(image);
	status = find_lowest_address(image, error);
	return status == STATUS_OK ? find_code_regions(image, error) : status;
}
