/* SPDX-License-Identifier: MIT */
/* Calls in x86 code, by encodings of the Intel SDM, Volume 2, chapters 3 to 6, and for XOP the AMD64 APM, Volume 6. */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct code code_of(unsigned address_size)
{
	return (struct code){
	        .machine = address_size == 8 ? EM_X86_64 : EM_386,
	        .class = address_size == 8 ? ELFCLASS64 : ELFCLASS32,
	};
}

struct example {
	unsigned address_size;
	const char *source, *code, *calls;
};

static const struct example examples[] = {
        {8, "call g", "e8 3b 00 00 00", "direct 1000>1040"},
        {8, "nop; call f", "90 e8 fa ff ff ff", "direct 1001>1000"},
        {8, "addr32 call g", "e8 3b 00 00 00", "direct 1000>1040"},
        {8, "jmp g", "eb 3e", "tail 1000>1040"},
        {8, ".byte 0xe9; .long 0x7b", "e9 7b 00 00 00", "tail 1000>1080"},
        {8, "je g", "74 3e", "tail 1000>1040"},
        {8, ".byte 0x0f, 0x84; .long 0x7a", "0f 84 7a 00 00 00", "tail 1000>1080"},
        {8, "nop; jmp f", "90 eb fd", ""},
        {8, "ret", "c3", ""},
        {8, "call *%rax", "ff d0", "indirect 1000"},
        {8, "call *8(%rbx,%rcx,4)", "ff 54 8b 08", "indirect 1000"},
        {8, "jmp *%rax", "ff e0", ""},
        {8, "mov $0xe8000000, %eax; mov $0xe8, %al", "b8 00 00 00 e8 b0 e8", ""},
        {8, "movabs $0xe8e8e8e8e8e8e8e8, %rbx; nop", "48 bb e8 e8 e8 e8 e8 e8 e8 e8 90", ""},
        {8, "lea g(%rip), %rax; call *%rax", "48 8d 05 39 00 00 00 ff d0", "address 1000>1040, direct 1007>1040"},
        {8, "mov $0x1040, %eax; call *%rax", "b8 40 10 00 00 ff d0", "address 1000>1040, direct 1005>1040"},
        {8, "mov $0x1040, %rax; mov %rax, %r12; call *%r12", "48 c7 c0 40 10 00 00 49 89 c4 41 ff d4",
         "address 1000>1040, direct 100a>1040"},
        {8, "movq $0x1040, (%rbx); push $0x1080", "48 c7 03 40 10 00 00 68 80 10 00 00",
         "address 1000>1040, address 1007>1080"},
        {8, "lea g(%rip), %rax; jmp *%rax", "48 8d 05 39 00 00 00 ff e0", "address 1000>1040, tail 1007>1040"},
        {8, "lea g(%rip), %rax; 1: call *%rax; jne 1b", "48 8d 05 39 00 00 00 ff d0 75 fc",
         "address 1000>1040, indirect 1007"},
        {8, "lea g(%rip), %rbx; call h; call *%rbx", "48 8d 1d 39 00 00 00 e8 74 00 00 00 ff d3",
         "address 1000>1040, direct 1007>1080, indirect 100c"},
        {8, "vmovaps (%rax), %ymm0; call g", "c5 fc 28 00 e8 37 00 00 00", "direct 1004>1040"},
        {8, "vpaddd 0x40(%rax){1to16}, %zmm1, %zmm2; call g", "62 f1 75 58 fe 50 10 e8 34 00 00 00",
         "direct 1007>1040"},
        {8, ".byte 0x8f, 0xe8, 0x78, 0xc0, 0xc8, 0x05; call g", "8f e8 78 c0 c8 05 e8 35 00 00 00", "direct 1006>1040"},
        {8, "test $0xe8909090, %ecx; notl %ecx; call g", "f7 c1 90 90 90 e8 f7 d1 e8 33 00 00 00", "direct 1008>1040"},
        {8, "vpternlogd $0xe8, %zmm1, %zmm2, %zmm3; call g", "62 f3 6d 48 25 d9 e8 e8 34 00 00 00", "direct 1007>1040"},
        {8, ".byte 0x06; call g", "06 e8 3a 00 00 00", "direct 1001>1040"},
        {8, "endbr64; nopw 0x0(%rax,%rax,1); call g", "f3 0f 1e fa 66 0f 1f 04 00 e8 32 00 00 00", "direct 1009>1040"},
        {4, "call g", "e8 3b 00 00 00", "direct 1000>1040"},
        {4, "mov $0x1040, %eax; call *%eax", "b8 40 10 00 00 ff d0", "address 1000>1040, direct 1005>1040"},
        {4, "lea 0x1040, %eax; call *%eax", "8d 05 40 10 00 00 ff d0", "address 1000>1040, direct 1006>1040"},
        {4, "les (%eax), %ecx; bound %eax, (%ecx); call g", "c4 08 62 01 e8 37 00 00 00", "direct 1004>1040"},
        {4, "mov %ax, 0x1234(%bp); .byte 0x67, 0x8b, 0x06, 0x34, 0x12; lcall $0x10, $0x12345678; call g",
         "67 66 89 86 34 12 67 8b 06 34 12 9a 78 56 34 12 10 00 e8 29 00 00 00", "indirect 100b, direct 1012>1040"},
        {4, "inc %eax; pusha; aam; call g", "40 60 d4 0a e8 37 00 00 00", "direct 1004>1040"},
        {4, ".byte 0x66, 0xe8, 0x3c, 0x00", "66 e8 3c 00", "direct 1000>1040"},
        {4, "mov 0x1234, %eax; call g", "a1 34 12 00 00 e8 36 00 00 00", "direct 1005>1040"},
};

/* The same from h, back. */
static const struct example backward_examples[] = {
        {8, "jmp g", "eb be", "tail 1080>1040"},
        {8, ".byte 0xe9; .long -0x45", "e9 bb ff ff ff", "tail 1080>1040"},
        {8, "jne g", "75 be", "tail 1080>1040"},
        {8, ".byte 0x0f, 0x85; .long -0x46", "0f 85 ba ff ff ff", "tail 1080>1040"},
        {8, "lea g(%rip), %rcx; jmp *%rcx", "48 8d 0d b9 ff ff ff ff e1", "address 1080>1040, tail 1087>1040"},
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

/* Of lea g(%rip), %rax; an instruction; call *%rax: the calls. */
static const char *calls_behind(const char *instruction, char text[CODE_TEXT])
{
	struct code code = code_of(8);
	uint64_t end = code_put(&code, code_put(&code, CODE_BASE, "48 8d 05 39 00 00 00"), instruction);
	code_put(&code, end, "ff d0 c3");
	return code_calls(&code, text);
}

struct line {
	const char *source, *code;
};

static const struct line bystanders[] = {
        {"mov %rax, 8(%rsp)", "48 89 44 24 08"},
        {"mov %eax, 8(%rsp)", "89 44 24 08"},
        {"test %rax, %rax", "48 85 c0"},
        {"cmp %rax, %rbx", "48 39 c3"},
        {"push %rax", "50"},
        {"nopl (%rax)", "0f 1f 00"},
        {"mov 8(%rsp), %rcx", "48 8b 4c 24 08"},
        {"mov %rax, %rcx", "48 89 c1"},
        {"xor %edi, %edi", "31 ff"},
        {"add $8, %rsp", "48 83 c4 08"},
        {"lea 8(%rax), %rdi", "48 8d 78 08"},
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
        {"xor %eax, %eax", "31 c0"},
        {"mov %rbx, %rax", "48 89 d8"},
        {"mov 8(%rsp), %rax", "48 8b 44 24 08"},
        {"lea 8(%rbx), %rax", "48 8d 43 08"},
        {"mov $1, %al", "b0 01"},
        {"mov $1, %ah", "b4 01"},
        {"mov $1, %ax", "66 b8 01 00"},
        {"mov $1, %eax", "b8 01 00 00 00"},
        {"pop %rax", "58"},
        {"xchg %rax, %rbx", "48 93"},
        {"add %rbx, %rax", "48 01 d8"},
        {"inc %rax", "48 ff c0"},
        {"setne %ah", "0f 95 c4"},
        {"movzbl %bl, %eax", "0f b6 c3"},
        {"imul $3, %rbx, %rax", "48 6b c3 03"},
        {"mul %rbx", "48 f7 e3"},
        {"cpuid", "0f a2"},
        {"syscall", "0f 05"},
        {"lodsb", "ac"},
        {"cltq", "48 98"},
        {"lock cmpxchg %rbx, (%rcx)", "f0 48 0f b1 19"},
        {"xadd %rax, (%rbx)", "48 0f c1 03"},
        {"popcnt %rbx, %rax", "f3 48 0f b8 c3"},
        {"movd %xmm0, %eax", "66 0f 7e c0"},
        {"pextrd $1, %xmm0, %eax", "66 0f 3a 16 c0 01"},
        {"vmovd %xmm0, %eax", "c5 f9 7e c0"},
        {"andn %rbx, %rcx, %rax", "c4 e2 f0 f2 c3"},
        {"in %dx, %eax", "ed"},
        {"cmpxchg16b (%rbx)", "48 0f c7 0b"},
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
