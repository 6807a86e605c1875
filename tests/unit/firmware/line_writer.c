/* SPDX-License-Identifier: MIT */
/* See line_writer.h. */
#include "line_writer.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

void line_writer_bytes(struct line_writer *writer, const void *bytes, size_t size)
{
	if (writer->size + size >= writer->capacity) {
		writer->capacity = 2 * (writer->size + size + 1);
		uint8_t *larger = release_later(calloc(writer->capacity, 1), free);

		assert_non_null(larger);
		if (writer->size != 0)
			memcpy(larger, writer->bytes, writer->size);
		writer->bytes = larger;
	}
	if (size != 0)
		memcpy(writer->bytes + writer->size, bytes, size);
	writer->size += size;
}

void line_writer_number(struct line_writer *writer, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * i);

		line_writer_bytes(writer, &byte, 1);
	}
}

void line_writer_sequence(struct line_writer *writer, uint32_t address, unsigned size, unsigned line)
{
	const uint8_t set_address[] = {0, 5, 2};
	const uint8_t row[] = {3, (uint8_t)(line - 1), 1};
	const uint8_t end[] = {2, (uint8_t)size, 0, 1, 1};

	line_writer_bytes(writer, set_address, sizeof set_address);
	line_writer_number(writer, address, 4);
	line_writer_bytes(writer, row, sizeof row);
	line_writer_bytes(writer, end, sizeof end);
}

void line_writer_table(struct line_writer *writer, struct line_writer *files, struct line_writer *program)
{
	/* Step 1, one operation, statements, lines from 0 on in a range of 1, ten opcodes. */
	const uint8_t parameters[] = {1, 1, 1, 0, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1};
	size_t head_size = sizeof parameters + files->size;

	line_writer_number(writer, 2 + 4 + head_size + program->size, 4);
	line_writer_number(writer, 4, 2);
	line_writer_number(writer, head_size, 4);
	line_writer_bytes(writer, parameters, sizeof parameters);
	line_writer_bytes(writer, files->bytes, files->size);
	line_writer_bytes(writer, program->bytes, program->size);
}

void line_writer_unit(struct line_writer *info, size_t offset)
{
	line_writer_number(info, 7 + 5, 4);
	line_writer_number(info, 4, 2);
	line_writer_number(info, 0, 4);
	line_writer_bytes(info, "\4\1", 2);
	line_writer_number(info, offset, 4);
}

static struct image *make_image(const char *section, const struct elf_writer_symbol *functions, size_t count,
                                struct line_writer *lines, uint64_t flags, struct line_writer *info)
{
	/* Entry 1: a compile unit without children, DW_AT_stmt_list as DW_FORM_sec_offset. */
	static const uint8_t abbreviations[] = "\1\x11\0\x10\x17\0\0";
	struct line_writer unit = {.bytes = NULL};

	line_writer_unit(&unit, 0);
	info = info == NULL ? &unit : info;
	const struct elf_writer_section sections[] = {
	        {section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 0x100, NULL},
	        {".debug_line", SHT_PROGBITS, flags, 0, lines->size, lines->bytes},
	        {".debug_info", SHT_PROGBITS, 0, 0, info->size, info->bytes},
	        {".debug_abbrev", SHT_PROGBITS, 0, 0, sizeof abbreviations, abbreviations},
	};
	const struct elf_writer_plan plan = {ELF_SECTIONS(sections), .symbols = functions, .symbol_count = count};
	return elf_writer_image(&plan);
}

struct image *line_writer_image(const char *name, struct line_writer *lines, uint64_t flags, struct line_writer *info)
{
	const struct elf_writer_symbol function = {name, 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1};

	return make_image(name, &function, 1, lines, flags, info);
}

struct image *line_writer_image_of(const struct elf_writer_symbol *functions, size_t count, struct line_writer *lines)
{
	return make_image(".text", functions, count, lines, 0, NULL);
}
