/* SPDX-License-Identifier: MIT */
/* See stacks.h. */
#include "stacks.h"

#include "../workshop.h"

#include <string.h>

#define SOURCES "tests/unit/firmware/unwind/firmware"

static void open_elf(struct stacks *stacks)
{
	stacks->image = workshop_image("stacks.elf");
	assert_success(unwinder_create(stacks->image, &stacks->unwinder, &failure), &failure);
}

void stacks_open_riscv_at(struct stacks *stacks, unsigned bits, const char *entry)
{
	workshop_run("riscv64-unknown-elf-gcc -march=rv%uimac -mabi=%s -nostdlib "
	             "-Wl,-Ttext=0x80000000,--entry=%s " SOURCES "/riscv.S -o $WORKSHOP/stacks.elf",
	             bits, bits == 64 ? "lp64" : "ilp32", entry);
	open_elf(stacks);
}

void stacks_open_riscv(struct stacks *stacks, unsigned bits)
{
	stacks_open_riscv_at(stacks, bits, "reset");
}

void stacks_close(struct stacks *stacks)
{
	unwinder_free(stacks->unwinder);
	image_close(stacks->image);
}

struct stacks thumb;

void stacks_open_thumb_at(struct stacks *stacks, const char *entry)
{
	workshop_run("arm-none-eabi-gcc -g -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-Ttext=0x8000,--entry=%s "
	             "-Wl,--no-warnings " SOURCES "/thumb.S -o $WORKSHOP/stacks.elf",
	             entry);
	open_elf(stacks);
}

int stacks_set_up_thumb(void **state)
{
	(void)state;
	stacks_open_thumb_at(&thumb, "reset");
	return 0;
}

int stacks_tear_down_thumb(void **state)
{
	(void)state;
	stacks_close(&thumb);
	return 0;
}

uint64_t stacks_at(const struct stacks *stacks, const char *name)
{
	uint64_t value;

	if (!image_symbol(stacks->image, name, &value))
		fail_msg("no symbol %s", name);
	return value & ~image_thumb_bit(stacks->image);
}

uint64_t stacks_return(const struct stacks *stacks, const char *name)
{
	return stacks_at(stacks, name) | image_thumb_bit(stacks->image);
}

struct stacks_case stacks_in_trap(const struct stacks *stacks, const char *place)
{
	size_t frame = 16 / stacks->image->address_size;
	struct stacks_case item = {
	        .stack = {.pc = stacks_at(stacks, place), .lr = stacks_at(stacks, "outer_return")},
	        .word_count = 2 * frame,
	};

	item.words[frame - 1] = stacks_at(stacks, "handler_return");
	item.words[2 * frame - 1] = stacks_at(stacks, "trap_entry_return");
	return item;
}

static const char *name_of(enum unwind_end end)
{
	static const char *const names[BAREPROF_ENDS] = {
	        [UNWIND_ROOT] = "root",         [UNWIND_TASK] = "task",     [UNWIND_EXCEPTION] = "exception",
	        [UNWIND_CUT] = "cut",           [UNWIND_NO_ROW] = "no row", [UNWIND_BAD] = "bad",
	        [UNWIND_WITHHELD] = "withheld",
	};

	return names[end];
}

static uint64_t returns_to[UNWIND_DEPTH_MAX];

static struct unwind_path unwind_case(const struct stacks *stacks, const struct stacks_case *item)
{
	uint8_t bytes[STACKS_WORDS_MAX * 8];
	size_t word_size = stacks->image->address_size;
	struct unwind_stack stack = item->stack;
	struct unwind_path path = {.returns = returns_to};

	for (size_t i = 0; i < item->word_count; i++)
		memcpy(bytes + i * word_size, &item->words[i], word_size);
	stack.bytes = bytes;
	stack.size = stack.size == 0 ? item->word_count * word_size : stack.size;
	stack.sp = stack.sp == 0 ? STACKS_SP : stack.sp;
	unwind(stacks->unwinder, &stack, &path);
	return path;
}

void stacks_expect(const struct stacks *stacks, const struct stacks_case *item, enum unwind_end end,
                   const char *const *returns)
{
	struct unwind_path path = unwind_case(stacks, item);

	for (size_t i = 0; returns[i] != NULL && i < path.depth; i++)
		if (path.returns[i] != stacks_at(stacks, returns[i]))
			fail_msg("return %zu to %llx, not to %s", i, (unsigned long long)path.returns[i], returns[i]);
	size_t count = 0;
	while (returns[count] != NULL)
		count++;
	assert_int_equal(path.depth, count);
	assert_string_equal(name_of(path.end), name_of(end));
}

uint64_t stacks_needed(const struct stacks *stacks, const struct stacks_case *item, enum unwind_end end)
{
	struct unwind_path path = unwind_case(stacks, item);

	assert_string_equal(name_of(path.end), name_of(end));
	return path.needed;
}
