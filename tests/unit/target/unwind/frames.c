/* SPDX-License-Identifier: MIT */
/* See frames.h. DWARF 5, 6.4; the numbers of registers are those of the RISC-V psABI. */
#include "frames.h"

#include "../../firmware/elf_writer.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

enum { RA = 1, SP = 2, FP = 8 };
enum { ADVANCE = 0x40, OFFSET = 0x80, ADVANCE_2 = 0x03, UNDEFINED = 0x07, SAME = 0x08, DEF_CFA = 0x0c };

#define CALL 0x000500e7u /* jalr ra, 0(a0) */
#define NOP  0x00000013u

#define BYTES_MAX     0x10000u
#define FUNCTIONS_MAX 1024u

struct bytes {
	uint8_t bytes[BYTES_MAX];
	size_t size;
};

static void put(struct bytes *to, const void *bytes, size_t size)
{
	assert_true(to->size + size <= BYTES_MAX);
	memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

static void put_u32(struct bytes *to, uint32_t value)
{
	put(to, &value, sizeof value);
}

static void put_u64(struct bytes *to, uint64_t value)
{
	put(to, &value, sizeof value);
}

static void put_op(struct bytes *to, unsigned op)
{
	put(to, &(uint8_t){(uint8_t)op}, 1);
}

/* ULEB128 of two bytes. */
static void put_number(struct bytes *to, unsigned value)
{
	assert_true(value < 1u << 14);
	put_op(to, 0x80 | (value & 0x7f));
	put_op(to, value >> 7);
}

/* Version 3; factors 1 for code and -8 for data. */
static void put_common(struct bytes *to)
{
	put_u32(to, 12);
	put_u32(to, UINT32_MAX);
	put(to, (const uint8_t[]){3, 0, 1, 0x78, RA, 0, 0, 0}, 8);
}

static void put_saved(struct bytes *to, unsigned number, unsigned words_below)
{
	put_op(to, words_below == 0 ? SAME : OFFSET | number);
	put_number(to, words_below == 0 ? number : words_below);
}

static void put_row(struct bytes *to, const struct frames_row *row)
{
	put_op(to, DEF_CFA);
	put_number(to, row->from_fp ? FP : SP);
	put_number(to, 8 * row->up);
	if (row->is_outermost) {
		put_op(to, UNDEFINED);
		put_number(to, RA);
	} else {
		put_saved(to, RA, row->ra);
	}
	put_saved(to, FP, row->fp);
	put_op(to, ADVANCE_2);
	put(to, &(uint16_t){(uint16_t)row->bytes}, 2);
}

/* Returns the bytes of code with rows. */
static uint64_t put_entry(struct bytes *to, const struct frames_function *function, uint64_t start)
{
	const size_t begin = to->size;
	uint64_t bytes = 0;
	uint32_t length;

	for (size_t i = 0; i < function->row_count; i++)
		bytes += function->rows[i].bytes;
	put_u32(to, 0);
	put_u32(to, 0);
	put_u64(to, start);
	put_u64(to, bytes);
	for (size_t i = 0; i < function->row_count; i++)
		put_row(to, &function->rows[i]);
	while (to->size % 4 != 0)
		put_op(to, 0);
	length = (uint32_t)(to->size - begin - 4);
	memcpy(to->bytes + begin, &length, sizeof length);
	return bytes;
}

static void put_code(struct bytes *to, const struct frames_function *function)
{
	for (size_t i = 0; i < function->row_count; i++)
		for (unsigned at = 0; at < function->rows[i].bytes; at += 4)
			put_u32(to, function->rows[i].ra != 0 ? CALL : NOP);
	for (unsigned at = 0; at < function->bytes; at += 4)
		put_u32(to, NOP);
}

struct image *frames_image(const struct frames_function *functions, size_t count)
{
	static struct bytes code, frames, pointers;
	static struct elf_writer_symbol symbols[FUNCTIONS_MAX];
	static char names[FUNCTIONS_MAX][8];

	assert_true(count <= FUNCTIONS_MAX);
	code.size = frames.size = pointers.size = 0;
	put_common(&frames);
	for (size_t i = 0; i < count; i++) {
		const size_t begin = code.size;

		put_u64(&pointers, functions[i].is_pointed_to ? FRAMES_CODE + begin : 0);
		if (functions[i].row_count > 0)
			put_entry(&frames, &functions[i], FRAMES_CODE + begin);
		put_code(&code, &functions[i]);
		snprintf(names[i], sizeof names[i], "f%zu", i);
		symbols[i] = (struct elf_writer_symbol){
		        names[i], FRAMES_CODE + begin, code.size - begin, STB_GLOBAL, STT_FUNC, 1};
		for (unsigned j = 0; functions[i].apart != 0 && j < 2; j++)
			put_u32(&code, functions[i].apart);
	}
	const struct elf_writer_section sections[] = {
	        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, FRAMES_CODE, code.size, code.bytes},
	        {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, FRAMES_CODE + 2 * BYTES_MAX, pointers.size,
	         pointers.bytes},
	        {".debug_frame", SHT_PROGBITS, 0, 0, frames.size, frames.bytes},
	};
	const struct elf_writer_plan plan = {
	        .class = ELFCLASS64,
	        .machine = EM_RISCV,
	        ELF_SECTIONS(sections),
	        .symbols = symbols,
	        .symbol_count = count,
	};

	return elf_writer_image(&plan);
}
