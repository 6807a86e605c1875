/* SPDX-License-Identifier: MIT */
/* Paths from functions without frame information whose return address is in the link register. The host finds no call
 * of them at that address, so only a row shows that the register can be trusted. */
#include "../workshop.h"
#include "stacks.h"

ALL_TESTS(workshop_open, workshop_close);

static struct stacks_case called_from_task(const struct stacks *thumb, const char *place)
{
	return (struct stacks_case){
	        .stack = {.pc = stacks_at(thumb, place), .lr = stacks_return(thumb, "task_return")},
	        .words = {3, 0},
	        .word_count = 2,
	};
}

TEST(leaf_returns_by_its_link_register_from_each_place)
{
	static const char *const places[] = {"copying", "copying_loop", "copying_end"};
	struct stacks thumb;

	stacks_open_thumb(&thumb);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case item = called_from_task(&thumb, places[i]);

		stacks_expect(&thumb, &item, UNWIND_TASK, RETURNS("task_return"));
	}
	stacks_close(&thumb);
}

TEST(functions_that_may_lose_their_return_have_no_rows)
{
	static const char *const places[] = {"spoiling", "calling", "releasing", "continuing",
	                                     "ending",   "moving",  "bare"};
	struct stacks thumb;

	stacks_open_thumb(&thumb);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case item = called_from_task(&thumb, places[i]);

		stacks_expect(&thumb, &item, UNWIND_NO_ROW, NO_RETURNS);
	}
	stacks_close(&thumb);
}

static void check_riscv(unsigned bits)
{
	struct stacks stacks;
	size_t words = 16 / (bits / 8);

	stacks_open_riscv(&stacks, bits);
	struct stacks_case item = {
	        .stack = {.pc = stacks_at(&stacks, "filling_loop"), .lr = stacks_at(&stacks, "outer_return")},
	        .word_count = 2 * words,
	};
	item.words[words - 1] = stacks_at(&stacks, "handler_return");
	item.words[2 * words - 1] = stacks_at(&stacks, "trap_entry_return");
	stacks_expect(&stacks, &item, UNWIND_EXCEPTION, RETURNS("outer_return", "handler_return", "trap_entry_return"));
	item.stack.pc = stacks_at(&stacks, "linking");
	stacks_expect(&stacks, &item, UNWIND_NO_ROW, NO_RETURNS);
	stacks_close(&stacks);
}

TEST(riscv_leaf_returns_by_its_link_register)
{
	check_riscv(32);
	check_riscv(64);
}
