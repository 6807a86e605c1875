/* SPDX-License-Identifier: MIT */
/* Paths from subroutines within functions. */
#include "../workshop.h"
#include "stacks.h"

ALL_TESTS(workshop_open, workshop_close);

/* The path at a place in a function that a task called, with one word and its return address on the stack. */
static void expect_path(const char *place, const char *link, const char *const *returns)
{
	struct stacks_case item = STACKS_CASE(place, link, 4, stacks_return("task_return"), 3, 0);

	stacks_expect(&item, UNWIND_TASK, returns);
}

THUMB_TEST(subroutine_returns_into_its_function)
{
	expect_path("product_subroutine", "product_return", RETURNS("product_return", "task_return"));
	expect_path("product_leaving", "product_return", RETURNS("product_return", "task_return"));
	expect_path("product_return", "product_return", RETURNS("task_return"));
}

THUMB_TEST(subroutine_may_go_on_in_another_function)
{
	expect_path("quotient_subroutine", "product_return", RETURNS("product_return", "task_return"));
	expect_path("quotient_subroutine", "quotient_return", RETURNS("quotient_return", "task_return"));
}

THUMB_TEST(code_that_is_reached_in_two_ways_keeps_its_rows)
{
	expect_path("product_shared", "product_return", RETURNS("task_return"));
	expect_path("tabled_subroutine", "task_return", RETURNS("task_return"));
}

THUMB_TEST(row_of_a_subroutine_may_end_within_an_instruction)
{
	expect_path("halved_subroutine", "halved_return", RETURNS("halved_return", "task_return"));
}

THUMB_TEST(subroutine_ends_where_a_register_changes)
{
	expect_path("product_saving", "product_return", RETURNS("product_return", "task_return"));
	expect_path("product_spoiled", "leaf", RETURNS("task_return"));
	expect_path("product_pushed", "product_return", RETURNS("task_return"));
}

static void check_riscv(unsigned bits)
{
	stacks_open_riscv(bits);
	struct stacks_case item = stacks_in_trap("outer_subroutine");
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("outer_return", "handler_return", "trap_entry_return"));
	item.stack.pc = stacks_at("other_subroutine");
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("handler_return", "trap_entry_return"));
}

TEST(riscv_subroutines_are_called_by_the_link_register)
{
	check_riscv(32);
	check_riscv(64);
}
