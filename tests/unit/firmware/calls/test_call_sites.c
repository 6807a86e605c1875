/* SPDX-License-Identifier: MIT */
/* Checks of recorded return addresses and callees. */
#include "code.h"
#include "firmware/calls/call_sites.h"
#include "test.h"

#include <string.h>

/* The result for a call, as text: "possible", "entry" (false, and a function begins there) or "unknown". */
static const char *verdict(const struct code *code, uint64_t return_address, uint64_t callee, struct call_site *site)
{
	struct image *image = code_image(code);
	struct call_sites *sites = call_sites_create(image);

	assert_non_null(sites);
	assert_true(call_sites_check(sites, return_address, callee, site));
	call_sites_free(sites);
	if (!site->is_false)
		return "possible";
	return site->is_entry ? "entry" : "unknown";
}

static void expect(const struct code *code, const char *title, uint64_t return_address, uint64_t callee,
                   const char *expected)
{
	struct call_site site;
	const char *found = verdict(code, return_address, callee, &site);

	if (strcmp(found, expected) != 0)
		fail_msg("%s: %s, expected %s", title, found, expected);
}

/* Code whose functions end in a return. */
static struct code returning(const struct code *isa, const char *a_return)
{
	struct code code = *isa;

	for (uint64_t end = G; end <= CODE_BASE + CODE_SIZE; end += 0x40)
		code_put(&code, end - strlen(a_return) / 2, a_return);
	return code;
}

static struct code thumb_with(const char *f, const char *g, const char *k)
{
	struct code code = returning(&thumb, "4770");

	code_put(&code, F, f);
	code_put(&code, G, g);
	code_put(&code, K, k);
	return code;
}

static struct code riscv_with(const struct code *isa, const char *f, const char *g)
{
	struct code code = returning(isa, "8082");

	code_put(&code, F, f);
	code_put(&code, G, g);
	return code;
}

/* Code at the beginning of f, a return address and a callee. */
struct instruction_case {
	const char *title, *f;
	uint64_t return_address, callee;
	const char *expected;
};

TEST(thumb_return_addresses_follow_calls)
{
	static const struct instruction_case cases[] = {
	        {"BL", "f000 f81e", F + 5, G + 7, "possible"},
	        {"BLX R3", "4798", F + 3, H + 1, "possible"},
	        {"BLXNS R3", "479c", F + 3, H + 1, "possible"},
	        {"no Thumb bit", "f000 f81e", F + 4, G + 6, "possible"},
	        {"NOP", "bf00", F + 3, G + 1, "unknown"},
	        {"BX R3", "4718", F + 3, G + 1, "unknown"},
	        {"B.W g", "f000 b81e", F + 5, G + 1, "unknown"},
	        {"MOVW with BLX R0 as its second half", "f240 4780", F + 5, G + 1, "unknown"},
	        {"in the middle of BL", "f000 f81e", F + 3, G + 1, "unknown"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code code = thumb_with(cases[i].f, "4770", "");

		expect(&code, cases[i].title, cases[i].return_address, cases[i].callee, cases[i].expected);
	}
}

TEST(riscv_return_addresses_follow_calls)
{
	static const struct instruction_case cases[] = {
	        {"JAL ra", "00ef 0400", F + 4, G + 6, "possible"},
	        {"JAL t0", "02ef 0400", F + 4, G + 6, "possible"},
	        {"JALR ra", "80e7 0007", F + 4, H, "possible"},
	        {"AUIPC and JALR", "0097 0000 80e7 0400", F + 8, G, "possible"},
	        {"AUIPC and JALR to elsewhere", "0097 0000 80e7 0400", F + 8, H, "unknown"},
	        {"C.JALR", "9782", F + 2, H, "possible"},
	        {"CM.JALT", "a082", F + 2, H, "possible"},
	        {"C.FSDSP", "bc22", F + 2, H, "unknown"},
	        {"JAL x0", "006f 0400", F + 4, G, "unknown"},
	        {"C.JR", "8782", F + 2, H, "unknown"},
	        {"C.JALR at an odd address", "8200 0097", F + 3, H, "unknown"},
	        {"ADDI", "0513 0005", F + 4, G, "unknown"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code narrow = riscv_with(&rv32, cases[i].f, "8082"),
		            wide = riscv_with(&rv64, cases[i].f, "8082");

		expect(&narrow, cases[i].title, cases[i].return_address, cases[i].callee, cases[i].expected);
		expect(&wide, cases[i].title, cases[i].return_address, cases[i].callee, cases[i].expected);
	}
	struct code jal = riscv_with(&rv32, "2081", "8082"), addiw = riscv_with(&rv64, "2081", "8082");
	expect(&jal, "C.JAL of RV32", F + 2, G, "possible");
	expect(&jal, "C.JAL to elsewhere", F + 2, H, "unknown");
	expect(&addiw, "C.ADDIW of RV64", F + 2, G, "unknown");
}

TEST(exit_handler_is_the_entry_of_a_task)
{
	struct code code = thumb_with("bf00", "4770", "");

	expect(&code, "after a function that returns", G + 1, H + 1, "entry");
	expect(&code, "at the beginning of the section", F + 1, H + 1, "entry");
	expect(&code, "0", 0, H + 1, "entry");
	struct code riscv = riscv_with(&rv32, "", "");
	expect(&riscv, "after a function that returns", G, H, "entry");
	expect(&riscv, "ra = 0", 0, H, "entry");
	code_put(&code, G - 4, "f000 f800"); /* BL g */
	expect(&code, "after a call to another function, which does not return", G + 1, H + 1, "entry");
	expect(&code, "after a call to the callee", G + 1, G + 1, "possible");
}

TEST(data_before_a_return_address_is_not_a_call)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", G - 4), MAPPING("$t", G),
	                                                   END};
	struct code code = thumb_with("bf00", "4770", "");

	code_put(&code, G - 4, "f000 f820"); /* as BL h */
	expect(&code, "without mapping symbols", G + 1, H + 1, "possible");
	code.symbols = symbols;
	expect(&code, "with mapping symbols", G + 1, H + 1, "entry");
	expect(&code, "into the data", G - 3, H + 1, "possible");
}

TEST(code_of_another_instruction_set_proves_nothing)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$a", F), MAPPING("$t", G), END};
	struct code code = thumb_with("", "4770", "");

	code.symbols = symbols;
	expect(&code, "after A32 code", G, H + 1, "possible");
	expect(&code, "after A32 code, which returns to even addresses only", G + 1, H + 1, "entry");
	expect(&code, "within A32 code", F + 8, H + 1, "possible");
	struct code unknown = {.machine = EM_XTENSA, .class = ELFCLASS32};
	expect(&unknown, "no decoder", G, H, "possible");
	expect(&unknown, "no decoder, 0", 0, H, "possible");
}

TEST(addresses_without_code_prove_nothing)
{
	static const uint8_t overlay[0x10] = {0};
	const struct elf_writer_section section = {
	        ".overlay", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, H, sizeof overlay, overlay,
	};
	struct code code = thumb_with("bf00 f000 f81d", "4770", "");

	expect(&code, "elsewhere", 0x20000001, H + 1, "possible");
	expect(&code, "after the section", CODE_BASE + CODE_SIZE + 1, H + 1, "possible");
	expect(&code, "a callee elsewhere", F + 7, 0x20000001, "possible");
	code.data = &section;
	expect(&code, "sections that overlap", F + 3, H + 1, "possible");
}

/* f calls g by BL; h is recorded as the callee. */
TEST(tail_calls_are_followed)
{
	static const struct {
		const char *title, *g, *k, *expected;
	} cases[] = {
	        {"BX LR", "4770", "", "unknown"},
	        {"B.W", "f000 b81e", "", "possible"},
	        {"B", "e01e", "", "possible"},
	        {"B<c>", "d01e 4770", "", "possible"},
	        {"B.W to code that jumps on", "f000 b83e", "f7ff bfde", "possible"},
	        {"B.W to code that returns", "f000 b83e", "4770", "unknown"},
	        {"BX R3", "4718", "", "possible"},
	        {"MOV PC, R3", "469f", "", "possible"},
	        {"MOV PC, LR", "46f7", "", "unknown"},
	        {"LDR PC, [R3]", "f8d3 f000", "", "possible"},
	        {"TBB", "e8df f000", "", "possible"},
	        {"POP {R4, PC}", "b510 bd10", "", "unknown"},
	        {"POP.W {R4, R8, PC}", "e92d 4110 e8bd 8110", "", "unknown"},
	        {"LDR PC, [SP], #4", "f84d ed04 f85d fb04", "", "unknown"},
	        {"STRD LR", "e96d 4e02 bd10", "", "unknown"},
	        {"POP {R0, PC} of a value other than the return address", "b403 bd01", "", "possible"},
	        {"LDM R7!, {R4, PC}", "b510 e8b7 8010", "", "possible"},
	        {"a call", "b510 f000 f81d bd10", "", "unknown"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code code = thumb_with("f000 f81e", cases[i].g, cases[i].k);

		expect(&code, cases[i].title, F + 5, H + 1, cases[i].expected);
	}
	struct code falling = thumb_with("f000 f81e", "", "");
	code_put(&falling, H - 2, "bf00");
	expect(&falling, "no return before the next function", F + 5, H + 1, "possible");
}

/* A linker's or compiler's padding after a return: nothing goes on into the data after it. */
TEST(padding_before_literals_leads_nowhere)
{
	static const struct elf_writer_symbol symbols[] = {MAPPING("$t", F), MAPPING("$d", G + 6), MAPPING("$t", H),
	                                                   END};
	struct code code = thumb_with("f000 f81e", "4770 bf00 bf00", "");

	code.symbols = symbols;
	expect(&code, "g, padded", F + 5, G + 1, "possible");
	expect(&code, "not h", F + 5, H + 1, "unknown");
	code_put(&code, G, "bf00 bf00 bf00");
	expect(&code, "g does not return", F + 5, H + 1, "possible");
	code_put(&code, G, "d000 4770 bf00");
	expect(&code, "a branch leads to the padding", F + 5, H + 1, "possible");
}

TEST(thumb_calls_reach_their_callees)
{
	static const struct {
		const char *title, *f, *g, *k;
		uint64_t return_address, callee;
		const char *expected;
	} cases[] = {
	        {"a label within a function", "f000 f820", "4770 bf00 e01c", "", F + 5, H + 1, "possible"},
	        {"a label within the callee", "f000 f820", "4770 bf00 e01c", "", F + 5, G + 1, "possible"},
	        {"a veneer, LDR PC", "f000 f85e", "4770", "f8df f000 1081 0000", F + 5, G + 1, "unknown"},
	        {"a veneer, MOVW and MOVT", "f000 f85e", "4770", "f241 0c81 f2c0 0c00 4760", F + 5, H + 1, "possible"},
	        {"the same, to elsewhere", "f000 f85e", "4770", "f241 0c81 f2c0 0c00 4760", F + 5, G + 1, "unknown"},
	        {"a veneer, BX PC and B in A32", "f000 f85e", "4770", "4778 46c0 ffed eaff", F + 5, H + 1, "possible"},
	        {"B.W to a veneer", "f000 f81e", "f000 b83e", "f8df f000 1081 0000", F + 5, F + 1, "unknown"},
	        {"BL to a ROM at 0x800", "f7ff fbfe", "4770", "", F + 5, H + 1, "possible"},
	        /* Another part of the function may jump to the call with another value in the register. */
	        {"LDR R3, =g; BLX R3", "4b01 4798 4770 bf00 1041 0000", "4770", "", F + 5, G + 1, "possible"},
	        {"the same, and h", "4b01 4798 4770 bf00 1041 0000", "4770", "", F + 5, H + 1, "unknown"},
	        {"LDR R3, =g; NOP; BLX R3", "4b01 bf00 4798 4770 1041 0000", "4770", "", F + 7, H + 1, "possible"},
	        {"a branch to BLX R3", "4b01 4798 d0fd 4770 1041 0000", "4770", "", F + 5, H + 1, "possible"},
	        /* Unmarked data that looks like the first half of a wide instruction: the bytes before decide. */
	        {"data before BL g", "f000 f000 f81d", "4770", "", F + 7, G + 1, "possible"},
	        {"data and no call", "f240 f240 0000", "4770", "", F + 3, G + 1, "unknown"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code code = thumb_with(cases[i].f, cases[i].g, cases[i].k);

		expect(&code, cases[i].title, cases[i].return_address, cases[i].callee, cases[i].expected);
	}
}

TEST(riscv_tail_calls_are_followed)
{
	static const struct {
		const char *title, *g, *expected;
	} cases[] = {
	        {"RET", "8082", "unknown"},
	        {"JALR x0, 0(ra)", "8067 0000", "unknown"},
	        {"C.J", "a081", "possible"},
	        {"JAL x0", "006f 0400", "possible"},
	        {"BEQ", "0063 0400 8082", "possible"},
	        {"AUIPC and JALR x0", "0317 0000 0067 0403", "possible"},
	        {"C.JR a5", "8782", "possible"},
	        {"CM.JT, or C.FSDSP", "a002 8082", "possible"},
	        {"JAL ra", "00ef 0400 8082", "unknown"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct code code = riscv_with(&rv32, "00ef 0400", cases[i].g);

		expect(&code, cases[i].title, F + 4, H, cases[i].expected);
	}
}

TEST(veneers_are_followed)
{
	struct call_site site;
	/* f: BL k; k: LDR PC, =h. */
	struct code literal = thumb_with("f000 f85e", "4770", "f8df f000 1081 0000");

	assert_string_equal(verdict(&literal, F + 5, H + 1, &site), "possible");
	assert_true(site.has_target);
	assert_int_equal(site.target, H);
	/* f: BL g; g: B.W k. */
	struct code jump = thumb_with("f000 f81e", "f000 b83e", "f8df f000 1081 0000");
	assert_string_equal(verdict(&jump, F + 5, H + 1, &site), "possible");
	assert_int_equal(site.target, G);
}

/* The hook of -finstrument-functions is called for h, whose body is in g, with the return address of g. */
TEST(inlined_function_has_the_call_site_of_its_container)
{
	static const struct elf_writer_symbol hook[] = {{"__cyg_profile_func_enter", K, 0x40, STB_GLOBAL, STT_FUNC, 1},
	                                                END};
	struct code code = thumb_with("f000 f81e", "4801 f000 f83d 4770 1081 0000", "4770");

	expect(&code, "a call to something other than the hook", F + 5, H + 1, "unknown");
	code.symbols = hook;
	expect(&code, "the hook", F + 5, H + 1, "possible");
	struct code other = thumb_with("f000 f81e", "4801 f000 f83d 4770 1001 0000", "4770");
	other.symbols = hook;
	expect(&other, "the hook, for another function", F + 5, H + 1, "unknown");
	struct code unknown = thumb_with("f000 f81e", "6808 f000 f83d 4770", "4770");
	unknown.symbols = hook;
	expect(&unknown, "the hook, with an unknown argument", F + 5, H + 1, "possible");
}

TEST(code_may_end_within_an_instruction)
{
	struct code code = thumb;

	code_put(&code, F, "f000 f83e f000"); /* BL h, half a BL */
	code.size = 6;
	code.f_size = 6;
	expect(&code, "before the end", F + 5, H + 1, "possible");
	expect(&code, "at the end", F + 7, H + 1, "possible");
	expect(&code, "no call", F + 3, F + 1, "unknown");
}
