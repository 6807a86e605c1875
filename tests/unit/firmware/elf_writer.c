/* SPDX-License-Identifier: MIT */
/* See elf_writer.h. */
#include "elf_writer.h"
#include "test.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A string table that grows; its first string is the empty one. */
struct strings {
	char *bytes;
	size_t size;
	size_t capacity;
};

static size_t add_string(struct strings *strings, const char *string)
{
	size_t length = strlen(string) + 1;
	size_t offset = strings->size;
	while (strings->capacity < offset + length) {
		strings->capacity = strings->capacity * 2 + 64;
		strings->bytes = realloc(strings->bytes, strings->capacity);
		assert_non_null(strings->bytes);
	}
	memcpy(strings->bytes + offset, string, length);
	strings->size += length;
	return offset;
}

static Elf_Scn *add_section(Elf *elf, const GElf_Shdr *wanted, const void *bytes, Elf_Type type)
{
	Elf_Scn *section = elf_newscn(elf);
	GElf_Shdr header;
	assert_non_null(gelf_getshdr(section, &header));
	header.sh_name = wanted->sh_name;
	header.sh_type = wanted->sh_type;
	header.sh_flags = wanted->sh_flags;
	header.sh_addr = wanted->sh_addr;
	header.sh_link = wanted->sh_link;
	header.sh_addralign = 1;
	assert_true(gelf_update_shdr(section, &header));
	Elf_Data *data = elf_newdata(section);
	assert_non_null(data);
	data->d_buf = (void *)(uintptr_t)bytes;
	data->d_size = wanted->sh_size;
	data->d_type = type;
	data->d_align = 1;
	return section;
}

static void add_planned_sections(Elf *elf, const struct elf_writer_plan *plan, struct strings *names, void **buffers)
{
	for (size_t i = 0; i < plan->section_count; i++) {
		const struct elf_writer_section *section = &plan->sections[i];
		GElf_Shdr header = {
		        .sh_name = (Elf64_Word)add_string(names, section->name),
		        .sh_type = section->type,
		        .sh_flags = section->flags,
		        .sh_addr = section->address,
		        .sh_size = section->size,
		};
		buffers[i] = section->type == SHT_NOBITS ? NULL : calloc(section->size + 1, 1);
		if (buffers[i] != NULL && section->bytes != NULL)
			memcpy(buffers[i], section->bytes, section->size);
		add_section(elf, &header, buffers[i], ELF_T_BYTE);
	}
}

static void *make_symbols(Elf *elf, const struct elf_writer_plan *plan, struct strings *names, size_t *size)
{
	*size = gelf_fsize(elf, ELF_T_SYM, plan->symbol_count, EV_CURRENT);
	Elf_Data data = {.d_buf = calloc(*size + 1, 1), .d_size = *size, .d_type = ELF_T_SYM, .d_version = EV_CURRENT};
	assert_non_null(data.d_buf);
	for (size_t i = 0; i < plan->symbol_count; i++) {
		const struct elf_writer_symbol *planned = &plan->symbols[i];
		void *at = (char *)data.d_buf + gelf_fsize(elf, ELF_T_SYM, i, EV_CURRENT);
		Elf32_Sym small = {
		        .st_name = (Elf32_Word)add_string(names, planned->name),
		        .st_value = (Elf32_Addr)planned->value,
		        .st_size = (Elf32_Word)planned->size,
		        .st_info = (unsigned char)ELF32_ST_INFO(planned->binding, planned->type),
		        .st_shndx = (Elf32_Section)planned->section,
		};
		Elf64_Sym large = {
		        .st_name = small.st_name,
		        .st_value = planned->value,
		        .st_size = planned->size,
		        .st_info = small.st_info,
		        .st_shndx = small.st_shndx,
		};
		if (plan->class == ELFCLASS32)
			memcpy(at, &small, sizeof small);
		else
			memcpy(at, &large, sizeof large);
	}
	return data.d_buf;
}

static void write_header(Elf *elf, const struct elf_writer_plan *plan, size_t names_section)
{
	GElf_Ehdr header;
	assert_true(gelf_newehdr(elf, plan->class) != NULL && gelf_getehdr(elf, &header) != NULL);
	header.e_ident[EI_DATA] = (unsigned char)plan->order;
	header.e_machine = (Elf64_Half)plan->machine;
	header.e_type = (Elf64_Half)(plan->type == 0 ? ET_EXEC : plan->type);
	header.e_version = EV_CURRENT;
	header.e_shstrndx = (Elf64_Half)names_section;
	assert_true(gelf_update_ehdr(elf, &header));
}

void elf_writer_write(const char *path, const struct elf_writer_plan *plan)
{
	elf_version(EV_CURRENT);
	int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	Elf *elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
	assert_non_null(elf);
	size_t symbols_section = plan->section_count + 1;
	write_header(elf, plan, symbols_section + 2);

	struct strings names = {0};
	add_string(&names, "");
	struct strings section_names = {0};
	add_string(&section_names, "");
	void **buffers = calloc(plan->section_count + 1, sizeof *buffers);
	assert_non_null(buffers);
	add_planned_sections(elf, plan, &section_names, buffers);
	size_t symbols_size;
	void *symbols = make_symbols(elf, plan, &names, &symbols_size);
	GElf_Shdr table = {
	        .sh_name = (Elf64_Word)add_string(&section_names, ".symtab"),
	        .sh_type = SHT_SYMTAB,
	        .sh_link = (Elf64_Word)symbols_section + 1,
	        .sh_size = symbols_size,
	};
	add_section(elf, &table, symbols, ELF_T_SYM);
	GElf_Shdr strings = {
	        .sh_name = (Elf64_Word)add_string(&section_names, ".strtab"),
	        .sh_type = SHT_STRTAB,
	        .sh_size = names.size,
	};
	add_section(elf, &strings, names.bytes, ELF_T_BYTE);
	strings.sh_name = (Elf64_Word)add_string(&section_names, ".shstrtab");
	strings.sh_size = section_names.size;
	add_section(elf, &strings, section_names.bytes, ELF_T_BYTE);

	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(descriptor);
	for (size_t i = 0; i < plan->section_count; i++)
		free(buffers[i]);
	free(buffers);
	free(symbols);
	free(names.bytes);
	free(section_names.bytes);
}
