/* SPDX-License-Identifier: MIT */
/* Calls in RISC-V code, by encodings of The RISC-V Instruction Set Manual, Volume I, chapter "Instruction Set
 * Listings". */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct code code_of(unsigned address_size)
{
	return (struct code){
	        .machine = EM_RISCV,
	        .class = address_size == 8 ? ELFCLASS64 : ELFCLASS32,
	};
}

struct example {
	unsigned address_size;
	const char *source, *code, *calls;
};

static const struct example examples[] = {
        {4, "jal ra, g", "00ef 0400", "direct 1000>1040"},
        {4, "jal t0, g", "02ef 0400", "direct 1000>1040"},
        {4, "c.jal g", "2081", "direct 1000>1040"},
        {8, "c.addiw ra, 0: what c.jal g is in RV32", "2081", ""},
        {4, "c.j g", "a081", "tail 1000>1040"},
        {4, "j g", "006f 0400", "tail 1000>1040"},
        {4, "beq a0, a1, g", "0063 04b5", "tail 1000>1040"},
        {4, "c.beqz a0, g", "c121", "tail 1000>1040"},
        {4, "c.bnez a0, h", "e141", "tail 1000>1080"},
        {4, "nop; j f", "0001 bffd", ""},
        {4, "ret", "8082", ""},
        {4, "jr t0", "8282", ""},
        {4, "jr a5", "8782", ""},
        {4, "jalr a5", "9782", "indirect 1000"},
        {4, "jalr t0, a5, 4", "82e7 0047", "indirect 1000"},
        {4, "auipc ra, 0; jalr ra, 0x40(ra)", "0097 0000 80e7 0400", "direct 1004>1040"},
        {4, "auipc t0, 0; jalr t0, t0, 0x40", "0297 0000 82e7 0402", "direct 1004>1040"},
        {4, "auipc t1, 0; jr 0x40(t1)", "0317 0000 0067 0403", "tail 1004>1040"},
        {8, "auipc ra, 0xFFFFF; nop; jalr ra, 0x40(ra)", "f097 ffff 0001 80e7 0400", ""},
        {8, "auipc ra, 0; jalr ra, 0x40(ra)", "0097 0000 80e7 0400", "direct 1004>1040"},
        {4, "lui a5, 1; jalr 0x40(a5)", "6785 80e7 0407", "direct 1002>1040"},
        {4, "lui a5, 1; addi a5, a5, 0x40; jalr a5", "17b7 0000 8793 0407 80e7 0007",
         "address 1004>1040, direct 1008>1040"},
        {8, "lui a5, 1; addiw a5, a5, 0x40; jalr a5", "17b7 0000 879b 0407 80e7 0007",
         "address 1004>1040, direct 1008>1040"},
        {4, "c.lui a5, 1; c.addi a5, 31; c.addi a5, 31; c.addi a5, 2; c.mv a4, a5; c.jalr a4",
         "6785 07fd 07fd 0789 873e 9702", "address 1006>1040, direct 100a>1040"},
        {4, "c.lui a5, 1; addi a5, a5, 0x40; c.jr a5", "6785 8793 0407 8782", "address 1002>1040, tail 1006>1040"},
        {4, "li a5, 0x40; jalr a5", "0793 0400 9782", ""},
        {4, "jalr ra, 0x7C0(zero)", "00e7 7c00", ""},
        {4, "auipc a5, 0; 1: jalr 0x40(a5); bnez a0, 1b", "0797 0000 80e7 0407 fd75", "indirect 1004"},
        {4, "auipc a5, 0; jal h; jalr 0x40(a5)", "0797 0000 00ef 07c0 80e7 0407", "direct 1004>1080, indirect 1008"},
        {4, ".byte 0x1f, 0, 0xef, 0, 0x40, 0x0; jal ra, g", "001f 00ef 0040 00ef 03a0", "direct 1006>1040"},
        {4, ".byte 0x3f, 0, 0xef, 0, 0x40, 0x0, 0xef, 0; jal ra, g", "003f 00ef 0040 00ef 00ef 0380",
         "direct 1008>1040"},
};

/* The same from h, back. */
static const struct example backward_examples[] = {
        {4, "jal ra, g", "f0ef fc1f", "direct 1080>1040"},
        {4, "c.jal g", "37c1", "direct 1080>1040"},
        {4, "c.j g", "b7c1", "tail 1080>1040"},
        {4, "j g", "f06f fc1f", "tail 1080>1040"},
        {4, "beq a0, a1, g", "00e3 fcb5", "tail 1080>1040"},
        {4, "c.beqz a0, g", "d161", "tail 1080>1040"},
        {8, "auipc ra, 0; jalr ra, -0x40(ra)", "0097 0000 80e7 fc00", "direct 1084>1040"},
};

static void each_kind_of_call_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(examples); i++) {
		struct code code = code_of(examples[i].address_size);
		code_put(&code, CODE_BASE, examples[i].code);
		code_expect(&code, examples[i].source, examples[i].calls);
	}
}

static void calls_lead_back_as_well(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(backward_examples); i++) {
		const struct example *example = &backward_examples[i];
		struct code code = code_of(example->address_size);
		code_put(&code, CODE_BASE + 0x80, example->code);
		code_expect(&code, example->source, example->calls);
	}
}

/* Of auipc a5, 0; an instruction; jalr 0x40(a5): the calls. */
static const char *calls_behind(const char *instruction, char text[CODE_TEXT])
{
	struct code code = code_of(4);
	uint64_t end = code_put(&code, code_put(&code, CODE_BASE, "0797 0000"), instruction);
	code_put(&code, end, "80e7 0407 8082");
	return code_calls(&code, text);
}

struct line {
	const char *source, *code;
};

static const struct line bystanders[] = {
        {"sw a5, 0(a0)", "c11c"},        {"sw a0, 0(a5)", "c388"},      {"c.sw a5, 0(a0)", "c11c"},
        {"c.swsp a5, 4(sp)", "c23e"},    {"fsw fa0, 0(a0)", "e108"},    {"fence", "000f 0ff0"},
        {"addi a0, a5, 1", "8513 0017"}, {"lw a0, 0(a5)", "4388"},      {"c.lw a0, 0(a0)", "4108"},
        {"c.li a0, 1", "4505"},          {"c.addi16sp sp, 16", "6141"}, {"c.nop", "0001"},
};

static void constants_outlive_what_does_not_write_their_register(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bystanders); i++) {
		char text[CODE_TEXT];
		if (!code_has_direct(calls_behind(bystanders[i].code, text)))
			fail_msg("behind %s: '%s'", bystanders[i].source, text);
	}
}

static const struct line writers[] = {
        {"lw a5, 0(a0)", "411c"},
        {"c.lw a5, 0(a0)", "411c"},
        {"c.lwsp a5, 4(sp)", "4792"},
        {"c.addi4spn a5, sp, 8", "003c"},
        {"c.li a5, 1", "4785"},
        {"c.lui a5, 2", "6789"},
        {"c.mv a5, a0", "87aa"},
        {"c.add a5, a0", "97aa"},
        {"c.sub a5, a0", "8f89"},
        {"c.andi a5, 1", "8b85"},
        {"c.slli a5, 1", "0786"},
        {"add a5, a0, a1", "07b3 00b5"},
        {"mul a5, a0, a1", "07b3 02b5"},
        {"slli a5, a5, 1", "0786"},
        {"addi a5, a0, 1", "0793 0015"},
        {"lr.w a5, (a0)", "27af 1005"},
        {"csrr a5, mstatus", "27f3 3000"},
        {"fmv.x.w a5, fa0", "07d3 e005"},
        {"ecall", "0073 0000"},
        {".half 0xb842", "b842"},
};

static void a_written_register_is_no_constant(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(writers); i++) {
		char text[CODE_TEXT];
		if (code_has_direct(calls_behind(writers[i].code, text)))
			fail_msg("behind %s: '%s'", writers[i].source, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_kind_of_call_is_found),
	        cmocka_unit_test(calls_lead_back_as_well),
	        cmocka_unit_test(constants_outlive_what_does_not_write_their_register),
	        cmocka_unit_test(a_written_register_is_no_constant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
