/* SPDX-License-Identifier: MIT */
/* Rows of frame information that no compiler writes: compared with libdw, and hostile. */
#include "../elf_writer.h"
#include "../line_writer.h"
#include "firmware/private.h"
#include "firmware/unwind/frame_table.h"
#include "firmware/unwind/save_restore.h"
#include "test.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXT      0x1000u
#define TEXT_SIZE 0x100u

static void put(struct line_writer *bytes, uint64_t value, unsigned size)
{
	line_writer_number(bytes, value, size);
}

static void put_leb128(struct line_writer *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put(bytes, value | 0x80, 1);
	put(bytes, value, 1);
}

static void put_signed(struct line_writer *bytes, int value)
{
	for (; value < -64 || value >= 64; value >>= 7)
		put(bytes, (unsigned)value | 0x80, 1);
	put(bytes, (unsigned)value & 0x7F, 1);
}

/* Appends an item with its length. */
static void put_item(struct line_writer *section, struct line_writer *item)
{
	put(section, item->size, 4);
	line_writer_bytes(section, item->bytes, item->size);
}

/* A CIE as gas writes it for Thumb: factors 2 and -4, LR, and the stack pointer as base. */
static void put_common(struct line_writer *section, const void *program, size_t size)
{
	struct line_writer item = {.bytes = NULL};

	put(&item, UINT32_MAX, 4);
	line_writer_bytes(&item, "\1\0\2\x7C\x0E", 5);
	line_writer_bytes(&item, "\x0C\x0D\0", 3);
	line_writer_bytes(&item, program, size);
	put_item(section, &item);
}

static void put_entry(struct line_writer *section, uint64_t low, uint64_t size, const struct line_writer *program)
{
	struct line_writer item = {.bytes = NULL};

	put(&item, 0, 4);
	put(&item, low, 4);
	put(&item, size, 4);
	line_writer_bytes(&item, program->bytes, program->size);
	put_item(section, &item);
}

static const struct elf_writer_symbol one_function[] = {{"f", TEXT | 1, TEXT_SIZE, STB_GLOBAL, STT_FUNC, 1}};

/* An image with these functions and this section, which becomes empty. */
static struct image *image_with(const char *name, uint64_t text, uint64_t text_size,
                                const struct elf_writer_symbol *functions, size_t count, struct line_writer *frames)
{
	const struct elf_writer_section sections[] = {
	        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, text_size, NULL},
	        {name, SHT_PROGBITS, strcmp(name, ".eh_frame") == 0 ? SHF_ALLOC : 0, 0x80000, frames->size,
	         frames->bytes},
	};
	const struct elf_writer_plan plan = {ELF_SECTIONS(sections), .symbols = functions, .symbol_count = count};
	struct image *image = elf_writer_image(&plan);

	*frames = (struct line_writer){.bytes = NULL};
	return image;
}

static struct frame_rows rows_of(const struct image *image)
{
	struct frame_rows rows;

	assert_true(frame_table_read(image, &rows));
	release_later(rows.rows, free);
	for (size_t i = 0; i < rows.count; i++) {
		const struct frame_row *row = &rows.rows[i];
		const struct image_function *function = image_function_at(image, row->low);

		assert_true(row->low < row->high && (i == 0 || rows.rows[i - 1].high <= row->low));
		assert_true(function != NULL && row->high <= function->end);
	}
	return rows;
}

/* The rows of .debug_frame, if all code is one function. */
static struct frame_rows rows_of_one(struct line_writer *frames)
{
	return rows_of(image_with(".debug_frame", TEXT, TEXT_SIZE, one_function, 1, frames));
}

/* --- Comparison with libdw, which runs the program for each address. */

static uint64_t draw(uint64_t limit)
{
	static uint64_t state = 19;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % limit;
}

/* An instruction and its operands: r is a register, + and - are numbers without and with a sign, b is a byte, 4 and 1
 * are themselves, 0 is an operation. */
static const struct {
	uint8_t code;
	bool has_register; /* within the code */
	const char *operands;
} instructions[] = {
        {DW_CFA_def_cfa, false, "r+"},
        {DW_CFA_def_cfa_register, false, "r"},
        {DW_CFA_def_cfa_offset, false, "+"},
        {DW_CFA_def_cfa_sf, false, "r-"},
        {DW_CFA_def_cfa_offset_sf, false, "-"},
        {DW_CFA_offset, true, "+"},
        {DW_CFA_offset_extended, false, "r+"},
        {DW_CFA_offset_extended_sf, false, "r-"},
        {DW_CFA_restore, true, ""},
        {DW_CFA_restore_extended, false, "r"},
        {DW_CFA_undefined, false, "r"},
        {DW_CFA_same_value, false, "r"},
        {DW_CFA_register, false, "r4"},
        {DW_CFA_val_offset, false, "r+"},
        {DW_CFA_expression, false, "r10"},
        {DW_CFA_remember_state, false, ""},
        {DW_CFA_advance_loc1, false, "b"},
};

/* Any instruction, with registers and numbers that matter, mostly; an advance is the most frequent. */
static void put_random(struct line_writer *program)
{
	static const uint8_t registers[] = {7, 13, 14, 0};
	uint64_t number = registers[draw(4)], which = draw(20);

	if (which >= sizeof instructions / sizeof *instructions) {
		put(program, DW_CFA_advance_loc | draw(5), 1);
		return;
	}
	put(program, instructions[which].code | (instructions[which].has_register ? number : 0), 1);
	for (const char *operand = instructions[which].operands; *operand != '\0'; operand++) {
		if (*operand == '-')
			put_signed(program, (int)draw(300) - 150);
		else if (*operand == '0')
			put(program, DW_OP_lit0, 1);
		else
			put_leb128(program, *operand == 'r'   ? number
			                    : *operand == '+' ? draw(300)
			                    : *operand == 'b' ? draw(9)
			                                      : (uint64_t)(*operand - '0'));
	}
}

/* Remembered states are restored as often as they were remembered. */
static struct line_writer random_program(void)
{
	struct line_writer program = {.bytes = NULL};
	size_t remembered = 0;

	for (uint64_t left = draw(40); left > 0; left--) {
		if (remembered > 0 && draw(4) == 0) {
			put(&program, DW_CFA_restore_state, 1);
			remembered--;
			continue;
		}
		size_t before = program.size;
		put_random(&program);
		remembered += program.bytes[before] == DW_CFA_remember_state;
	}
	return program;
}

static void rule_from(Dwarf_Frame *frame, int number, uint8_t *rule, int32_t *offset)
{
	Dwarf_Op memory[3];
	Dwarf_Op *ops;
	size_t count;

	*offset = 0;
	*rule = FRAME_UNKNOWN;
	assert_int_equal(dwarf_frame_register(frame, number, memory, &ops, &count), 0);
	if (count == 0)
		*rule = ops == NULL ? FRAME_SAME : FRAME_NONE;
	else if (ops[0].atom == DW_OP_call_frame_cfa &&
	         (count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst))) {
		*rule = FRAME_SAVED;
		*offset = count == 1 ? 0 : (int32_t)ops[1].number;
	}
}

/* The rules at an address, by libdw. */
static struct frame_row row_by_libdw(Dwarf_CFI *frames, uint64_t address)
{
	struct frame_row row = {.base = FRAME_FROM_UNKNOWN};
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t count;

	assert_int_equal(dwarf_cfi_addrframe(frames, address, &frame), 0);
	if (dwarf_frame_cfa(frame, &ops, &count) == 0 && count == 1 && ops[0].atom == DW_OP_bregx &&
	    (ops[0].number == 7 || ops[0].number == 13)) {
		row.base = ops[0].number == 13 ? FRAME_FROM_SP : FRAME_FROM_FP;
		row.offset = (int32_t)ops[0].number2;
	}
	rule_from(frame, 14, &row.ra, &row.ra_offset);
	rule_from(frame, 7, &row.fp, &row.fp_offset);
	free(frame);
	return row;
}

static void compare(const struct frame_row *row, const struct frame_row *expected, uint64_t address)
{
	bool is_equal = row != NULL && row->base == expected->base &&
	                (row->base == FRAME_FROM_UNKNOWN || row->offset == expected->offset) &&
	                row->ra == expected->ra && row->fp == expected->fp && row->ra_offset == expected->ra_offset &&
	                row->fp_offset == expected->fp_offset;

	if (!is_equal)
		fail_msg("%llx: base %u offset %d ra %u %d fp %u %d, libdw: base %u offset %d ra %u %d fp %u %d",
		         (unsigned long long)address, row == NULL ? 99u : row->base, row == NULL ? 0 : row->offset,
		         row == NULL ? 99u : row->ra, row == NULL ? 0 : row->ra_offset, row == NULL ? 99u : row->fp,
		         row == NULL ? 0 : row->fp_offset, expected->base, expected->offset, expected->ra,
		         expected->ra_offset, expected->fp, expected->fp_offset);
}

TEST(random_programs_give_the_rows_of_libdw)
{
	for (size_t i = 0; i < 500; i++) {
		struct line_writer frames = {.bytes = NULL}, program = random_program();

		/* R7 is saved at first, so that restoring it differs from forgetting it. */
		put_common(&frames, "\x87\2", 2);
		put_entry(&frames, TEXT, TEXT_SIZE, &program);
		struct image *image = image_with(".debug_frame", TEXT, TEXT_SIZE, one_function, 1, &frames);
		struct frame_rows rows = rows_of(image);
		Dwarf *dwarf = dwarf_begin_elf(image->private->elf, DWARF_C_READ, NULL);
		Dwarf_CFI *by_libdw = dwarf_getcfi(dwarf);

		assert_non_null(by_libdw);
		for (uint64_t address = TEXT; address < TEXT + TEXT_SIZE; address += 2) {
			struct frame_row expected = row_by_libdw(by_libdw, address);

			compare(frame_row_at(&rows, address), &expected, address);
		}
		dwarf_end(dwarf);
	}
}

/* --- Entries and functions. */

/* A program of one instruction: the caller's stack pointer is SP plus this. */
static void put_frame(struct line_writer *frames, uint64_t low, uint64_t size, uint8_t offset)
{
	struct line_writer program = {.bytes = NULL};

	put(&program, DW_CFA_def_cfa_offset, 1);
	put(&program, offset, 1);
	put_entry(frames, low, size, &program);
}

#define FUNCTION(name, start, size)                              \
	{                                                        \
		name, (start) | 1, size, STB_GLOBAL, STT_FUNC, 1 \
	}

struct expected_row {
	uint64_t low, high;
	int32_t offset;
};

static void expect_rows(const struct frame_rows *rows, const struct expected_row *expected, size_t count)
{
	for (size_t i = 0; i < count && i < rows->count; i++) {
		assert_int_equal(rows->rows[i].low, expected[i].low);
		assert_int_equal(rows->rows[i].high, expected[i].high);
		assert_int_equal(rows->rows[i].offset, expected[i].offset);
	}
	assert_int_equal(rows->count, count);
}

TEST(rows_end_with_their_function)
{
	static const struct elf_writer_symbol functions[] = {FUNCTION("f", 0x1000, 0x20), FUNCTION("g", 0x1020, 0x10),
	                                                     FUNCTION("h", 0x1040, 0x10)};
	static const struct expected_row expected[] = {{0x1000, 0x1020, 8}, {0x1020, 0x1030, 8}, {0x1040, 0x1048, 8}};
	struct line_writer frames = {.bytes = NULL};

	put_common(&frames, "", 0);
	put_frame(&frames, 0x1000, 0x48, 8);
	struct frame_rows rows = rows_of(image_with(".debug_frame", TEXT, TEXT_SIZE, functions, 3, &frames));
	expect_rows(&rows, expected, 3);
	assert_null(frame_row_at(&rows, 0xFFF));
	assert_ptr_equal(frame_row_at(&rows, 0x102F), &rows.rows[1]);
	assert_null(frame_row_at(&rows, 0x1030));
}

TEST(last_of_overlapping_entries_counts)
{
	static const struct expected_row expected[] = {{0x1000, 0x1010, 4}, {0x1010, 0x1040, 12}, {0x1040, 0x1050, 20}};
	struct line_writer frames = {.bytes = NULL};

	put_common(&frames, "", 0);
	put_frame(&frames, 0x1000, 0x100, 4);
	put_frame(&frames, 0x1040, 0x10, 20);
	put_frame(&frames, 0x1010, 0x40, 12);
	put_frame(&frames, 0x1010, 0x10, 16);
	struct frame_rows rows = rows_of_one(&frames);
	expect_rows(&rows, expected, 3);
}

/* Linkers keep the entries of discarded functions, with address 0, where there may be code. */
TEST(entries_of_discarded_code_are_ignored)
{
	static const struct elf_writer_symbol functions[] = {FUNCTION("f", 0, 0x20), FUNCTION("g", 0x20, 0x20)};
	static const struct expected_row expected[] = {{0, 0x20, 8}, {0x20, 0x40, 12}};
	struct line_writer frames = {.bytes = NULL};

	put_common(&frames, "", 0);
	put_frame(&frames, 0, 0x30, 100);
	put_frame(&frames, 0, 0x10, 104);
	put_frame(&frames, 0, 0x20, 8);
	put_frame(&frames, 0x20, 0x20, 12);
	struct frame_rows rows = rows_of(image_with(".debug_frame", 0, 0x40, functions, 2, &frames));
	expect_rows(&rows, expected, 2);
	/* Without an entry of its own, the code at 0 has no rows. */
	put_common(&frames, "", 0);
	put_frame(&frames, 0, 0x30, 100);
	put_frame(&frames, 0x20, 0x20, 12);
	rows = rows_of(image_with(".debug_frame", 0, 0x40, functions, 2, &frames));
	expect_rows(&rows, &expected[1], 1);
}

/* Addresses relative to their own position, and augmentation data of both entries. */
TEST(eh_frame_is_read)
{
	static const struct expected_row expected[] = {{0x1000, 0x1100, 24}};
	struct line_writer frames = {.bytes = NULL}, common = {.bytes = NULL}, entry = {.bytes = NULL};

	put(&common, 0, 4);
	line_writer_bytes(&common, "\1zRS\0\2\x7C\x0E\1\x1B\x0C\x0D\0", 13);
	put_item(&frames, &common);
	uint64_t position = 0x80000 + frames.size + 8;
	put(&entry, frames.size + 4, 4);
	put(&entry, TEXT - position, 4);
	put(&entry, TEXT_SIZE, 4);
	line_writer_bytes(&entry, "\2xx\x0E\x18", 5);
	put_item(&frames, &entry);
	put(&frames, 0, 4);
	/* After the end. */
	line_writer_bytes(&frames, "\x10\0\0\0\0\0\0\0", 8);
	struct frame_rows rows = rows_of(image_with(".eh_frame", TEXT, TEXT_SIZE, one_function, 1, &frames));
	expect_rows(&rows, expected, 1);
}

/* --- Hostile sections. */

static struct frame_rows read_hostile(const void *program, size_t size)
{
	struct line_writer frames = {.bytes = NULL}, bytes = {.bytes = NULL};

	line_writer_bytes(&bytes, program, size);
	put_common(&frames, "", 0);
	put_entry(&frames, TEXT, TEXT_SIZE, &bytes);
	return rows_of_one(&frames);
}

TEST(rows_end_at_a_damaged_instruction)
{
	static const struct {
		const char *title, *program;
		size_t size;
	} cases[] = {
	        {"unknown", "\x41\x3F\0", 3},
	        {"location that falls", "\x41\1\0\x10\0\0\x0E\4", 8},
	        {"nothing to restore", "\x41\x0B", 2},
	        {"truncated operand", "\x41\x0C\x0D", 3},
	        {"truncated short operand", "\x41\x8E\x80", 3},
	        {"block beyond the end", "\x41\x0F\x7F", 3},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct frame_rows rows = read_hostile(cases[i].program, cases[i].size);
		bool is_cut = rows.count == 1 && rows.rows[0].low == TEXT && rows.rows[0].high == TEXT + 2;

		if (!is_cut)
			fail_msg("%s: %zu rows, the first one to %" PRIx64, cases[i].title, rows.count,
			         rows.count == 0 ? 0 : rows.rows[0].high);
	}
}

TEST(huge_numbers_need_no_memory)
{
	/* A register number for which libdw allocates 1 GB, an advance beyond the address space, an offset of
	 * 2^40. */
	static const char program[] = "\x05\xF0\xFF\xFF\x3F\1\x0E\x80\x80\x80\x80\x80\x20\x41\x04\xFF\xFF\xFF\xFF";
	struct frame_rows rows = read_hostile(program, sizeof program - 1);

	assert_int_equal(rows.count, 1);
	assert_int_equal(rows.rows[0].base, FRAME_FROM_UNKNOWN);
	assert_int_equal(rows.rows[0].high, TEXT + TEXT_SIZE);
}

TEST(remembered_states_are_limited)
{
	uint8_t program[200];

	memset(program, DW_CFA_remember_state, sizeof program);
	program[0] = DW_CFA_advance_loc | 1;
	struct frame_rows rows = read_hostile(program, sizeof program);
	assert_int_equal(rows.count, 1);
	assert_int_equal(rows.rows[0].high, TEXT + 2);
}

/* Entries that all extend over all functions, and one whose program has a row for each instruction. */
TEST(time_grows_with_the_file_alone)
{
	enum { FUNCTIONS = 20000, SIZE = 4 * FUNCTIONS };
	struct elf_writer_symbol *functions = calloc(FUNCTIONS, sizeof *functions);
	struct line_writer frames = {.bytes = NULL}, program = {.bytes = NULL};

	assert_non_null(functions);
	for (size_t i = 0; i < FUNCTIONS; i++)
		functions[i] = (struct elf_writer_symbol){"f", TEXT + 4 * i, 4, STB_GLOBAL, STT_FUNC, 1};
	for (size_t i = 0; i < SIZE / 2; i++) {
		put(&program, DW_CFA_advance_loc | 1, 1);
		put(&program, DW_CFA_def_cfa_offset, 1);
		put(&program, i % 100, 1);
	}
	put_common(&frames, "", 0);
	put_entry(&frames, TEXT, SIZE, &program);
	for (size_t i = 1; i < FUNCTIONS; i++)
		put_frame(&frames, TEXT + 2 * (i % 3), SIZE, 8);
	struct image *image = image_with(".debug_frame", TEXT, SIZE, functions, FUNCTIONS, &frames);
	free(functions);
	clock_t start = clock();
	struct frame_rows rows = rows_of(image);
	assert_time(start, 10);
	assert_true(rows.count >= FUNCTIONS - 1);
}

/* Damaged CIEs: their entries are ignored. */
TEST(unknown_cies_are_ignored)
{
	static const struct {
		const char *title, *bytes;
		size_t size;
	} cases[] = {
	        {"version 2", "\2\0\2\x7C\x0E\x0C\x0D\0", 8},
	        {"another augmentation", "\1eh\0\2\x7C\x0E\x0C\x0D\0", 10},
	        {"version 4 with segments", "\4\0\4\1\2\x7C\x0E\x0C\x0D\0", 10},
	        {"version 4 of 64 bits", "\4\0\x08\0\2\x7C\x0E\x0C\x0D\0", 10},
	        {"no end of the augmentation", "\1zzzzzzz", 8},
	        {"augmentation data beyond the end", "\1zR\0\2\x7C\x0E\x7F\0", 9},
	        {"an advance", "\1\0\2\x7C\x0E\x0C\x0D\0\x41", 9},
	        {"a restore", "\1\0\2\x7C\x0E\x0C\x0D\0\xC7", 9},
	        {"indirect addresses", "\1zR\0\2\x7C\x0E\1\x80\x0C\x0D\0", 12},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct line_writer frames = {.bytes = NULL}, item = {.bytes = NULL};

		put(&item, UINT32_MAX, 4);
		line_writer_bytes(&item, cases[i].bytes, cases[i].size);
		put_item(&frames, &item);
		put_frame(&frames, TEXT, TEXT_SIZE, 8);
		struct frame_rows rows = rows_of_one(&frames);
		if (rows.count != 0)
			fail_msg("%s: %zu rows", cases[i].title, rows.count);
	}
}

/* --- Functions of -msave-restore. */

/* The number of rows of __riscv_restore_1, which ends with these 16 bits, and of __riscv_restore_0, which follows. */
static size_t count_restore_rows(uint16_t last)
{
	const uint16_t code[] = {0x4482 /* lw s1, 0(sp) */, last, 0x40B2 /* lw ra, 12(sp) */,
	                         0x0141 /* addi sp, sp, 16 */, 0x8082 /* ret */};
	const struct elf_writer_section text[] = {
	        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, sizeof code, code},
	};
	static const struct elf_writer_symbol functions[] = {
	        {"__riscv_restore_1", TEXT, 4, STB_GLOBAL, STT_FUNC, 1},
	        {"__riscv_restore_0", TEXT + 4, 6, STB_GLOBAL, STT_FUNC, 1},
	};
	const struct elf_writer_plan plan = {.machine = EM_RISCV, ELF_SECTIONS(text), ELF_SYMBOLS(functions)};
	struct image *image = elf_writer_image(&plan);
	struct frame_rows rows = {.rows = NULL};

	assert_true(save_restore_add(image, &rows));
	release_later(rows.rows, free);
	return rows.count;
}

TEST(instructions_across_functions_give_no_rows)
{
	assert_int_equal(count_restore_rows(0x0001 /* nop */), 5);
	assert_int_equal(count_restore_rows(0x0313 /* the first half of an addi */), 0);
}
