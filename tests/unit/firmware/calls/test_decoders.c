/* SPDX-License-Identifier: MIT */
/* The decoder of each instruction set, by encodings from its manual. */
#include "cases.h"
#include "test.h"

#include <string.h>

extern const struct isa_cases riscv_cases, thumb_cases;

static const struct isa_cases *const isas[] = {&riscv_cases, &thumb_cases};
#define ISA_COUNT (sizeof isas / sizeof *isas)

static void expect_calls(const struct call_case *examples, uint64_t address)
{
	for (; examples->code != NULL; examples++) {
		struct code code = *examples->code;

		code_put(&code, address, examples->bytes);
		code_expect(&code, examples->source, examples->calls);
	}
}

TEST(each_kind_of_call_is_found)
{
	for (size_t i = 0; i < ISA_COUNT; i++)
		expect_calls(isas[i]->calls, F);
}

TEST(backward_calls_are_found)
{
	for (size_t i = 0; i < ISA_COUNT; i++)
		expect_calls(isas[i]->backward_calls, H);
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

TEST(constants_survive_instructions_that_do_not_write_them)
{
	for (size_t i = 0; i < ISA_COUNT; i++)
		for (const struct line *line = isas[i]->preserving; line->source != NULL; line++)
			expect_known(isas[i], line, true);
}

TEST(written_registers_are_no_longer_constant)
{
	for (size_t i = 0; i < ISA_COUNT; i++)
		for (const struct line *line = isas[i]->writing; line->source != NULL; line++)
			expect_known(isas[i], line, false);
}
