/* SPDX-License-Identifier: MIT */
/* The starts of instructions and basic blocks, and functions that count their calls. */
#include "code.h"
#include "firmware/calls/code_map.h"
#include "test.h"

#include <string.h>

#define CODE_END     (CODE_BASE + CODE_SIZE)
#define PICTURE_MAX  32
#define SYMBOLS_MAX  4
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct code unknown = {.machine = EM_XTENSA, .class = ELFCLASS32};

static void free_map(void *map)
{
	code_map_free(map);
}

static struct code_map *map_of(const struct image *image)
{
	struct code_map *map = code_map_create(image);

	assert_non_null(map);
	return release_later(map, free_map);
}

/* Draws code from address on, one letter per half-word: I for an instruction that begins a block, i for another
 * instruction, B for a block or data without an instruction, - otherwise. */
static void draw(const struct code_map *map, uint64_t address, char *picture, size_t length)
{
	for (size_t i = 0; i < length; i++, address += 2) {
		bool begins = code_map_begins_block(map, address);
		bool is_instruction = code_map_instructions(map, address, address + 2) > 0;

		picture[i] = is_instruction ? (begins ? 'I' : 'i') : (begins ? 'B' : '-');
	}
	picture[length] = '\0';
}

static void expect_picture(const struct code *code, const char *title, uint64_t address, const char *expected)
{
	char picture[PICTURE_MAX + 1];
	const struct code_map *map = map_of(code_image(code));

	assert_in_range(strlen(expected), 1, PICTURE_MAX);
	draw(map, address, picture, strlen(expected));
	if (strcmp(picture, expected) != 0)
		fail_msg("%s: found '%s', expected '%s'", title, picture, expected);
}

struct example {
	const char *source, *code, *picture;
};

static void expect_all(const struct code *isa, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct code code = *isa;

		code_put(&code, F, examples[i].code);
		expect_picture(&code, examples[i].source, F, examples[i].picture);
	}
}

TEST(thumb_blocks_begin_at_targets_and_after_branches)
{
	static const struct example examples[] = {
	        {"nop; nop; nop", "bf00 bf00 bf00", "Iii"},
	        {"nop; bx lr; nop", "bf00 4770 bf00", "IiI"},
	        {"beq.n 1f; nop; nop; 1: nop; nop", "d001 bf00 bf00 bf00 bf00", "IIiIi"},
	        {"nop; 1: nop; nop; b.n 1b", "bf00 bf00 bf00 e7fc", "IIii"},
	        {"cbz r0, 1f; nop; 1: nop", "b100 bf00 bf00", "III"},
	        {"nop; bl g; nop", "bf00 f000 f81d bf00", "Ii-i"},
	        {"nop; blx r3; nop", "bf00 4798 bf00", "Iii"},
	        {"nop; movw r0, #0; nop", "bf00 f240 0000 bf00", "Ii-i"},
	        {"pop {pc}; nop", "bd00 bf00", "II"},
	};

	expect_all(&thumb, examples, COUNT(examples));
}

TEST(riscv_blocks_begin_at_targets_and_after_branches)
{
	static const struct example examples[] = {
	        {"nop; nop; nop", "0001 0001 0001", "Iii"},
	        {"c.beqz a0, 1f; nop; nop; 1: nop; nop", "c119 0001 0001 0001 0001", "IIiIi"},
	        {"beq a0, a1, 1f; nop; 1: nop", "0363 00b5 0001 0001", "I-II"},
	        {"nop; 1: nop; nop; c.j 1b", "0001 0001 0001 bff5", "IIii"},
	        {"nop; ret; nop", "0001 8082 0001", "IiI"},
	        {"nop; jal ra, g; nop", "0001 00ef 03e0 0001", "Ii-i"},
	        {"nop; c.jalr a5; nop", "0001 9782 0001", "Iii"},
	};

	expect_all(&rv32, examples, COUNT(examples));
	expect_all(&rv64, examples, COUNT(examples));
}

TEST(hostile_branches_only_split_blocks)
{
	static const struct example examples[] = {
	        {"b.n .", "e7fe bf00", "II"},
	        {"b.w .+2, into itself", "f7ff bfff bf00", "IBI"},
	        {"b.w to after the code", "f200 b800 bf00", "I-I"},
	        {"beq.n to before the code", "d080 bf00", "II"},
	        {"nop; beq.n into the bl; bl g; nop", "bf00 d000 f000 f81c bf00", "IiIBi"},
	};

	expect_all(&thumb, examples, COUNT(examples));
}

TEST(each_function_begins_and_ends_a_block)
{
	struct code code = thumb;

	code.f_size = 0x10;
	expect_picture(&code, "code that no symbol names", F + 0xE, "iIi");
	expect_picture(&code, "g", G - 2, "iIi");
	/* The last instruction of f lacks its second half, which is in g. */
	code_put(&code, G - 4, "bf00 f000 f81e");
	code.f_size = 0;
	expect_picture(&code, "half an instruction", G - 4, "i-I-");
}

/* --- Data among code. */

TEST(literal_pools_are_not_instructions)
{
	/* ldr r0, 1f; bx lr; 1: .word; nop */
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", F + 4), MAPPING("$t", F + 8),
	                                                   END};
	static const struct elf_writer_symbol to_the_end[] = {MAPPING("$t", F), MAPPING("$d", F + 4), END};
	static const struct elf_writer_symbol riscv_symbols[] = {MAPPING("$xrv32ic", F), MAPPING("$d", F + 4),
	                                                         MAPPING("$x", F + 8), END};
	struct code code = thumb, riscv = rv32;

	code_put(&code, F, "4800 4770 1234 5678 bf00");
	expect_picture(&code, "everything is code without mapping symbols", F, "IiIiii");
	code.symbols = symbols;
	expect_picture(&code, "a pool", F, "IiB-Ii");
	code.symbols = to_the_end;
	expect_picture(&code, "a pool to the end of the code", F, "IiB-----");
	code_put(&riscv, F, "0001 8082 1234 5678 0001 0001");
	riscv.symbols = riscv_symbols;
	expect_picture(&riscv, "RISC-V", F, "IiB-Ii");
}

TEST(hostile_mapping_symbols_are_followed)
{
	static const struct {
		const char *title;
		struct elf_writer_symbol symbols[SYMBOLS_MAX];
		const char *picture;
	} cases[] = {
	        {"data of no length", {MAPPING("$d", F + 4), MAPPING("$t", F + 4), END}, "Iiiiii"},
	        {"data twice", {MAPPING("$d", F + 4), MAPPING("$d", F + 6), MAPPING("$t", F + 8), END}, "IiB-Ii"},
	        {"data within an instruction", {MAPPING("$d", F + 5), MAPPING("$t", F + 6), END}, "Ii-Iii"},
	        {"data after the code", {MAPPING("$d", CODE_END), END}, "Iiiiii"},
	        {"data before the code", {MAPPING("$d", F - 4), END}, "Iiiiii"},
	        {"all data", {MAPPING("$d", F), END}, "------"},
	        {"A32 code", {MAPPING("$a", F + 4), MAPPING("$t", F + 8), END}, "IiB-Ii"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct code code = thumb;

		code.symbols = cases[i].symbols;
		expect_picture(&code, cases[i].title, F, cases[i].picture);
	}
}

TEST(targets_of_table_branches_begin_blocks)
{
	/* tbb [pc, r0]; two entries; nop; 1: nop; nop; 2: nop */
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", F + 4), MAPPING("$t", F + 6),
	                                                   END};
	struct code code = thumb;

	code.symbols = symbols;
	code_put(&code, F, "e8df f000 0402 bf00 bf00 bf00 bf00 bf00");
	expect_picture(&code, "TBB", F, "I-BIIiIi");
	code_put(&code, F, "e8df f000 ff02 bf00");
	expect_picture(&code, "TBB, a target after the code", F, "I-BIIiii");
	code.symbols = NULL;
	code_put(&code, F, "e8df f000 0402 bf00");
	expect_picture(&code, "TBB without mapping symbols", F, "I-IiIiIi");
	code.symbols = symbols;
	code_put(&code, F, "e8df f000 0000 bf00");
	expect_picture(&code, "TBB, to the table itself", F, "I-BIiiii");
}

TEST(words_that_point_into_one_function_are_a_jump_table)
{
	static const struct {
		const char *title;
		const struct code *isa;
		uint64_t address;
		uint32_t words[4];
		const char *picture;
	} cases[] = {
	        {"two words", &rv32, 0x2000, {F + 4, F + 8}, "IiIiIiii"},
	        {"two words with the Thumb bit", &thumb, 0x2000, {F + 5, F + 9}, "IiIiIiii"},
	        {"two wide words", &rv64, 0x2000, {F + 4, 0, F + 8, 0}, "IiIiIiii"},
	        {"three words", &rv32, 0x2000, {F + 4, F + 8, F + 12}, "IiIiIiIi"},
	        {"one word", &rv32, 0x2000, {F + 4}, "Iiiiiiii"},
	        {"words into several functions", &rv32, 0x2000, {F + 4, G + 4, F + 8}, "Iiiiiiii"},
	        {"a number between two words", &rv32, 0x2000, {F + 4, 0, F + 8}, "Iiiiiiii"},
	        {"misaligned words", &rv32, 0x2002, {F + 4, F + 8}, "Iiiiiiii"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct elf_writer_section data = {
		        ".rodata", SHT_PROGBITS, SHF_ALLOC, cases[i].address, sizeof cases[i].words, cases[i].words,
		};
		struct code code = *cases[i].isa;

		code.data = &data;
		expect_picture(&code, cases[i].title, F, cases[i].picture);
	}
}

TEST(words_that_point_into_no_function_are_numbers)
{
	static const uint32_t words[] = {K + 4, K + 8};
	const struct elf_writer_section data = {".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, sizeof words, words};
	struct code code = rv32;

	code.data = &data;
	expect_picture(&code, "code that no symbol names", K, "Iiiiiiii");
}

/* The same among the code, where only mapping symbols mark data. */
TEST(words_among_code_are_a_jump_table)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", K), MAPPING("$t", K + 8),
	                                                   END};
	static const struct elf_writer_symbol a32[] = {MAPPING("$t", F), MAPPING("$a", K), MAPPING("$t", K + 8), END};
	static const struct elf_writer_symbol cut[] = {MAPPING("$t", F), MAPPING("$d", K), MAPPING("$t", K + 7), END};
	struct code code = thumb;

	code_put(&code, K, "1005 0000 1009 0000");
	expect_picture(&code, "without mapping symbols", F, "Iiiiiiii");
	code.symbols = symbols;
	expect_picture(&code, "two words", F, "IiIiIiii");
	code.symbols = a32;
	expect_picture(&code, "A32 code", F, "Iiiiiiii");
	code.symbols = cut;
	expect_picture(&code, "a word and three bytes", F, "Iiiiiiii");
	code.symbols = symbols;
	code.size = K + 6 - F;
	expect_picture(&code, "words beyond the end of the section", F, "Iiiiiiii");
}

/* --- Ranges. */

TEST(range_has_the_instructions_that_begin_in_it)
{
	struct code code = thumb;

	code_put(&code, F, "f000 f81e bf00");
	const struct code_map *map = map_of(code_image(&code));
	assert_int_equal(code_map_instructions(map, F, F + 6), 2);
	assert_int_equal(code_map_instructions(map, F + 1, F + 6), 1);
	assert_int_equal(code_map_instructions(map, F + 2, F + 4), 0);
	assert_int_equal(code_map_instructions(map, F, F), 0);
	assert_int_equal(code_map_instructions(map, F + 6, F), 0);
	assert_int_equal(code_map_instructions(map, CODE_END - 4, UINT64_MAX), 2);
	assert_int_equal(code_map_instructions(map, F - 4, F + 4), 0);
	assert_int_equal(code_map_instructions(map, CODE_END, UINT64_MAX), 0);
}

TEST(blocks_end_where_the_next_one_begins)
{
	struct code code = thumb;

	code_put(&code, F, "bf00 bf00 4770 bf00"); /* nop; nop; bx lr; nop */
	const struct code_map *map = map_of(code_image(&code));
	assert_int_equal(code_map_block_end(map, F, G), F + 6);
	assert_int_equal(code_map_block_end(map, F + 2, G), F + 6);
	assert_int_equal(code_map_block_end(map, F + 6, G), G);
	assert_int_equal(code_map_block_end(map, F, F + 4), F + 4);
	assert_int_equal(code_map_block_end(map, F, F), F);
	assert_int_equal(code_map_block_end(map, K, UINT64_MAX), UINT64_MAX);
	assert_int_equal(code_map_block_start(map, F, F + 4), F);
	assert_int_equal(code_map_block_start(map, F + 2, F + 4), F + 2);
	assert_int_equal(code_map_block_start(map, F, F + 6), F + 6);
	assert_int_equal(code_map_block_start(map, F, F + 10), F + 6);
	assert_int_equal(code_map_block_start(map, F - 8, F + 4), F);
}

#define LONG_END (CODE_BASE + 0x400u)

/* One function of nops with a branch to itself before the last nop. */
static struct image *long_block(void)
{
	static uint8_t bytes[LONG_END - CODE_BASE];

	for (size_t i = 0; i < sizeof bytes; i += 2)
		memcpy(&bytes[i], i == sizeof bytes - 4 ? "\xfe\xe7" : "\x00\xbf", 2);
	const struct elf_writer_section text = {
	        ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_BASE, sizeof bytes, bytes,
	};
	const struct elf_writer_symbol symbol = {"f", CODE_BASE | 1, sizeof bytes, STB_GLOBAL, STT_FUNC, 1};
	return elf_writer_image(&(struct elf_writer_plan){
	        .sections = &text, .section_count = 1, .symbols = &symbol, .symbol_count = 1});
}

/* Longer than one word of the bit maps; both ends are found from each address. */
TEST(long_blocks_have_both_ends)
{
	const struct code_map *map = map_of(long_block());

	for (uint64_t low = CODE_BASE; low < LONG_END - 6; low += 2) {
		assert_int_equal(code_map_block_end(map, low, LONG_END), LONG_END - 4);
		assert_int_equal(code_map_block_end(map, low, LONG_END - 6), LONG_END - 6);
		assert_int_equal(code_map_block_start(map, 0, low), CODE_BASE);
		assert_int_equal(code_map_block_start(map, low, LONG_END - 6), low);
		assert_int_equal(code_map_instructions(map, CODE_BASE, low), (low - CODE_BASE) / 2);
		assert_int_equal(code_map_instructions(map, low, UINT64_MAX), (LONG_END - low) / 2);
	}
}

TEST(each_range_outside_code_is_a_block)
{
	const struct code_map *map = map_of(code_image(&thumb));

	assert_true(code_map_begins_block(map, F - 2));
	assert_true(code_map_begins_block(map, CODE_END));
	assert_true(code_map_begins_block(map, UINT64_MAX));
	assert_int_equal(code_map_block_end(map, CODE_END, UINT64_MAX), UINT64_MAX);
	assert_int_equal(code_map_block_start(map, F, UINT64_MAX), UINT64_MAX);
}

TEST(each_byte_counts_without_a_decoder)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$d", F + 4), MAPPING("$x", F + 12),
	                                                   MAPPING("$d", F + 16), MAPPING("$x", F + 20), END};
	struct code code = unknown;

	code.symbols = symbols;
	const struct code_map *map = map_of(code_image(&code));
	assert_int_equal(code_map_instructions(map, F, F + 24), 12);
	assert_int_equal(code_map_instructions(map, F + 2, F + 6), 2);
	assert_int_equal(code_map_instructions(map, F + 6, F + 10), 0);
	assert_int_equal(code_map_instructions(map, F + 10, F + 18), 4);
	assert_int_equal(code_map_instructions(map, F + 24, F + 24), 0);
	assert_int_equal(code_map_instructions(map, F + 24, F), 0);
	assert_true(code_map_begins_block(map, F + 1));
	assert_int_equal(code_map_block_end(map, F + 1, F + 9), F + 9);
	assert_int_equal(code_map_block_start(map, F + 1, F + 9), F + 9);
}

/* There is no decoder of big-endian Arm code. */
TEST(a32_is_code_without_a_decoder)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$a", F), MAPPING("$d", F + 4), MAPPING("$t", F + 8),
	                                                   END};
	struct code code = thumb;

	code.is_big_endian = true;
	code.symbols = symbols;
	const struct code_map *map = map_of(code_image(&code));
	assert_int_equal(code_map_instructions(map, F, F + 10), 6);
}

TEST(sections_may_overlap)
{
	static const uint8_t overlay[0x10] = {0x70, 0x47};
	const struct elf_writer_section section = {
	        ".overlay", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, H, sizeof overlay, overlay,
	};
	struct code code = thumb;

	code.data = &section;
	expect_picture(&code, "an overlay at h", H - 4, "iiIIii");
}

/* The words of .text at h would be read from the overlay, which is shorter. */
TEST(words_after_a_section_are_not_read)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", H), END};
	static const uint32_t words[CODE_SIZE / 4] = {0, 0, F + 5, F + 9};
	const struct elf_writer_section section = {".overlay", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, H, 8, words};
	struct code code = thumb;

	code.data = &section;
	code.symbols = symbols;
	struct image *image = code_image(&code);
	assert_int_equal(image->code_count, 2);
	image->code[1].bytes = (const uint8_t *)words;
	const struct code_map *map = map_of(image);
	assert_false(code_map_begins_block(map, F + 4));
}

/* --- Calls to the hook. */

#define HOOK(name, address)                               \
	{                                                 \
		name, address, 8, STB_GLOBAL, STT_FUNC, 1 \
	}

static bool is_instrumented(const struct code *code, uint64_t address)
{
	const struct image *image = code_image(code);
	const struct image_function *function = image_function_at(image, address);

	assert_non_null(function);
	return code_map_is_instrumented(map_of(image), (size_t)(function - image->functions));
}

TEST(functions_that_call_a_hook_count_their_calls)
{
	static const struct {
		const char *title;
		const struct code *isa;
		const char *f, *hook;
		bool expected;
	} cases[] = {
	        {"BL", &thumb, "b500 f000 f85d", "__gnu_mcount_nc", true},
	        {"BL _mcount", &thumb, "b500 f000 f85d", "_mcount", true},
	        {"BL mcount", &thumb, "b500 f000 f85d", "mcount", true},
	        {"BL __cyg_profile_func_enter", &thumb, "b500 f000 f85d", "__cyg_profile_func_enter", true},
	        {"BL __cyg_profile_func_exit", &thumb, "b500 f000 f85d", "__cyg_profile_func_exit", false},
	        {"B.W", &thumb, "f000 b85e", "__gnu_mcount_nc", true},
	        {"BNE.W", &thumb, "f040 805e", "__gnu_mcount_nc", false},
	        {"LDR R3, =hook; BLX R3", &thumb, "4b01 4798 4770 bf00 10c1 0000", "__gnu_mcount_nc", true},
	        {"LDR R3, =hook; B .+2; BLX R3", &thumb, "4b01 e7ff 4798 4770 10c1 0000", "__gnu_mcount_nc", false},
	        {"BL elsewhere", &thumb, "b500 f000 f85f", "__gnu_mcount_nc", false},
	        {"BL a veneer", &thumb, "b500 f000 f86d", "__gnu_mcount_nc", true},
	        {"JAL", &rv32, "00ef 0c00", "_mcount", true},
	        {"AUIPC and JALR", &rv64, "0097 0000 80e7 0c00", "_mcount", true},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct elf_writer_symbol symbols[] = {HOOK(cases[i].hook, K), END};
		struct code code = *cases[i].isa;

		code.symbols = symbols;
		code_put(&code, F, cases[i].f);
		code_put(&code, K, cases[i].isa == &thumb ? "4770" : "8082");
		code_put(&code, K + 0x20, "f241 0cc1 f2c0 0c00 4760"); /* the veneer */
		if (is_instrumented(&code, F) != cases[i].expected)
			fail_msg("%s", cases[i].title);
		assert_false(is_instrumented(&code, G));
	}
}

/* f continues after g and h, where its call is. */
TEST(function_in_pieces_counts_its_calls)
{
	static const struct elf_writer_symbol symbols[] = {HOOK("__gnu_mcount_nc", K + 0x30), END};
	struct code code = thumb;

	code.symbols = symbols;
	code.f_size = 0xF0;
	code_put(&code, K, "b500 f000 f815"); /* push {lr}; bl K + 0x30 */
	assert_true(is_instrumented(&code, F));
	assert_true(is_instrumented(&code, K));
	assert_false(is_instrumented(&code, G));
}

/* The hook is called by the function that g was inlined into. */
TEST(inlined_function_counts_calls_as_its_caller)
{
	static const struct elf_writer_symbol symbols[] = {HOOK("__gnu_mcount_nc", K), END};
	struct code code = thumb;

	code.symbols = symbols;
	code_put(&code, F, "b500 f000 f85d"); /* push {lr}; bl K */
	struct image *image = code_image(&code);
	image->functions[1].inlined_into = 0;
	const struct code_map *map = map_of(image);
	assert_true(code_map_is_instrumented(map, 1));
	assert_false(code_map_is_instrumented(map, 2));
}

TEST(without_a_hook_no_calls_are_counted)
{
	struct code code = thumb, other = unknown;

	code_put(&code, F, "f000 f85e f7ff fffc"); /* bl 0x10c0; bl 0x1000 */
	assert_false(is_instrumented(&code, F));
	assert_false(is_instrumented(&other, F));
}
