/* SPDX-License-Identifier: MIT */
/* Opening an ELF: the header and the sections, checked once for all later stages, and the order of the stages. */
#include "base/file/file.h"
#include "firmware/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum image_isa isa_of(unsigned machine)
{
	switch (machine) {
	case EM_ARM:
		return IMAGE_ISA_ARM;
	case EM_RISCV:
		return IMAGE_ISA_RISCV;
	default:
		return IMAGE_ISA_OTHER;
	}
}

static enum status check_elf_header(const struct image *image, const GElf_Ehdr *header, struct error *error)
{
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return status_fail(error,
		                   "%s: ELF type %u at offset 16, expected a linked firmware, not an object or a core",
		                   image->path, (unsigned)header->e_type);
	if (header->e_machine == EM_ARM && image->address_size != 4)
		return status_fail(error, "%s: a 64-bit ELF for a 32-bit Arm machine (offset 4): the header is damaged",
		                   image->path);
	if (header->e_shoff == 0)
		return status_fail(error,
		                   "%s: no section headers: give the ELF that the linker wrote, not a stripped one",
		                   image->path);
	return STATUS_OK;
}

static enum status load_header(struct image *image, struct error *error)
{
	struct image_private *private = image->private;

	if (private->size < SELFMAG || memcmp(private->bytes, ELFMAG, SELFMAG) != 0)
		return status_fail(error, "%s: not an ELF file: give the ELF that the linker wrote, not a .bin or .hex",
		                   image->path);
	private->elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_memory((char *)private->bytes, private->size);
	GElf_Ehdr header;
	if (elf_kind(private->elf) != ELF_K_ELF || gelf_getehdr(private->elf, &header) == NULL)
		return status_fail(error, "%s: the ELF header at offset 0 is truncated or damaged (%zu-byte file)",
		                   image->path, private->size);
	image->machine = header.e_machine;
	image->isa = isa_of(header.e_machine);
	image->address_size = gelf_getclass(private->elf) == ELFCLASS64 ? 8 : 4;
	image->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	return check_elf_header(image, &header, error);
}

/* libelf would read the part of a truncated section header table that is there; a truncated ELF must be refused. */
static enum status count_sections(const struct image *image, size_t *count, struct error *error)
{
	const struct image_private *private = image->private;
	GElf_Ehdr header;
	size_t sections = 0;
	bool readable = gelf_getehdr(private->elf, &header) != NULL && elf_getshdrnum(private->elf, &sections) == 0;
	size_t entry_size = gelf_fsize(private->elf, ELF_T_SHDR, 1, EV_CURRENT);

	if (!readable || sections == 0 || header.e_shoff > private->size ||
	    (private->size - header.e_shoff) / entry_size < sections)
		return status_fail(error,
		                   "%s: the section headers at offset 0x%" PRIx64 " exceed the %zu bytes of the file: "
		                   "is it truncated?",
		                   image->path, (uint64_t)header.e_shoff, private->size);
	if (header.e_shentsize != entry_size)
		return status_fail(error, "%s: section headers of %u bytes (offset 0x%x), expected %zu", image->path,
		                   (unsigned)header.e_shentsize, image->address_size == 4 ? 0x2E : 0x3A, entry_size);
	*count = sections;
	return STATUS_OK;
}

static bool fits_address_space(const struct image *image, uint64_t address, uint64_t size)
{
	uint64_t last = image->address_size == 4 ? UINT32_MAX : UINT64_MAX;

	return address <= last && (size == 0 || size - 1 <= last - address);
}

static enum status check_elf_section(const struct image *image, size_t index, const struct image_section *section,
                                     struct error *error)
{
	bool in_file = section->type != SHT_NOBITS && section->type != SHT_NULL;

	if (in_file &&
	    (section->offset > image->private->size || section->size > image->private->size - section->offset))
		return status_fail(error,
		                   "%s: section %zu at offset 0x%" PRIx64 " with 0x%" PRIx64
		                   " bytes exceeds the %zu bytes of the file: is it truncated?",
		                   image->path, index, section->offset, section->size, image->private->size);
	if ((section->flags & SHF_ALLOC) != 0 && !fits_address_space(image, section->address, section->size))
		return status_fail(error,
		                   "%s: section %zu at address 0x%" PRIx64 " with 0x%" PRIx64
		                   " bytes exceeds the address space",
		                   image->path, index, section->address, section->size);
	return STATUS_OK;
}

static enum status load_section(struct image *image, size_t index, size_t *name_offset, struct error *error)
{
	GElf_Shdr header;

	if (gelf_getshdr(elf_getscn(image->private->elf, index), &header) == NULL)
		return status_fail(error, "%s: section header %zu cannot be read: %s", image->path, index,
		                   elf_errmsg(-1));
	*name_offset = header.sh_name;
	struct image_section *section = &image->private->sections[index];
	*section = (struct image_section){
	        .name = "",
	        .type = header.sh_type,
	        .flags = header.sh_flags,
	        .address = header.sh_addr,
	        .offset = header.sh_offset,
	        .size = header.sh_size,
	        .link = header.sh_link,
	};
	enum status status = check_elf_section(image, index, section, error);
	/* The end of a section must be an address. If a section ends at 2^64, its last byte, at which no instruction
	 * can start, is omitted. */
	if ((section->flags & SHF_ALLOC) != 0 && section->size > 0 && section->address + section->size == 0)
		section->size--;
	return status;
}

/* Names come second, because the section that holds them must be checked first. */
static enum status name_sections(struct image *image, const size_t *name_offsets, struct error *error)
{
	struct image_private *private = image->private;
	size_t table = 0;

	if (elf_getshdrstrndx(private->elf, &table) != 0 || table >= private->section_count)
		return STATUS_OK;
	for (size_t index = 1; index < private->section_count; index++) {
		const char *name = image_string(image, &private->sections[table], name_offsets[index]);

		private->sections[index].name = image_short_name(image, name);
		if (private->sections[index].name == NULL)
			return status_no_memory(error, image->path);
	}
	return STATUS_OK;
}

static enum status load_sections(struct image *image, struct error *error)
{
	struct image_private *private = image->private;
	size_t count = 0;
	enum status status = count_sections(image, &count, error);

	if (status != STATUS_OK)
		return status;
	private->sections = calloc(count + 1, sizeof *private->sections);
	size_t *name_offsets = calloc(count + 1, sizeof *name_offsets);
	if (private->sections == NULL || name_offsets == NULL) {
		free(name_offsets);
		return status_no_memory(error, image->path);
	}
	private->section_count = count;
	/* Section 0 is reserved; its fields hold counts that do not fit into the header. */
	for (size_t index = 1; index < count && status == STATUS_OK; index++)
		status = load_section(image, index, &name_offsets[index], error);
	if (status == STATUS_OK)
		status = name_sections(image, name_offsets, error);
	free(name_offsets);
	return status;
}

static enum status load_elf(struct image *image, struct error *error)
{
	static enum status (*const stages[])(struct image *, struct error *) = {
	        load_header,        load_sections,       image_load_regions,
	        image_load_symbols, image_load_recorder, image_load_functions,
	};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < sizeof stages / sizeof stages[0] && status == STATUS_OK; i++)
		status = stages[i](image, error);
	if (status == STATUS_OK)
		image_find_build_id(image);
	return status;
}

enum status image_decode(const char *path, uint8_t *bytes, size_t size, struct image **result, struct error *error)
{
	struct image *image = calloc(1, sizeof *image);
	struct image_private *private = calloc(1, sizeof *private);
	char *own_path = strdup(path);

	*result = NULL;
	if (image == NULL || private == NULL || own_path == NULL) {
		free(bytes);
		free(own_path);
		free(private);
		free(image);
		return status_no_memory(error, path);
	}
	*private = (struct image_private){.path = own_path, .bytes = bytes, .size = size};
	image->path = own_path;
	image->private = private;
	enum status status = load_elf(image, error);
	if (status != STATUS_OK)
		image_close(image);
	else
		*result = image;
	return status;
}

enum status image_open(const char *path, struct image **image, struct error *error)
{
	*image = NULL;
	uint8_t *bytes = NULL;
	size_t size = 0;
	enum status status = file_read(path, &bytes, &size, error);
	return status == STATUS_OK ? image_decode(path, bytes, size, image, error) : status;
}

void image_close(struct image *image)
{
	if (image == NULL)
		return;
	struct image_private *private = image->private;
	image_scopes_free(private->scopes);
	image_lines_free(private->lines);
	image_names_free(private->names);
	elf_end(private->elf);
	free(private->functions);
	free(private->divided);
	free(private->sections);
	free(private->bytes);
	free(private->path);
	free(private);
	free(image->code);
	free(image->regions);
	free(image->data);
	free(image->memory);
	free(image->recorder);
	free(image);
}
