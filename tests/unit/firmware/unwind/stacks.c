/* SPDX-License-Identifier: MIT */
/* See stacks.h. */
#include "stacks.h"

#include "../workshop.h"

#include <inttypes.h>
#include <string.h>

#define SOURCES "tests/unit/firmware/unwind/firmware"

struct stacks stacks;

static void free_unwinder(void *unwinder)
{
	unwinder_free(unwinder);
}

static void open_elf(void)
{
	stacks.image = workshop_image("stacks.elf");
	assert_success(unwinder_create(stacks.image, &stacks.unwinder, &failure), &failure);
	release_later(stacks.unwinder, free_unwinder);
}

void stacks_open_riscv_at(unsigned bits, const char *entry)
{
	workshop_run("riscv64-unknown-elf-gcc -march=rv%uimac -mabi=%s -nostdlib "
	             "-Wl,-Ttext=0x80000000,--entry=%s " SOURCES "/riscv.S -o $WORKSHOP/stacks.elf",
	             bits, bits == 64 ? "lp64" : "ilp32", entry);
	open_elf();
}

void stacks_open_riscv(unsigned bits)
{
	stacks_open_riscv_at(bits, "reset");
}

void stacks_open_thumb_at(const char *entry)
{
	workshop_run("arm-none-eabi-gcc -g -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-Ttext=0x8000,--entry=%s "
	             "-Wl,--no-warnings " SOURCES "/thumb.S -o $WORKSHOP/stacks.elf",
	             entry);
	open_elf();
}

int stacks_set_up_thumb(void **state)
{
	(void)state;
	stacks_open_thumb_at("reset");
	return 0;
}

uint64_t stacks_at(const char *name)
{
	uint64_t value;

	if (!image_symbol(stacks.image, name, &value))
		fail_msg("no symbol %s", name);
	return value & ~image_thumb_bit(stacks.image);
}

uint64_t stacks_return(const char *name)
{
	return stacks_at(name) | image_thumb_bit(stacks.image);
}

struct stacks_case stacks_case(const char *place, const char *link, const uint64_t *words, size_t count)
{
	struct stacks_case item = {
	        .stack = {.pc = stacks_at(place), .lr = stacks_return(link)},
	        .word_count = count,
	};

	memcpy(item.words, words, count * sizeof *words);
	return item;
}

struct stacks_case stacks_in_trap(const char *place)
{
	size_t frame = 16 / stacks.image->address_size;
	struct stacks_case item = {
	        .stack = {.pc = stacks_at(place), .lr = stacks_at("outer_return")},
	        .word_count = 2 * frame,
	};

	item.words[frame - 1] = stacks_at("handler_return");
	item.words[2 * frame - 1] = stacks_at("trap_entry_return");
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

static struct unwind_path unwind_case(const struct stacks_case *item)
{
	uint8_t bytes[STACKS_WORDS_MAX * 8];
	size_t word_size = stacks.image->address_size;
	struct unwind_stack stack = item->stack;
	struct unwind_path path = {.returns = returns_to};

	for (size_t i = 0; i < item->word_count; i++)
		memcpy(bytes + i * word_size, &item->words[i], word_size);
	stack.bytes = bytes;
	stack.size = stack.size == 0 ? item->word_count * word_size : stack.size;
	stack.sp = stack.sp == 0 ? STACKS_SP : stack.sp;
	unwind(stacks.unwinder, &stack, &path);
	return path;
}

void stacks_expect(const struct stacks_case *item, enum unwind_end end, const char *const *returns)
{
	struct unwind_path path = unwind_case(item);

	for (size_t i = 0; returns[i] != NULL && i < path.depth; i++)
		if (path.returns[i] != stacks_at(returns[i]))
			fail_msg("return %zu to %" PRIx64 ", not to %s", i, path.returns[i], returns[i]);
	size_t count = 0;
	while (returns[count] != NULL)
		count++;
	assert_int_equal(path.depth, count);
	assert_string_equal(name_of(path.end), name_of(end));
}

uint64_t stacks_needed(const struct stacks_case *item, enum unwind_end end)
{
	struct unwind_path path = unwind_case(item);

	assert_string_equal(name_of(path.end), name_of(end));
	return path.needed;
}
