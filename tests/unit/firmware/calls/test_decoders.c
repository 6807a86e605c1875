/* SPDX-License-Identifier: MIT */
/* The decoder of each instruction set, by encodings from its manual. */
#include "cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_calls(const struct call_case *examples, uint64_t address)
{
	for (; examples->code != NULL; examples++) {
		struct code code = *examples->code;
		code_put(&code, address, examples->bytes);
		code_expect(&code, examples->source, examples->calls);
	}
}

static void each_kind_of_call_is_found(void **state)
{
	const struct isa_cases *cases = *state;
	expect_calls(cases->calls, F);
}

static void backward_calls_are_found(void **state)
{
	const struct isa_cases *cases = *state;
	expect_calls(cases->backward_calls, H);
}

/* Whether the register still holds g at the call after the instruction. */
static void expect_known(const struct isa_cases *cases, const struct line *line, bool is_known)
{
	char text[CODE_TEXT];
	struct code code = *cases->code;
	uint64_t end = code_put(&code, code_put(&code, F, cases->load), line->bytes);
	code_put(&code, end, cases->call);
	code_put(&code, F + 0x20, cases->literal);
	code_calls(&code, text);
	if ((code_has_direct(text) && strstr(text, ">1040") != NULL) != is_known)
		fail_msg("after %s: '%s'", line->source, text);
}

static void constants_survive_instructions_that_do_not_write_them(void **state)
{
	const struct isa_cases *cases = *state;
	for (const struct line *line = cases->preserving; line->source != NULL; line++)
		expect_known(cases, line, true);
}

static void written_registers_are_no_longer_constant(void **state)
{
	const struct isa_cases *cases = *state;
	for (const struct line *line = cases->writing; line->source != NULL; line++)
		expect_known(cases, line, false);
}

/* The four tests of one instruction set. */
#define TESTS_OF(isa, cases)                                                                                           \
	{isa " each_kind_of_call_is_found", each_kind_of_call_is_found, NULL, NULL, (void *)&(cases)},                 \
	        {isa " backward_calls_are_found", backward_calls_are_found, NULL, NULL, (void *)&(cases)},             \
	        {isa " constants_survive_instructions_that_do_not_write_them",                                         \
	         constants_survive_instructions_that_do_not_write_them, NULL, NULL, (void *)&(cases)},                 \
	{                                                                                                              \
		isa " written_registers_are_no_longer_constant", written_registers_are_no_longer_constant, NULL, NULL, \
		        (void *)&(cases)                                                                               \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TESTS_OF("riscv", riscv_cases),
	        TESTS_OF("thumb", thumb_cases),
	        TESTS_OF("x86", x86_cases),
	};
	return cmocka_run_group_tests_name("firmware/calls/decoders", tests, NULL, NULL);
}
