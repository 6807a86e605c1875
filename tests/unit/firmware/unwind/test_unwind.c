/* SPDX-License-Identifier: MIT */
/* Unwinding of stacks, written by hand for code of real assemblers. */
#include "../workshop.h"
#include "stacks.h"

#include <string.h>

ALL_TESTS(workshop_open, workshop_close);

/* The stack above the frame of `middle`: r3 and the return address of `run`, which the entry point jumped to. */
#define BELOW_MIDDLE 0x33, 0xFFFFFFFF

/* libdw decompresses sections in place, so a second reader finds them decompressed. */
THUMB_TEST(compressed_sections_are_read_after_lines)
{
	static const char *const formats[] = {"zlib", "zlib-gnu"};
	size_t count = unwinder_row_count(stacks.unwinder);

	assert_in_range(count, 20, 100);
	for (size_t i = 0; i < 2; i++) {
		struct unwinder *unwinder;

		workshop_run("arm-none-eabi-objcopy --compress-debug-sections=%s $WORKSHOP/stacks.elf "
		             "$WORKSHOP/compressed.elf; readelf -SW $WORKSHOP/compressed.elf >$WORKSHOP/sections; "
		             "grep -q ' C  \\|zdebug_frame' $WORKSHOP/sections",
		             formats[i]);
		struct image *image = workshop_image("compressed.elf");
		assert_true(image_has_lines(image));
		assert_success(unwinder_create(image, &unwinder, &failure), &failure);
		assert_int_equal(unwinder_row_count(unwinder), count);
		unwinder_free(unwinder);
	}
}

THUMB_TEST(path_is_the_same_at_each_instruction_of_a_frame)
{
	uint64_t to_run = stacks_return("run_return");
	/* The place, the words of the frame, and whether the registers have the values of the caller. */
	const struct {
		const char *place;
		size_t words;
		bool has_lr, has_fp;
		uint64_t fp;
	} cases[] = {
	        {"middle", 0, true, true, 0},
	        {"middle_pushed", 2, true, true, 0},
	        {"middle_reserved", 4, true, true, 0},
	        {"middle_framed", 4, true, false, STACKS_SP},
	        {"middle_return", 4, false, false, STACKS_SP},
	        {"middle_released", 4, false, false, STACKS_SP + 8},
	        {"middle_popping", 2, false, false, STACKS_SP},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint64_t words[] = {1, 2, 0x77, to_run, BELOW_MIDDLE};
		struct stacks_case item = {
		        .stack = {.pc = stacks_at(cases[i].place),
		                  .lr = cases[i].has_lr ? to_run : 1,
		                  .fp = cases[i].has_fp ? 0x77 : cases[i].fp},
		        .word_count = cases[i].words + 2,
		};

		memcpy(item.words, &words[4 - cases[i].words], item.word_count * sizeof *words);
		stacks_expect(&item, UNWIND_ROOT, RETURNS("run_return"));
	}
}

/* Interrupted in `leaf`, which `middle` called. */
static struct stacks_case in_leaf(void)
{
	struct stacks_case item =
	        STACKS_CASE("leaf", "middle_return", 1, 2, 0x77, stacks_return("run_return"), BELOW_MIDDLE);

	item.stack.fp = STACKS_SP;

	return item;
}

THUMB_TEST(leaf_returns_by_its_link_register)
{
	struct stacks_case item = in_leaf();

	stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
	item.stack.pc |= 1;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
}

THUMB_TEST(entry_point_is_the_root)
{
	struct stacks_case item = {.stack = {.pc = stacks_at("reset"), .lr = 0xFFFFFFFF}};

	stacks_expect(&item, UNWIND_ROOT, NO_RETURNS);
	/* A stale link register of a function that the entry point jumped to: the call there was to another function.
	 */
	item = (struct stacks_case){.stack = {.pc = stacks_at("run"), .lr = stacks_return("reset") + 4}};
	stacks_expect(&item, UNWIND_ROOT, NO_RETURNS);
	item.stack.pc = stacks_at("setup");
	stacks_expect(&item, UNWIND_ROOT, RETURNS("reset_return"));
}

/* A core does not use the entry point of the ELF: the vector table shows where paths end, and which functions are
 * handlers. */
TEST(entry_point_that_no_vector_leads_to_is_not_the_root)
{
	static const char *const entries[] = {"middle", "caller_of_bare", "switching"};

	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		stacks_open_thumb_at(entries[i]);
		struct stacks_case item =
		        STACKS_CASE("leaf", "middle_return", 1, 2, 0x77, stacks_return("run_return"), BELOW_MIDDLE);
		item.stack.fp = STACKS_SP;
		stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
		item.stack.pc = stacks_at("switching_return");
		item.stack.entry = 0xFFFFFFF1;
		stacks_expect(&item, UNWIND_EXCEPTION, NO_RETURNS);
		assert_null(unwinder_called_entry(stacks.unwinder));
	}
}

THUMB_TEST(call_at_the_end_of_a_function_belongs_to_it)
{
	struct stacks_case item =
	        STACKS_CASE("panic", "after_fail", 4, 5, 6, stacks_return("caller_of_fail_return"), 3, 0xFFFFFFF9);

	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("after_fail", "caller_of_fail_return"));
}

THUMB_TEST(return_address_without_thumb_bit_is_bad)
{
	struct stacks_case item = in_leaf();

	item.words[3] &= ~UINT64_C(1);
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return"));
	item = in_leaf();
	item.stack.lr &= ~UINT64_C(1);
	stacks_expect(&item, UNWIND_BAD, NO_RETURNS);
}

THUMB_TEST(short_copy_is_cut_and_states_what_it_needs)
{
	struct stacks_case item = in_leaf();

	for (size_t words = 0; words < 4; words++) {
		item.word_count = words;
		assert_int_equal(stacks_needed(&item, UNWIND_CUT), 16);
	}
	stacks_expect(&item, UNWIND_CUT, RETURNS("middle_return"));
	item.word_count = 4;
	assert_int_equal(stacks_needed(&item, UNWIND_CUT), 24);
	item.stack.size = 23;
	assert_int_equal(stacks_needed(&item, UNWIND_CUT), 24);
}

THUMB_TEST(whole_stack_that_is_too_short_is_bad)
{
	struct stacks_case item = in_leaf();

	item.stack.is_whole = true;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
	item.word_count = 3;
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return"));
}

static struct stacks_case called_leaf(const char *to, uint64_t ra)
{
	struct stacks_case item = STACKS_CASE("leaf", to, 3, ra);

	return item;
}

THUMB_TEST(tasks_end_where_no_call_precedes)
{
	const uint64_t returns[] = {
	        0,         0xFFFFFFFF, stacks_return("panic"), stacks_return("leaf"), stacks_return("middle_framed"),
	        0x20000001};

	for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
		struct stacks_case task = called_leaf("task_return", returns[i]);
		struct stacks_case stray = called_leaf("stray_return", returns[i]);

		stacks_expect(&task, UNWIND_TASK, RETURNS("task_return"));
		stacks_expect(&stray, i < 2 ? UNWIND_TASK : UNWIND_BAD, RETURNS("stray_return"));
	}
}

/* An exit handler right after a call to another function. */
THUMB_TEST(exit_handler_after_a_call_ends_a_task)
{
	struct stacks_case item = called_leaf("task_return", stacks_return("after_fail"));

	stacks_expect(&item, UNWIND_TASK, RETURNS("task_return"));
}

/* A handler in assembly without frame information, as PendSV's in a port of an RTOS. */
THUMB_TEST(handler_without_rows_is_no_task)
{
	const uint32_t entries[] = {0xFFFFFFF1, 0xFFFFFFE1, 0xFFFFFFF9, 0xFFFFFFED, 0xFFFFFFFD};

	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		struct stacks_case item = called_leaf("task_return", 0);

		item.stack.entry = entries[i];
		stacks_expect(&item, i < 2 ? UNWIND_EXCEPTION : UNWIND_TASK, RETURNS("task_return"));
	}
}

/* The same, in the vector table. Its return address is unknown. */
THUMB_TEST(handler_in_the_vector_table_ends_the_path)
{
	struct stacks_case item = called_leaf("switching_return", 0);

	item.stack.entry = 0xFFFFFFF1;
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("switching_return"));
	item.stack.pc = stacks_at("switching_return");
	stacks_expect(&item, UNWIND_EXCEPTION, NO_RETURNS);
	item.stack.entry = 0xFFFFFFF9;
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
}

/* `leaf` is a handler's callee; the handler interrupted `middle`, in whose frame the caller of middle is. */
static struct stacks_case interrupted_middle(uint64_t exc_return, uint64_t xpsr, unsigned padding)
{
	struct stacks_case item = called_leaf("stray_return", exc_return);
	size_t count = item.word_count;

	item.stack.through_interrupts = true;
	const uint64_t frame[] = {0, 1, 2, 3, 12, stacks_return("run_return"), stacks_at("middle"), xpsr};
	memcpy(item.words + count, frame, sizeof frame);
	count += 8 + padding;
	const uint64_t below[] = {BELOW_MIDDLE};
	memcpy(item.words + count, below, sizeof below);
	item.word_count = count + 2;
	return item;
}

/* A handler at the maximum depth interrupted a function that was called by another link register. */
THUMB_TEST(interrupted_code_does_not_exceed_the_maximum_depth)
{
	static uint64_t returns[UNWIND_DEPTH_MAX + 1];
	static uint32_t words[UNWIND_DEPTH_MAX + 8];
	const uint32_t frame[] = {0xFFFFFFF9,
	                          0,
	                          1,
	                          2,
	                          3,
	                          12,
	                          (uint32_t)stacks_return("caller_of_saved_return"),
	                          (uint32_t)stacks_at("saving"),
	                          0};
	const size_t calls = UNWIND_DEPTH_MAX - 1;
	struct unwind_path path = {.returns = returns};
	const struct unwind_stack stack = {
	        .pc = stacks_at("recursive_return"),
	        .sp = STACKS_SP,
	        .bytes = (const uint8_t *)words,
	        .size = sizeof words,
	        .through_interrupts = true,
	};

	for (size_t i = 0; i < calls; i++)
		words[i] = (uint32_t)stacks_return("recursive_return");
	memcpy(words + calls, frame, sizeof frame);
	returns[UNWIND_DEPTH_MAX] = 77;
	unwind(stacks.unwinder, &stack, &path);
	assert_int_equal(path.depth, UNWIND_DEPTH_MAX);
	assert_int_equal(path.end, UNWIND_BAD);
	assert_int_equal(returns[UNWIND_DEPTH_MAX], 77);
}

THUMB_TEST(handlers_lead_to_the_code_that_they_interrupted)
{
	struct stacks_case item = interrupted_middle(0xFFFFFFF9, 0, 0);

	stacks_expect(&item, UNWIND_ROOT, RETURNS("stray_return", "middle_pushed", "run_return"));
	item = interrupted_middle(0xFFFFFFF9, 0x200, 1);
	stacks_expect(&item, UNWIND_ROOT, RETURNS("stray_return", "middle_pushed", "run_return"));
	item = interrupted_middle(0xFFFFFFE9, 0, 18);
	stacks_expect(&item, UNWIND_ROOT, RETURNS("stray_return", "middle_pushed", "run_return"));
	/* On the process stack, and where the copy ends before. */
	item = interrupted_middle(0xFFFFFFFD, 0, 0);
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("stray_return"));
	item = interrupted_middle(0xFFFFFFF9, 0, 0);
	item.word_count -= 4;
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("stray_return"));
}

THUMB_TEST(exception_returns_end_handlers)
{
	const uint64_t returns[] = {0xFFFFFFF1, 0xFFFFFFE9, 0xFFFFFFFD, 0xFFFFFFBC, 0xFFFFFFB8, 0xFEFFFFFF, 0xFEFFFFFE};

	for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
		struct stacks_case item = called_leaf("stray_return", returns[i]);

		stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("stray_return"));
		item.stack.pc = stacks_at("bare");
		item.stack.lr = returns[i];
		stacks_expect(&item, UNWIND_EXCEPTION, NO_RETURNS);
	}
}

THUMB_TEST(hostile_frame_pointers_are_bad)
{
	/* Below the stack, on itself, misaligned, out of reach, at the ends of the address space. */
	const uint64_t pointers[] = {
	        STACKS_SP - 0x100, STACKS_SP - 16, STACKS_SP + 2, 0x60000000, 0xFFFFFFF0, 0xFFFFFFFF, 0};

	for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
		struct stacks_case item = in_leaf();

		item.stack.fp = pointers[i];
		stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return"));
	}
	struct stacks_case item = in_leaf();
	item.stack.sp = STACKS_SP + 2;
	stacks_expect(&item, UNWIND_BAD, NO_RETURNS);
	item.stack.sp = 0xFFFFFFFC;
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return"));
}

/* A frame in which the frame pointer leads back to the same frame. */
THUMB_TEST(cyclic_frames_are_bad)
{
	struct stacks_case item = in_leaf();

	item.words[2] = STACKS_SP;
	item.words[3] = stacks_return("middle_return");
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return", "middle_return"));
}

THUMB_TEST(filtered_words_suffice)
{
	static const uint8_t kept[] = {0x2C};
	struct stacks_case item = in_leaf();

	/* Words 2, 3 and 5 of 6. */
	item.stack.kept = kept;
	item.stack.size = 24;
	memmove(&item.words[0], &item.words[2], 2 * sizeof *item.words);
	item.words[2] = item.words[5];
	item.word_count = 3;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
}

THUMB_TEST(dropped_return_address_is_bad)
{
	static const uint8_t kept[] = {0x24};
	struct stacks_case item = in_leaf();

	item.stack.kept = kept;
	item.stack.size = 24;
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return"));
}

/* An RTOS may begin a task with 0 as its return address. */
THUMB_TEST(task_ends_at_a_dropped_return_address)
{
	static const uint8_t kept[] = {0x01};
	struct stacks_case task = called_leaf("task_return", 0), stray = called_leaf("stray_return", 0);

	task.stack.kept = stray.stack.kept = kept;
	task.stack.size = stray.stack.size = 8;
	task.word_count = stray.word_count = 1;
	stacks_expect(&task, UNWIND_TASK, RETURNS("task_return"));
	stacks_expect(&stray, UNWIND_BAD, RETURNS("stray_return"));
}

/* The frame pointer of the caller of `middle` was dropped; `run` does not need it. */
THUMB_TEST(dropped_frame_pointer_matters_only_if_needed)
{
	static const uint8_t kept[] = {0x28, 0xFF};
	struct stacks_case item = in_leaf();

	item.stack.kept = kept;
	item.stack.size = 24;
	item.words[0] = item.words[3];
	item.words[1] = item.words[5];
	item.word_count = 2;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("middle_return", "run_return"));
	/* `middle` called itself. */
	item.words[0] = stacks_return("middle_return");
	stacks_expect(&item, UNWIND_BAD, RETURNS("middle_return", "middle_return"));
}

THUMB_TEST(code_without_rows_returns_by_a_proven_link_register)
{
	struct stacks_case item = STACKS_CASE("bare", "caller_of_bare_return", 3, 0);

	stacks_expect(&item, UNWIND_TASK, RETURNS("caller_of_bare_return"));
	item.stack.lr = stacks_return("caller_of_pointer_return");
	stacks_expect(&item, UNWIND_TASK, RETURNS("caller_of_pointer_return"));
	item.stack.lr = stacks_return("task_return");
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	item.stack.lr = stacks_return("middle_framed");
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	item.stack.lr = 0x20000001;
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
}

THUMB_TEST(word_for_the_hook_is_part_of_the_frame)
{
	const uint64_t to_run = stacks_return("run_return");
	struct stacks_case item = {
	        .stack = {.pc = stacks_at("profiled_hook"), .lr = to_run},
	        .words = {to_run, 4, 5, BELOW_MIDDLE},
	        .word_count = 5,
	};

	stacks_expect(&item, UNWIND_ROOT, RETURNS("run_return"));
	item.stack.pc = stacks_at("profiled_caller_hook");
	item.words[2] = to_run;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("run_return"));
	item.words[2] = 5;
	/* In the hook, before its first instruction. */
	item.stack.pc = stacks_at("__gnu_mcount_nc");
	item.stack.lr = stacks_return("profiled_hooked");
	stacks_expect(&item, UNWIND_ROOT, RETURNS("profiled_hooked", "run_return"));
	item.stack.pc = stacks_at("profiled_hooked");
	item.stack.lr = to_run;
	memmove(item.words, item.words + 1, 4 * sizeof *item.words);
	item.word_count = 4;
	stacks_expect(&item, UNWIND_ROOT, RETURNS("run_return"));
	item.stack.pc = stacks_at("profiled_pushed");
	stacks_expect(&item, UNWIND_ROOT, RETURNS("run_return"));
}

/* The link register is that of the handler that called the hook. */
THUMB_TEST(hook_without_rows_is_no_handler)
{
	struct stacks_case item = {
	        .stack = {.pc = stacks_at("_mcount_restored"), .lr = 0xFFFFFFF9, .entry = 0xFFFFFFF1},
	        .words = {3, stacks_return("stray_return"), 3, 0xFFFFFFF9},
	        .word_count = 4,
	};

	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
}

THUMB_TEST(moved_stack_without_rows_is_not_unwound)
{
	struct stacks_case item = STACKS_CASE("moving", "caller_of_pointer_return", 3, 0);

	stacks_expect(&item, UNWIND_TASK, RETURNS("caller_of_pointer_return"));
	item.stack.pc = stacks_at("moved");
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
}

/* After a call by pointer, the link register leads into the function itself. */
THUMB_TEST(stale_link_register_of_code_without_rows_is_refused)
{
	struct stacks_case item = STACKS_CASE("bare_caller_return", "bare_caller_return", 3, 0);

	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	item.stack.pc = stacks_at("leaf");
	stacks_expect(&item, UNWIND_NO_ROW, RETURNS("bare_caller_return"));
}

THUMB_TEST(function_that_lost_its_return_address_has_no_caller)
{
	struct stacks_case item = STACKS_CASE("forever", "caller_of_forever_return", 3, 0);

	stacks_expect(&item, UNWIND_TASK, RETURNS("caller_of_forever_return"));
	item.stack.pc = stacks_at("forever_return");
	item.stack.lr = stacks_return("forever_return");
	stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	item.stack.pc = stacks_at("leaf");
	stacks_expect(&item, UNWIND_NO_ROW, RETURNS("forever_return"));
}

THUMB_TEST(function_without_return_address_is_a_task)
{
	struct stacks_case item = called_leaf("outermost_return", 0);

	stacks_expect(&item, UNWIND_TASK, RETURNS("outermost_return"));
}

THUMB_TEST(addresses_outside_code_have_no_row)
{
	struct stacks_case item = {.stack = {.pc = 0x20000000, .lr = stacks_return("middle_return")}};

	for (size_t i = 0; i < 2; i++) {
		stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
		item.stack.pc = UINT64_MAX;
	}
}

static void check_riscv(unsigned bits)
{
	uint64_t word = bits / 8, frame = 16 / word;

	stacks_open_riscv(bits);
	const struct {
		const char *place;
		bool is_reserved, has_lr, has_fp;
	} cases[] = {
	        {"middle", false, true, true},          {"middle_reserved", true, true, true},
	        {"middle_stored", true, true, true},    {"middle_framed", true, false, false},
	        {"middle_return", true, false, false},  {"middle_loaded", true, true, true},
	        {"middle_released", false, true, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stacks_case item = {
		        .stack = {.pc = stacks_at(cases[i].place),
		                  .lr = cases[i].has_lr ? stacks_at("reset_return") : 2,
		                  .fp = cases[i].has_fp ? 0x77 : STACKS_SP + 16},
		        .word_count = cases[i].is_reserved ? frame : 0,
		};

		item.words[frame - 1] = stacks_at("reset_return");
		item.words[frame - 2] = 0x77;
		stacks_expect(&item, UNWIND_ROOT, RETURNS("reset_return"));
	}
	struct stacks_case odd = {.stack = {.pc = stacks_at("leaf"), .lr = stacks_at("middle_return") | 1}};
	stacks_expect(&odd, UNWIND_BAD, NO_RETURNS);
}

TEST(riscv_paths_are_the_same_at_each_instruction)
{
	check_riscv(32);
	check_riscv(64);
}

/* `middle` is called, and the address of `pointed` is taken: linkers set the entry point to such a function if they
 * find no entry symbol. */
TEST(riscv_entry_point_that_code_names_is_not_the_root)
{
	static const char *const entries[] = {"middle", "pointed"};

	for (size_t i = 0; i < 2; i++) {
		stacks_open_riscv_at(32, entries[i]);
		struct stacks_case item = STACKS_CASE("leaf", i == 0 ? "middle_return" : "pointed_return", 0, 0, 0,
		                                      stacks_at(i == 0 ? "reset_return" : "caller_of_pointer_return"));
		item.stack.fp = STACKS_SP + 16;
		stacks_expect(&item, UNWIND_ROOT,
		              i == 0 ? RETURNS("middle_return", "reset_return")
		                     : RETURNS("pointed_return", "caller_of_pointer_return"));
		const struct image_function *called = unwinder_called_entry(stacks.unwinder);
		if (i == 0)
			assert_string_equal(called->name, "middle");
		else
			assert_null(called);
	}
}

TEST(riscv_trap_entry_ends_the_path)
{
	stacks_open_riscv(32);
	struct stacks_case item = STACKS_CASE("leaf", "handler_return", 0, 0, 0, stacks_at("trap_entry_return"));
	stacks_expect(&item, UNWIND_EXCEPTION, RETURNS("handler_return", "trap_entry_return"));
	item.stack.pc = stacks_at("trap_entry");
	stacks_expect(&item, UNWIND_EXCEPTION, NO_RETURNS);
}

/* The other link register is not in slices, so that the call of `save` is found in the function that makes it. */
TEST(riscv_save_functions_return_to_the_function_that_saves)
{
	static const char *const places[] = {"save", "save_reserved"};

	for (size_t i = 0; i < 4; i++) {
		stacks_open_riscv(i < 2 ? 32 : 64);
		struct stacks_case item = {
		        .stack = {.pc = stacks_at(places[i % 2]), .lr = stacks_at("caller_of_saver_return")},
		        .word_count = 8,
		};
		stacks_expect(&item, UNWIND_NO_ROW, RETURNS("saver_return", "caller_of_saver_return"));
		item.stack.lr = stacks_at("caller_of_late_saver_return");
		stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
		item.stack.lr = stacks_at("caller_of_pointer_return");
		item.stack.pc = stacks_at("save_reserved");
		stacks_expect(&item, UNWIND_NO_ROW, NO_RETURNS);
	}
}
