/* SPDX-License-Identifier: MIT */
/*
 * Calls in Thumb, by encodings of the Armv8-M ARM (DDI0553, C2.4, by the name of each instruction) and the Armv7-A ARM
 * (DDI0406, A8.8).
 */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct example {
	const char *source, *code, *calls;
};

static const struct example examples[] = {
        {"bl g", "f000 f81e", "direct 1000>1040"},
        {"blx h", "f000 e83e", "direct 1000>1080"},
        {"b.n g", "e01e", "tail 1000>1040"},
        {"b.w g", "f000 b81e", "tail 1000>1040"},
        {"beq.n g", "d01e", "tail 1000>1040"},
        {"bne.w h", "f040 803e", "tail 1000>1080"},
        {"cbz r3, g", "b1f3", "tail 1000>1040"},
        {"nop; b.n f", "bf00 e7fd", ""},
        {"bx lr", "4770", ""},
        {"blx r3", "4798", "indirect 1000"},
        {"ldr r3, 1f; blx r3; b.n f; nop; 1: .word g + 1", "4b01 4798 e7fc bf00 1041 0000", "direct 1002>1040"},
        {"ldr.w r8, 1f; blx r8; b.n f; 1: .word g + 1", "f8df 8004 47c0 e7fb 1041 0000", "direct 1004>1040"},
        {"ldr r3, 1f; bx r3; 1: .word g + 1", "4b00 4718 1041 0000", "tail 1002>1040"},
        {"ldr.w pc, 1f; 1: .word g + 1", "f8df f000 1041 0000", "tail 1000>1040"},
        {"movw r3, #0x1041; movt r3, #0; blx r3", "f241 0341 f2c0 0300 4798", "address 1004>1040, direct 1008>1040"},
        {"movw r3, #0x1041; movs r0, #1; mov r2, r3; blx r2", "f241 0341 2001 461a 4790", "direct 1008>1040"},
        {"adr.w r3, g + 1; blx r3", "f20f 033d 4798", "address 1000>1040, direct 1004>1040"},
        {"movs r3, #0x10; lsls r3, r3, #8; adds r3, #0x41; blx r3", "2310 021b 3341 4798",
         "address 1004>1040, direct 1006>1040"},
        {"ldr r3, 1f; 2: blx r3; bne.n 2b; b.n f; 1: .word g + 1", "4b01 4798 d1fd e7fb 1041 0000", "indirect 1002"},
        {"ldr r3, 1f; bl h; blx r3; b.n f; nop; 1: .word g + 1", "4b02 f000 f83d 4798 e7fa bf00 1041 0000",
         "direct 1002>1080, indirect 1006"},
        {"ldr r3, 1f; svc #0; blx r3; b.n f; 1: .word g + 1", "4b01 df00 4798 e7fb 1041 0000", "indirect 1004"},
        {"ite eq; ldreq r3, 1f; ldrne r3, 2f; blx r3; b.n f; nop; 1: .word g + 1; 2: .word h + 1",
         "bf0c 4b02 4b02 4798 e7fa bf00 1041 0000 1081 0000", "indirect 1006"},
        {"ldr r3, 1f; it eq; blxeq r3; b.n f; 1: .word g + 1", "4b01 bf08 4798 e7fb 1041 0000", "direct 1004>1040"},
        {"ldr r3, 1f; it eq; bxeq r3; blx r3; nop; 1: .word g + 1", "f8df 3008 bf08 4718 4798 bf00 1041 0000",
         "tail 1006>1040, direct 1008>1040"},
        {"it eq; bleq g", "bf08 f000 f81d", "direct 1002>1040"},
        {"wls lr, r0, 1f; 2: bl g; le lr, 2b; 1: bl h; dls lr, r1", "f040 c005 f000 f81c f00f c005 f000 f838 f041 e001",
         "direct 1004>1040, direct 100c>1080"},
        {"ldr r2, 1f; blxns r2; ldr r2, 1f; bxns r2; 1: .word g + 1", "4a01 4794 4a00 4714 1041 0000", "indirect 1002"},
        {"bl 0x2000", "f000 fffe", ""},
};

/* The same from h, back. */
static const struct example backward_examples[] = {
        {"bl g", "f7ff ffde", "direct 1080>1040"},
        {"blx g", "f7ff efde", "direct 1080>1040"},
        {"b.n g", "e7de", "tail 1080>1040"},
        {"b.w g", "f7ff bfde", "tail 1080>1040"},
        {"beq.n g", "d0de", "tail 1080>1040"},
        {"bne.w g", "f47f afde", "tail 1080>1040"},
        {"adr.w r3, g + 1; blx r3", "f2af 0343 4798", "address 1080>1040, direct 1084>1040"},
};

static void each_kind_of_call_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(examples); i++) {
		struct code code = thumb;
		code_put(&code, CODE_BASE, examples[i].code);
		code_expect(&code, examples[i].source, examples[i].calls);
	}
}

static void calls_lead_back_as_well(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(backward_examples); i++) {
		const struct example *example = &backward_examples[i];
		struct code code = thumb;
		code_put(&code, CODE_BASE + 0x80, example->code);
		code_expect(&code, example->source, example->calls);
	}
}

/* Of LDR R3, =g; an instruction; BLX R3: the calls. */
static const char *calls_behind(const char *instruction, char text[CODE_TEXT])
{
	struct code code = thumb;
	uint64_t end = code_put(&code, code_put(&code, CODE_BASE, "4b07"), instruction);
	code_put(&code, end, "4798 4770");
	code_put(&code, CODE_BASE + 0x20, "1041 0000");
	return code_calls(&code, text);
}

struct line {
	const char *source, *code;
};

static const struct line bystanders[] = {
        {"str r3, [r1]", "600b"},
        {"strb r3, [r1, r2]", "548b"},
        {"strh r3, [r1, #2]", "804b"},
        {"str r3, [sp, #4]", "9301"},
        {"push {r3, lr}", "b508"},
        {"cmp r3, #0", "2b00"},
        {"cmp r3, r8", "4543"},
        {"movs r0, #1", "2001"},
        {"adds r0, r3, #1", "1c58"},
        {"ldr r0, [r3]", "6818"},
        {"ldmia r0!, {r1, r2}", "c806"},
        {"cpsid i", "b672"},
        {"nop.w", "f3af 8000"},
        {"dmb", "f3bf 8f5f"},
        {"str.w r3, [r1, #256]", "f8c1 3100"},
        {"strd r0, r1, [r2]", "e9c2 0100"},
        {"add.w r8, r3, #1", "f103 0801"},
        {"vmov s0, r1", "ee00 1a10"},
        {"vldr d0, [r1]", "ed91 0b00"},
        {"umull r0, r1, r2, r2", "fba2 0102"},
        {"sub sp, #8", "b082"},
        {"it eq; moveq r0, r1", "bf08 4608"},
};

static void constants_outlive_what_does_not_write_their_register(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bystanders); i++) {
		char text[CODE_TEXT];
		if (strstr(calls_behind(bystanders[i].code, text), ">1040") == NULL)
			fail_msg("behind %s: '%s'", bystanders[i].source, text);
	}
}

static const struct line writers[] = {
        {"movs r3, r0", "0003"},
        {"movs r3, #1", "2301"},
        {"adds r3, r3, r1", "185b"},
        {"adds r3, #2", "3302"},
        {"subs r3, #1", "3b01"},
        {"ands r3, r1", "400b"},
        {"mov r3, r8", "4643"},
        {"add r3, r8", "4443"},
        {"ldr r3, [r0]", "6803"},
        {"ldrsh r3, [r0, r1]", "5e43"},
        {"ldrb r3, [r0, #1]", "7843"},
        {"ldrh r3, [r0, #2]", "8843"},
        {"ldr r3, [sp, #4]", "9b01"},
        {"add r3, sp, #4", "ab01"},
        {"adr r3, 1f; nop; nop; 1:", "f20f 0304 bf00 bf00"},
        {"uxtb r3, r3", "b2db"},
        {"rev r3, r3", "ba1b"},
        {"pop {r3}", "bc08"},
        {"ldmia r0!, {r1, r3}", "c80a"},
        {"ldmia r3!, {r1, r2}", "cb06"},
        {"stmia r3!, {r1, r2}", "c306"},
        {"svc #0", "df00"},
        {"mov.w r3, #1", "f04f 0301"},
        {"movw r3, #4", "f240 0304"},
        {"mvn.w r3, r1", "ea6f 0301"},
        {"mrs r3, primask", "f3ef 8310"},
        {"ubfx r3, r1, #2, #3", "f3c1 0382"},
        {"ldr.w r3, [r1, #256]", "f8d1 3100"},
        {"ldr r3, [r1], #4", "f851 3b04"},
        {"ldr r1, [r3], #4", "f853 1b04"},
        {"str r1, [r3, #4]!", "f843 1f04"},
        {"ldrd r3, r4, [r1]", "e9d1 3400"},
        {"ldrd r4, r3, [r1]", "e9d1 4300"},
        {"ldrex r3, [r1]", "e851 3f00"},
        {"strex r3, r1, [r2]", "e842 1300"},
        {"ldmia.w r8, {r3, r4}", "e898 0018"},
        {"lsl.w r3, r1, r2", "fa01 f302"},
        {"smull r3, r4, r1, r2", "fb81 3402"},
        {"smull r4, r3, r1, r2", "fb81 4302"},
        {"sdiv r3, r1, r2", "fb91 f3f2"},
        {"mul r3, r1, r2", "fb01 f302"},
        {"clz r3, r1", "fab1 f381"},
        {"vmov r3, s0", "ee10 3a10"},
        {"vmov r4, r3, d0", "ec53 4b10"},
        {"vmov r3, r4, d0", "ec54 3b10"},
        {"vldmia r3!, {d0-d1}", "ecb3 0b04"},
        {"mrc p15, 0, r3, c0, c0, 0", "ee10 3f10"},
        {"lsll r2, r3, #4", "ea52 130f"},
        {"asrl r2, r3, r1", "ea52 132d"},
        {"csel r3, r1, r2, eq", "ea51 8302"},
        {"vmov r3, r2, q0[2], q0[0]", "ec02 0f03"},
        {"vaddv.u32 r2, q1", "fef9 2f02"},
        {"it eq; moveq r3, r1", "bf08 460b"},
};

static void a_written_register_is_no_constant(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(writers); i++) {
		char text[CODE_TEXT];
		if (strstr(calls_behind(writers[i].code, text), ">1040") != NULL)
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
