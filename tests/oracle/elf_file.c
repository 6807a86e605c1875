/* SPDX-License-Identifier: MIT */
/* See elf_file.h. Layouts follow the System V ABI, chapter 4. */
#include "elf_file.h"

#include <string.h>

const struct machine_facts machines[MACHINE_COUNT] = {
        [MACHINE_ARM] = {"arm", "arm-none-eabi-gprof", EM_ARM, 4, false, true},
        [MACHINE_ARM_BIG_ENDIAN] = {"arm-big-endian", "arm-none-eabi-gprof", EM_ARM, 4, true, true},
        [MACHINE_RISCV32] = {"riscv32", "riscv64-unknown-elf-gprof", EM_RISCV, 4, false, false},
        [MACHINE_RISCV64] = {"riscv64", "riscv64-unknown-elf-gprof", EM_RISCV, 8, false, false},
        [MACHINE_X86_64] = {"x86-64", "gprof", EM_X86_64, 8, false, false},
};

/* Sections of the file: the null section, the caller's, then these. */
enum { SYMBOLS, STRINGS, SECTION_NAMES, TABLE_COUNT };

struct table {
	size_t offset, size, name;
};

static void put_header(struct bytes *bytes, const struct machine_facts *facts, size_t section_count)
{
	const unsigned char identity[EI_NIDENT] = {
	        ELFMAG0,
	        ELFMAG1,
	        ELFMAG2,
	        ELFMAG3,
	        facts->address_size == 8 ? ELFCLASS64 : ELFCLASS32,
	        facts->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB,
	        EV_CURRENT,
	};

	bytes_put_data(bytes, identity, sizeof identity);
	bytes_put(bytes, ET_EXEC, 2);
	bytes_put(bytes, facts->elf_machine, 2);
	bytes_put(bytes, EV_CURRENT, 4);
	bytes_put_address(bytes, 0); /* entry */
	bytes_put_address(bytes, 0); /* program headers */
	bytes_put_address(bytes, 0); /* section headers: set at the end */
	bytes_put(bytes, facts->is_thumb ? EF_ARM_EABI_VER5 : 0, 4);
	bytes_put(bytes, facts->address_size == 8 ? 64 : 52, 2); /* the size of this header */
	bytes_put(bytes, 0, 2);
	bytes_put(bytes, 0, 2);
	bytes_put(bytes, facts->address_size == 8 ? 64 : 40, 2); /* the size of a section header */
	bytes_put(bytes, 1 + section_count + TABLE_COUNT, 2);
	bytes_put(bytes, 1 + section_count + SECTION_NAMES, 2);
}

static size_t put_string(struct bytes *strings, const char *string)
{
	size_t offset = strings->size;

	bytes_put_data(strings, string, strlen(string) + 1);
	return offset;
}

static uint64_t section_index(uint16_t section)
{
	if (section == ELF_UNDEFINED)
		return SHN_UNDEF;
	return section == ELF_ABSOLUTE ? SHN_ABS : section + 1u;
}

static void put_symbol(struct bytes *bytes, struct bytes *strings, const struct machine_facts *facts,
                       const struct elf_symbol *symbol)
{
	bool is_odd = facts->is_thumb && symbol->type == STT_FUNC;
	uint64_t value = symbol->address | (is_odd ? 1 : 0);
	uint64_t info = ELF32_ST_INFO((unsigned)symbol->binding, (unsigned)symbol->type);

	bytes_put(bytes, symbol->name[0] == '\0' ? 0 : put_string(strings, symbol->name), 4);
	if (facts->address_size == 4) {
		bytes_put_address(bytes, value);
		bytes_put_address(bytes, symbol->size);
	}
	bytes_put(bytes, info, 1);
	bytes_put(bytes, STV_DEFAULT, 1);
	bytes_put(bytes, section_index(symbol->section), 2);
	if (facts->address_size == 8) {
		bytes_put_address(bytes, value);
		bytes_put_address(bytes, symbol->size);
	}
}

static size_t put_symbols(struct bytes *bytes, struct bytes *strings, const struct machine_facts *facts,
                          const struct elf_symbol *symbols, size_t count)
{
	size_t local_count = 1;

	bytes_put_data(bytes, NULL, facts->address_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	for (size_t i = 0; i < count; i++) {
		if (symbols[i].binding != STB_LOCAL)
			continue;
		put_symbol(bytes, strings, facts, &symbols[i]);
		local_count++;
	}
	for (size_t i = 0; i < count; i++)
		if (symbols[i].binding != STB_LOCAL)
			put_symbol(bytes, strings, facts, &symbols[i]);
	return local_count;
}

struct section_header {
	uint64_t name, type, flags, address, offset, size, link, info, alignment, entry_size;
};

static void put_section_header(struct bytes *bytes, const struct section_header *header)
{
	bytes_put(bytes, header->name, 4);
	bytes_put(bytes, header->type, 4);
	bytes_put_address(bytes, header->flags);
	bytes_put_address(bytes, header->address);
	bytes_put_address(bytes, header->offset);
	bytes_put_address(bytes, header->size);
	bytes_put(bytes, header->link, 4);
	bytes_put(bytes, header->info, 4);
	bytes_put_address(bytes, header->alignment);
	bytes_put_address(bytes, header->entry_size);
}

static struct bytes empty_like(const struct bytes *bytes)
{
	return (struct bytes){.is_big_endian = bytes->is_big_endian, .address_size = bytes->address_size};
}

/* Sections follow the header, one after the other. */
static void put_section_headers(struct bytes *bytes, const struct elf_section *sections, size_t count,
                                struct bytes *names, size_t offset)
{
	put_section_header(bytes, &(struct section_header){0});
	for (size_t i = 0; i < count; i++) {
		put_section_header(bytes,
		                   &(struct section_header){
		                           .name = put_string(names, sections[i].name),
		                           .type = SHT_PROGBITS,
		                           .flags = SHF_ALLOC | (sections[i].is_code ? SHF_EXECINSTR : SHF_WRITE),
		                           .address = sections[i].address,
		                           .offset = offset,
		                           .size = sections[i].size,
		                           .alignment = 2,
		                   });
		offset += sections[i].size;
	}
}

static void put_table(struct bytes *bytes, const struct bytes *content, struct section_header *header)
{
	bytes_align(bytes, 8);
	header->offset = bytes->size;
	header->size = content->size;
	bytes_put_data(bytes, content->data, content->size);
}

static void describe_tables(struct section_header *tables, const struct machine_facts *facts, struct bytes *names,
                            size_t section_count, size_t local_count)
{
	tables[SYMBOLS] = (struct section_header){
	        .name = put_string(names, ".symtab"),
	        .type = SHT_SYMTAB,
	        .link = 1 + section_count + STRINGS,
	        .info = local_count,
	        .alignment = facts->address_size,
	        .entry_size = facts->address_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym),
	};
	tables[STRINGS] = (struct section_header){.name = put_string(names, ".strtab"), .type = SHT_STRTAB};
	tables[SECTION_NAMES] = (struct section_header){.name = put_string(names, ".shstrtab"), .type = SHT_STRTAB};
}

void elf_file_put(struct bytes *bytes, enum machine machine, const struct elf_section *sections, size_t section_count,
                  const struct elf_symbol *symbols, size_t symbol_count)
{
	const struct machine_facts *facts = &machines[machine];
	struct section_header tables[TABLE_COUNT];
	struct bytes contents[TABLE_COUNT], headers;

	bytes->is_big_endian = facts->is_big_endian;
	bytes->address_size = facts->address_size;
	headers = contents[SYMBOLS] = contents[STRINGS] = contents[SECTION_NAMES] = empty_like(bytes);
	bytes_put(&contents[STRINGS], 0, 1);
	bytes_put(&contents[SECTION_NAMES], 0, 1);
	size_t local_count = put_symbols(&contents[SYMBOLS], &contents[STRINGS], facts, symbols, symbol_count);

	put_header(bytes, facts, section_count);
	put_section_headers(&headers, sections, section_count, &contents[SECTION_NAMES], bytes->size);
	for (size_t i = 0; i < section_count; i++)
		bytes_put_data(bytes, sections[i].code, sections[i].size);
	describe_tables(tables, facts, &contents[SECTION_NAMES], section_count, local_count);
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		put_table(bytes, &contents[i], &tables[i]);
		put_section_header(&headers, &tables[i]);
		bytes_free(&contents[i]);
	}
	bytes_align(bytes, 8);
	bytes_set(bytes, EI_NIDENT + 8 + 2 * facts->address_size, bytes->size, facts->address_size);
	bytes_put_data(bytes, headers.data, headers.size);
	bytes_free(&headers);
}
