/* SPDX-License-Identifier: MIT */
/* Calls among code and data, and through veneers. */
#include "code.h"
#include "test.h"

#include <string.h>

#define SYMBOLS_MAX  4
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
	const char *title;
	const struct code *isa;
	struct elf_writer_symbol symbols[SYMBOLS_MAX];
	uint64_t size; /* of the section; 0: CODE_SIZE */
	uint64_t address;
	const char *bytes, *calls;
} cases[] = {
        {"three calls without mapping symbols",
         &thumb,
         {END},
         0,
         F,
         "f000 f81e f000 f81c f000 f81a",
         "direct 1000>1040, direct 1004>1040, direct 1008>1040"},
        {"the second call is data",
         &thumb,
         {MAPPING("$t", F), MAPPING("$d.realdata", F + 4), MAPPING("$t.1", F + 8), END},
         0,
         F,
         "f000 f81e f000 f81c f000 f81a",
         "direct 1000>1040, direct 1008>1040"},
        {"A32 before Thumb",
         &thumb,
         {MAPPING("$a", F), MAPPING("$t", F + 4), END},
         0,
         F,
         "f000 f81e f000 f81c",
         "direct 1004>1040"},
        {"$d and $t at one address",
         &thumb,
         {MAPPING("$d", F), MAPPING("$t", F), END},
         0,
         F,
         "f000 f81e",
         "direct 1000>1040"},
        {"$data is not a mapping symbol", &thumb, {MAPPING("$data", F), END}, 0, F, "f000 f81e", "direct 1000>1040"},
        {"a mapping symbol with an ISA",
         &rv32,
         {MAPPING("$d", F), MAPPING("$xrv32i2p1_c2p0", F + 4), END},
         0,
         F,
         "00ef 0400 00ef 03c0",
         "direct 1004>1040"},
        {"words without mapping symbols", &thumb, {END}, 0, K, "4770 0000 1041 0000 1081 0000", ""},
        {"aligned words of data",
         &thumb,
         {MAPPING("$d", K + 2), END},
         0,
         K,
         "4770 0000 1041 0000 1081 0000",
         "address 10c4>1040, address 10c8>1080"},
        {"g: B f; B h; B g; B h + 2", &thumb, {END}, 0, G, "e7de e01d e7fc e01c", "tail 1040>1000, tail 1042>1080"},
        {"BL g; B g; without a symbol",
         &thumb,
         {END},
         0,
         K + 0x20,
         "f7ff ffae e7ac",
         "direct 10e0>1040, tail 10e4>1040"},
        {"f ends inside BL, g begins with BL h", &thumb, {END}, 0, G - 2, "f000 f000 f81e", "direct 1040>1080"},
        {"two calls", &thumb, {END}, 0, 0x10F8, "f7ff ffa2 f7ff ffa0", "direct 10f8>1040, direct 10fc>1040"},
        {"the second call is truncated", &thumb, {END}, 0xFE, 0x10F8, "f7ff ffa2 f7ff ffa0", "direct 10f8>1040"},
        {"both calls are truncated at an odd size", &thumb, {END}, 0xFB, 0x10F8, "f7ff ffa2 f7ff ffa0", ""},
        {"JAL ra, g twice", &rv32, {END}, 0, 0x10F8, "f0ef f49f f0ef f45f", "direct 10f8>1040, direct 10fc>1040"},
        {"the second JAL is truncated", &rv32, {END}, 0xFE, 0x10F8, "f0ef f49f f0ef f45f", "direct 10f8>1040"},
        {"both JALs are truncated", &rv32, {END}, 0xFB, 0x10F8, "f0ef f49f f0ef f45f", ""},
};

TEST(calls_are_found_in_code_and_not_in_data)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct code code = *cases[i].isa;

		code.symbols = cases[i].symbols;
		code.size = cases[i].size;
		code_put(&code, cases[i].address, cases[i].bytes);
		code_expect(&code, cases[i].title, cases[i].calls);
	}
}

TEST(constants_end_with_the_function)
{
	struct code code = thumb;

	code_put(&code, 0x1038, "4b0d bf00 bf00 bf00 4798"); /* f: LDR R3, =g; g: BLX R3 */
	code_put(&code, 0x1070, "1041");
	code_expect(&code, "BLX R3 in g", "indirect 1040");
}

TEST(words_that_equal_function_entries_are_addresses)
{
	static const uint8_t words[] = {
	        0x41, 0x10, 0, 0, /* g with the Thumb bit */
	        0x40, 0x10, 0, 0, /* g without */
	        0x43, 0x10, 0, 0, /* inside of g */
	        0x81, 0x10, 0, 0, /* h */
	        0x41, 0x10,       /* cut */
	};
	const struct elf_writer_section data = {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
	                                        0x2000,  sizeof words, words};
	struct code code = thumb;

	code.data = &data;
	code_expect(&code, "words", "address 2000>1040, address 200c>1080");
}

/* f calls a veneer at 0x10C0. */
static void expect_through_veneer(const char *parts, const char *literal, const char *expected)
{
	struct code code = thumb;

	code_put(&code, 0x1000, "f000 f85e");
	code_put(&code, 0x10C0, parts);
	code_put(&code, 0x10CC, literal);
	char text[CODE_TEXT];
	code_calls(&code, text);
	if (strncmp(text, expected, strlen(expected)) != 0)
		fail_msg("%s: found '%s', expected '%s'", parts, text, expected);
}

TEST(call_to_a_veneer_is_a_call_to_its_target)
{
	/* GNU ld: Armv7-M, Armv6-M, both without literals, A32. */
	expect_through_veneer("f8df f008", "1041", "direct 1000>1040");
	expect_through_veneer("b401 4802 4684 bc01 4760 bf00", "1041", "direct 1000>1040");
	expect_through_veneer("f241 0c41 f2c0 0c00 4760", "", "direct 1000>1040");
	expect_through_veneer("b401 2010 0200 3041 4684 bc01 4760", "", "direct 1000>1040");
	expect_through_veneer("4778 46c0 ffdd eaff", "", "direct 1000>1040");
	expect_through_veneer("4778 46c0 f004 e51f 1041 0000", "", "direct 1000>1040");
	/* LLD: position-independent. */
	expect_through_veneer("f64f 7c75 f6cf 7cff 44fc 4760", "", "direct 1000>1040");
}

TEST(literal_of_a_veneer_is_not_a_pointer)
{
	static const struct elf_writer_symbol symbols[] = {
	        {"__g_veneer", 0x10C0, 8, STB_LOCAL, STT_FUNC, 1}, MAPPING("$d", 0x10C4), END};
	struct code code = thumb;

	code.symbols = symbols;
	code_put(&code, 0x1000, "f000 f85e");
	code_put(&code, 0x10C0, "f8df f000 1041 0000");
	code_expect(&code, "a veneer", "direct 1000>1040, tail 10c0>1040");
}

TEST(code_that_does_more_than_jump_is_not_a_veneer)
{
	expect_through_veneer("4b02 4718 bf00", "1041", "direct 1000>10c0"); /* through R3 */
	expect_through_veneer("e7be", "", "direct 1000>10c0");               /* a function that is B g */
	expect_through_veneer("4802 4684 4760", "2001", "direct 1000>10c0"); /* out of all code */
}

TEST(veneers_may_lead_to_veneers_but_not_in_circles)
{
	struct code code = thumb;

	code_put(&code, 0x1000, "f000 f85e");
	code_put(&code, 0x10C0, "f8df f000 10c9 0000"); /* LDR PC, =0x10C8 */
	code_put(&code, 0x10C8, "f8df f000 1041 0000"); /* LDR PC, =g */
	char text[CODE_TEXT];
	assert_non_null(strstr(code_calls(&code, text), "direct 1000>1040"));
	code_put(&code, 0x10C8, "f8df f000 10d1 0000 f8df f000 10c1 0000"); /* a circle of three */
	assert_non_null(strstr(code_calls(&code, text), "direct 1000>10c0"));
}

TEST(machines_without_a_decoder_have_no_calls)
{
	const struct code code = {.machine = EM_X86_64, .class = ELFCLASS64, .bytes = {0xE8, 0x3B}}; /* CALL g */
	struct image *image = code_image(&code);
	struct calls calls;

	assert_false(calls_can_decode(image));
	assert_success(calls_find(image, &calls, &failure), &failure);
	assert_int_equal(calls.count, 0);
	calls_free(&calls);
}
