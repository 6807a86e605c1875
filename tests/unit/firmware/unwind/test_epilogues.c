/* SPDX-License-Identifier: MIT */
/* Paths from epilogues of which compilers leave out the frame information. */
#include "../workshop.h"
#include "stacks.h"

#include <string.h>

ALL_TESTS(workshop_open, workshop_close);

struct place {
	const char *name;
	size_t words;        /* of the frame that are left, 0 if the link register has the return address */
	bool has_lr, has_fp; /* the registers have the values of the caller */
	uint64_t fp;
};

/* At each place the caller is a task that returns to 0. `caller` is the return address in it. The frame may be NULL if
 * no place has words of it. */
static void expect_task(const struct place *place, const uint64_t *frame, size_t frame_words, const char *caller)
{
	struct stacks_case item = {
	        .stack = {.pc = stacks_at(place->name),
	                  .lr = place->has_lr ? stacks_return(caller) : 1,
	                  .fp = place->has_fp ? 0x77 : place->fp},
	        .words = {0},
	        .word_count = place->words + 2,
	};

	if (place->words > 0)
		memcpy(item.words, frame + frame_words - place->words, place->words * sizeof *frame);
	stacks_expect(&item, UNWIND_TASK, RETURNS(caller));
}

THUMB_TEST(thumb_epilogues_without_rows_are_followed)
{
	static const struct place tail[] = {
	        {"tail_return", 4, false, false, STACKS_SP + 8},
	        {"tail_popping", 3, false, false, STACKS_SP + 4},
	        {"tail_popped", 0, true, true, 0},
	};
	static const struct place early[] = {
	        {"early_released", 2, false, true, 0},      {"early_return", 4, false, true, 0},
	        {"early_released_half", 3, false, true, 0}, {"early_released_again", 2, false, true, 0},
	        {"early_popped", 1, false, true, 0},
	};
	uint64_t to_task = stacks_return("task_return");
	const uint64_t tail_frame[] = {8, 4, 0x77, to_task}, early_frame[] = {1, 2, 4, to_task};

	for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
		expect_task(&tail[i], tail_frame, 4, "task_return");
	for (size_t i = 0; i < sizeof early / sizeof *early; i++)
		expect_task(&early[i], early_frame, 4, "task_return");
}

THUMB_TEST(rising_stack_without_an_exit_is_not_an_epilogue)
{
	const uint64_t frame[] = {4, stacks_return("task_return")};

	expect_task(&(const struct place){"pushing_raised", 2, false, true, 0}, frame, 2, "task_return");
}

THUMB_TEST(stack_pointer_of_a_return_is_that_of_the_caller)
{
	expect_task(&(const struct place){"returning_level", 0, true, true, 0}, NULL, 0, "task_return");
	expect_task(&(const struct place){"returning_return", 0, true, true, 0}, NULL, 0, "task_return");
}

THUMB_TEST(words_popped_right_before_a_return_are_on_the_stack)
{
	static const char *const places[] = {"string_copy_level", "string_copy_return", "string_copy_other_return",
	                                     "popping_level"};
	uint64_t caller = stacks_return("pushing_return"), to_task = stacks_return("task_return");
	struct stacks_case item = {
	        .stack = {.pc = stacks_at("string_copy_pushed"), .lr = caller},
	        .words = {4, 2, to_task, 3, 0},
	        .word_count = 5,
	};

	stacks_expect(&item, UNWIND_TASK, RETURNS("pushing_return", "task_return"));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case other = {
		        .stack = {.pc = stacks_at(places[i]), .lr = caller},
		        .words = {2, to_task, 3, 0},
		        .word_count = 4,
		};

		stacks_expect(&other, UNWIND_TASK, RETURNS("pushing_return", "task_return"));
	}
}

THUMB_TEST(words_pushed_for_a_call_are_part_of_the_frame)
{
	struct stacks_case item = STACKS_CASE("leaf", "dividing_return", 1, 2, stacks_return("task_return"), 3, 0);

	stacks_expect(&item, UNWIND_TASK, RETURNS("dividing_return", "task_return"));
	item.stack.pc = stacks_at("dividing_call");
	stacks_expect(&item, UNWIND_TASK, RETURNS("task_return"));
}

static void check_riscv(unsigned bits)
{
	size_t words = bits == 64 ? 2 : 4;
	const struct place places[] = {
	        {"framed_return", words, false, false, STACKS_SP + 16},
	        {"framed_linked", words, true, false, STACKS_SP + 16},
	        {"framed_loaded", words, true, true, 0},
	        {"framed_released", 0, true, true, 0},
	};

	stacks_open_riscv(bits);
	uint64_t frame[4] = {0};
	frame[words - 1] = stacks_at("handler_return");
	frame[words - 2] = 0x77;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct stacks_case item = {
		        .stack = {.pc = stacks_at(places[i].name),
		                  .lr = places[i].has_lr ? frame[words - 1] : 2,
		                  .fp = places[i].has_fp ? 0x77 : places[i].fp},
		};
		size_t handler = places[i].words + words - 1;

		memcpy(item.words, frame, places[i].words * sizeof *frame);
		item.words[handler] = stacks_at("trap_entry_return");
		item.word_count = handler + 1;
		stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("handler_return", "trap_entry_return"));
	}
	struct stacks_case large = {
	        .stack = {.pc = stacks_at("large_released"), .lr = stacks_at("caller_of_large_return")},
	};
	stacks_expect(&large, UNWIND_NO_ROW, RETURNS("caller_of_large_return"));
}

TEST(riscv_epilogues_without_rows_are_followed)
{
	check_riscv(32);
	check_riscv(64);
}

/* The caller's frame pointer must be right as well, since the caller's own frame is found by it. */
static void check_save_restore(unsigned bits)
{
	static const struct {
		const char *place;
		size_t frame;        /* bytes */
		bool has_lr, has_fp; /* the registers have the values of the caller */
		bool is_saving;
	} cases[] = {
	        {"__riscv_save_4", 0, true, true, true},        {"save_4_reserved", 64, true, true, true},
	        {"save_4_done", 32, true, true, true},          {"restoring_jump", 32, false, false, false},
	        {"__riscv_restore_4", 32, false, false, false}, {"__riscv_restore_0", 16, false, false, false},
	        {"restore_0_framed", 16, false, true, false},   {"restore_0_linked", 16, true, true, false},
	        {"restore_0_released", 0, true, true, false},
	};
	size_t word = bits / 8;

	stacks_open_riscv(bits);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t caller = stacks_at("caller_of_restoring_return");
		uint64_t fp = STACKS_SP + cases[i].frame + 16;
		size_t words = cases[i].frame / word;
		struct stacks_case item = {
		        .stack = {.pc = stacks_at(cases[i].place),
		                  .lr = cases[i].has_lr ? caller : 2,
		                  .fp = cases[i].has_fp ? fp : 1},
		        .word_count = words + 16 / word,
		};

		item.words[words + 16 / word - 1] = stacks_at("reset_return");
		if (words > 0 && !cases[i].is_saving) {
			item.words[words - 1] = caller;
			item.words[words - 2] = fp;
		}
		stacks_expect(&item, UNWIND_ROOT,
		              cases[i].is_saving
		                      ? RETURNS("restoring_saved", "caller_of_restoring_return", "reset_return")
		                      : RETURNS("caller_of_restoring_return", "reset_return"));
	}
}

TEST(save_and_restore_functions_have_rows)
{
	check_save_restore(32);
	check_save_restore(64);
}
