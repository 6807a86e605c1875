/* SPDX-License-Identifier: MIT */
/* Paths from functions without frame information whose return address is in the link register. The host finds no call
 * of them at that address, so only a row shows that the register can be trusted. */
#include "../workshop.h"
#include "stacks.h"

ALL_TESTS(workshop_open, workshop_close);

static struct stacks_case called_from_task(const char *place)
{
	return (struct stacks_case){
	        .stack = {.pc = stacks_at(place), .lr = stacks_return("task_return")},
	        .words = {3, 0},
	        .word_count = 2,
	};
}

THUMB_TEST(leaf_returns_by_its_link_register_from_each_place)
{
	static const char *const places[] = {"copying", "copying_loop", "copying_end"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case item = called_from_task(places[i]);

		stacks_expect(&item, UNWIND_TASK, RETURNS("task_return"));
	}
}

THUMB_TEST(functions_that_may_lose_their_return_have_no_rows)
{
	static const char *const places[] = {"spoiling", "calling", "releasing", "continuing",
	                                     "ending",   "moving",  "bare"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case item = called_from_task(places[i]);

		stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	}
}

static void check_riscv(unsigned bits)
{
	stacks_open_riscv(bits);
	struct stacks_case item = stacks_in_trap("filling_loop");
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("outer_return", "handler_return", "trap_entry_return"));
	item.stack.pc = stacks_at("linking");
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
}

TEST(riscv_leaf_returns_by_its_link_register)
{
	check_riscv(32);
	check_riscv(64);
}
