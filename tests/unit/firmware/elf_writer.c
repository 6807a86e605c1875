/* SPDX-License-Identifier: MIT */
/* See elf_writer.h. */
#include "elf_writer.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct elf_writer_section text = {
        ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, ELF_WRITER_TEXT, 0x100, NULL,
};

/* A string table; its first string is the empty one. */
struct strings {
	FILE *stream;
	char *bytes;
	size_t size;
	Elf64_Word next; /* offset of the next string */
};

static Elf64_Word add_string(struct strings *strings, const char *string)
{
	Elf64_Word offset = strings->next;

	strings->next += (Elf64_Word)fwrite(string, 1, strlen(string) + 1, strings->stream);
	return offset;
}

static void begin_strings(struct strings *strings)
{
	*strings = (struct strings){.bytes = NULL};
	strings->stream = open_memstream(&strings->bytes, &strings->size);
	assert_non_null(strings->stream);
	add_string(strings, "");
}

/* bytes must stay valid until the ELF is written. */
static Elf_Data *add_section(Elf *elf, GElf_Shdr header, const void *bytes, Elf_Type type)
{
	Elf_Scn *section = elf_newscn(elf);
	size_t size = header.sh_size;

	header.sh_addralign = 1;
	assert_true(gelf_update_shdr(section, &header));
	Elf_Data *data = elf_newdata(section);
	assert_non_null(data);
	data->d_buf = (void *)(uintptr_t)bytes;
	data->d_size = size;
	data->d_type = type;
	data->d_align = 1;
	return data;
}

static void add_strings(Elf *elf, struct strings *strings, Elf64_Word name)
{
	assert_int_equal(fflush(strings->stream), 0);
	add_section(elf, (GElf_Shdr){.sh_name = name, .sh_type = SHT_STRTAB, .sh_size = strings->size}, strings->bytes,
	            ELF_T_BYTE);
}

/* zeros: content of sections without bytes. */
static void add_planned_sections(Elf *elf, const struct elf_writer_plan *plan, struct strings *names, const void *zeros)
{
	for (size_t i = 0; i < plan->section_count; i++) {
		const struct elf_writer_section *section = &plan->sections[i];
		const GElf_Shdr header = {
		        .sh_name = add_string(names, section->name),
		        .sh_type = section->type,
		        .sh_flags = section->flags,
		        .sh_addr = section->address,
		        .sh_size = section->size,
		};
		const void *bytes = section->bytes == NULL ? zeros : section->bytes;

		add_section(elf, header, section->type == SHT_NOBITS ? NULL : bytes, ELF_T_BYTE);
	}
}

/* The caller frees the content of the section. */
static void *add_symbols(Elf *elf, const struct elf_writer_plan *plan, struct strings *names, Elf64_Word name)
{
	size_t size = gelf_fsize(elf, ELF_T_SYM, plan->symbol_count, EV_CURRENT);
	void *bytes = calloc(size + 1, 1);
	const GElf_Shdr header = {
	        .sh_name = name,
	        .sh_type = SHT_SYMTAB,
	        .sh_link = (Elf64_Word)plan->section_count + 2,
	        .sh_size = size,
	};

	assert_non_null(bytes);
	Elf_Data *data = add_section(elf, header, bytes, ELF_T_SYM);
	for (size_t i = 0; i < plan->symbol_count; i++) {
		const struct elf_writer_symbol *planned = &plan->symbols[i];
		GElf_Sym symbol = {
		        .st_name = add_string(names, planned->name),
		        .st_value = planned->value,
		        .st_size = planned->size,
		        .st_info = (unsigned char)GELF_ST_INFO(planned->binding, planned->type),
		        .st_shndx = (Elf64_Section)planned->section,
		};

		assert_true(gelf_update_sym(data, (int)i, &symbol));
	}
	return bytes;
}

static void write_header(Elf *elf, const struct elf_writer_plan *plan)
{
	GElf_Ehdr header;

	assert_true(gelf_newehdr(elf, plan->class == 0 ? ELFCLASS32 : plan->class) != NULL &&
	            gelf_getehdr(elf, &header) != NULL);
	header.e_ident[EI_DATA] = (unsigned char)(plan->order == 0 ? ELFDATA2LSB : plan->order);
	header.e_machine = (Elf64_Half)(plan->machine == 0 ? EM_ARM : plan->machine);
	header.e_type = (Elf64_Half)(plan->type == 0 ? ET_EXEC : plan->type);
	header.e_version = EV_CURRENT;
	header.e_shstrndx = (Elf64_Half)(plan->section_count + 3);
	assert_true(gelf_update_ehdr(elf, &header));
}

void elf_writer_write(const char *path, const struct elf_writer_plan *wanted)
{
	struct elf_writer_plan plan = *wanted;
	struct strings names, section_names;

	if (plan.section_count == 0) {
		plan.sections = &text;
		plan.section_count = 1;
	}
	elf_version(EV_CURRENT);
	int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	Elf *elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
	assert_non_null(elf);
	write_header(elf, &plan);
	begin_strings(&names);
	begin_strings(&section_names);
	size_t largest = 1;
	for (size_t i = 0; i < plan.section_count; i++)
		if (plan.sections[i].bytes == NULL && plan.sections[i].size > largest)
			largest = plan.sections[i].size;
	void *zeros = calloc(largest, 1);
	assert_non_null(zeros);
	add_planned_sections(elf, &plan, &section_names, zeros);
	void *symbols = add_symbols(elf, &plan, &names, add_string(&section_names, ".symtab"));
	add_strings(elf, &names, add_string(&section_names, ".strtab"));
	add_strings(elf, &section_names, add_string(&section_names, ".shstrtab"));
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(descriptor);
	fclose(names.stream);
	fclose(section_names.stream);
	free(names.bytes);
	free(section_names.bytes);
	free(symbols);
	free(zeros);
}

struct image *elf_writer_image(const struct elf_writer_plan *plan)
{
	char path[256];
	struct image *image;

	snprintf(path, sizeof path, "%s/unit/written-%d.elf", getenv("BUILD"), (int)getpid());
	elf_writer_write(path, plan);
	enum status status = image_open(path, &image, &failure);
	remove(path);
	assert_success(status, &failure);
	return close_image_later(image);
}
