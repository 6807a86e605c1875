/* SPDX-License-Identifier: MIT */
/*
 * Registers and stack after the compilers' hooks: each is called with known values in all registers, on a stack of its
 * own, on every path through the recorder. Registers that the ABI lets a caller rely on must keep their values, the
 * stack above the call must not change, and the counts must show that the intended path was taken. Prints a line per
 * call and ends the emulator.
 */
#include "../check.h"
#include "board.h"
#include "call.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>
#include <stddef.h>

/* The minimum: the table is soon full. */
#define ARCS 8u
#define BINS 16u

BAREPROF_DEFINE(ARCS, BAREPROF_BINS(BINS), .board = BOARD_NAME);

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* The stack of the calls, filled with one value, and how many of its words are above the stack pointer. */
#define STACK_WORDS       128u
#define STACK_WORDS_ABOVE 16u
#define STACK_FILL        ((uintptr_t)0xC5A3C5A3C5A3C5A3u)

static _Alignas(16) volatile uintptr_t stack[STACK_WORDS];
static volatile uintptr_t *const stack_at_call = stack + STACK_WORDS - STACK_WORDS_ABOVE;

/* A hook, and the registers that it must keep. */
struct hook {
	const char *name;
	void (*call)(const uintptr_t *before, uintptr_t *after);
	uint32_t keeps;
	uint32_t caller; /* the register that says who called */
	bool records;
};

static const struct hook hooks[] = {
        {MCOUNT_NAME, call_mcount, MCOUNT_KEEPS, MCOUNT_CALLER, true},
        {"__cyg_profile_func_enter", call_enter, FUNCTION_KEEPS, SECOND_ARGUMENT, true},
        {"__cyg_profile_func_exit", call_exit, FUNCTION_KEEPS, SECOND_ARGUMENT, false},
};

void work_interrupt(void)
{
	board_work_acknowledge();
}

static volatile uint32_t *arc(uint32_t index)
{
	return block_word((uint32_t)(BAREPROF_HEADER_SIZE(sizeof(uintptr_t)) + index * BAREPROF_ARC_SIZE));
}

static volatile uint32_t *arc_count(uint32_t index)
{
	return arc(index) + BAREPROF_ARC_COUNT(sizeof(uintptr_t)) / sizeof(uint32_t);
}

static uintptr_t arc_caller(uint32_t index)
{
	return *(volatile uintptr_t *)arc(index);
}

/* A value for each register that no other has. */
static uintptr_t chosen_value(uint32_t number)
{
	return (uintptr_t)0x9E3779B97F4A7C15u * (number + 1u);
}

/* The factor is odd, so any one word that changed shows. */
static uint32_t block_checksum(const struct hook *hook)
{
	uint32_t sum = 0;

	(void)hook;
	for (uint32_t offset = 0; offset < bareprof_layout.block_size; offset += sizeof(uint32_t))
		sum = sum * 31u + *block_word(offset);
	return sum;
}

/* The counts of arcs whose caller is the address that our calls of the hook pass. */
static uint32_t calls_counted(const struct hook *hook)
{
	uint32_t calls = 0;

	for (uint32_t i = 0; i < ARCS; i++)
		if (arc_caller(i) == chosen_value(hook->caller))
			calls += *arc_count(i);
	return calls;
}

static uint32_t increments_lost(const struct hook *hook)
{
	(void)hook;
	return *block_word(BAREPROF_OFFSET_SATURATED);
}

static uint32_t arcs_dropped(const struct hook *hook)
{
	(void)hook;
	return *block_word(BAREPROF_OFFSET_ARCS_DROPPED);
}

static void registers_choose(uintptr_t *registers)
{
	for (uint32_t i = 0; i < REGISTER_COUNT; i++)
		registers[i] = chosen_value(i);
	registers[STACK_POINTER] = (uintptr_t)stack_at_call;
#ifdef GLOBAL_POINTER
	extern const char global_pointer[] __asm("__global_pointer$");

	registers[GLOBAL_POINTER] = (uintptr_t)global_pointer;
#endif
}

static void call(const struct hook *hook, uintptr_t *before, uintptr_t *after)
{
	registers_choose(before);
	for (uint32_t i = 0; i < STACK_WORDS; i++)
		stack[i] = STACK_FILL;
	hook->call(before, after);
}

static void call_once(const struct hook *hook)
{
	uintptr_t before[REGISTER_COUNT];
	uintptr_t after[REGISTER_COUNT];

	call(hook, before, after);
}

/* Bytes below the stack pointer down to the last word that was written. */
static uint32_t stack_depth(void)
{
	volatile uintptr_t *word = stack;

	while (word < stack_at_call && *word == STACK_FILL)
		word++;
	return (uint32_t)((uintptr_t)stack_at_call - (uintptr_t)word);
}

static bool stack_above_is_kept(void)
{
	for (volatile uintptr_t *word = stack_at_call; word < stack + STACK_WORDS; word++)
		if (*word != STACK_FILL)
			return false;
	return true;
}

/* The gate is neither open nor closed, so init does not accept the block. */
static void prepare_uninitialised(const struct hook *hook)
{
	(void)hook;
	for (uint32_t offset = 0; offset < bareprof_layout.block_size; offset += sizeof(uint32_t))
		*block_word(offset) = 0xA5A5A5A5u ^ offset;
}

static void prepare_closed(const struct hook *hook)
{
	prepare_uninitialised(hook);
	bareprof_init();
}

static void prepare_open(const struct hook *hook)
{
	prepare_closed(hook);
	bareprof_start();
}

static void fill_table(void)
{
	for (uintptr_t caller = 0; caller < ARCS; caller++)
		bareprof_arc(2 * caller, 4);
}

static void prepare_full(const struct hook *hook)
{
	prepare_open(hook);
	fill_table();
}

/* No slot is left, so the next call must find the first one. */
static void prepare_known(const struct hook *hook)
{
	prepare_open(hook);
	call_once(hook);
	fill_table();
}

static void prepare_saturated(const struct hook *hook)
{
	prepare_known(hook);
	for (uint32_t i = 0; i < ARCS; i++)
		*arc_count(i) = UINT32_MAX;
}

/* The paths through the recorder: how each is prepared, and the counter that it increments. */
static const struct path {
	const char *name;
	void (*prepare)(const struct hook *hook);
	uint32_t (*counter)(const struct hook *hook);
	bool records;
} paths[] = {
        {"not initialised", prepare_uninitialised, block_checksum, false},
        {"gate closed", prepare_closed, block_checksum, false},
        {"first call", prepare_open, calls_counted, true},
        {"call of a known arc", prepare_known, calls_counted, true},
        {"table full", prepare_full, arcs_dropped, true},
        {"count saturated", prepare_saturated, increments_lost, true},
};

static const char *const register_names[REGISTER_COUNT] = {REGISTER_NAMES};

static void write_hexadecimal(uintptr_t number)
{
	char digits[2 * sizeof number + 1];

	for (uint32_t i = 2 * sizeof number; i-- > 0; number >>= 4)
		digits[i] = "0123456789abcdef"[number & 15u];
	digits[sizeof digits - 1] = '\0';
	board_console_write("0x");
	board_console_write(digits);
}

static void write_reason(bool applies, const char *reason)
{
	if (!applies)
		return;
	board_console_write(": ");
	board_console_write(reason);
}

struct outcome {
	uintptr_t before[REGISTER_COUNT];
	uintptr_t after[REGISTER_COUNT];
	uint32_t changed; /* registers that were to be kept */
	uint32_t depth;
	bool stack_above_is_kept;
	bool path_is_right;
};

static uint32_t changed_registers(uint32_t kept, const uintptr_t *before, const uintptr_t *after)
{
	uint32_t changed = 0;

	for (uint32_t i = 0; i < REGISTER_COUNT; i++)
		changed |= (uint32_t)(before[i] != after[i]) << i;
	return changed & kept;
}

/* A hook that records nothing must not change the block, on any path. */
static void take_path(const struct hook *hook, const struct path *path, struct outcome *outcome)
{
	uint32_t (*const counter)(const struct hook *) = hook->records ? path->counter : block_checksum;

	path->prepare(hook);
	const uint32_t count = counter(hook) + (hook->records && path->records);
	call(hook, outcome->before, outcome->after);
	outcome->changed = changed_registers(hook->keeps, outcome->before, outcome->after);
	outcome->depth = stack_depth();
	outcome->stack_above_is_kept = stack_above_is_kept();
	outcome->path_is_right = counter(hook) == count;
}

static bool outcome_is_good(const struct outcome *outcome)
{
	return outcome->changed == 0 && outcome->depth <= STACK_BYTES_MAX && outcome->stack_above_is_kept &&
	       outcome->path_is_right;
}

static void write_reasons(const struct outcome *outcome)
{
	for (uint32_t i = 0; i < REGISTER_COUNT; i++) {
		if ((outcome->changed >> i & 1u) == 0)
			continue;
		write_reason(true, register_names[i]);
		board_console_write(" was ");
		write_hexadecimal(outcome->before[i]);
		board_console_write(" and is ");
		write_hexadecimal(outcome->after[i]);
	}
	write_reason(outcome->depth > STACK_BYTES_MAX, "too much stack is used");
	write_reason(!outcome->stack_above_is_kept, "the stack above the call is overwritten");
	write_reason(!outcome->path_is_right, "the block shows another path");
}

static void write_outcome(const struct hook *hook, const struct path *path, const struct outcome *outcome)
{
	board_console_write(outcome_is_good(outcome) ? "ok " : "not ok ");
	board_console_write(hook->name);
	board_console_write(" keeps the registers of the ABI, ");
	board_console_write(path->name);
	write_reasons(outcome);
	board_console_write("\n");
}

static void write_depth(const struct hook *hook, const struct path *path, const struct outcome *outcome)
{
	board_console_write("# stack ");
	board_console_write_number(outcome->depth, 10);
	board_console_write(" bytes: ");
	board_console_write(hook->name);
	board_console_write(", ");
	board_console_write(path->name);
	board_console_write("\n");
}

/* Returns how many paths fail. */
static unsigned check_paths(const struct hook *hook)
{
	unsigned failures = 0;

	for (uint32_t i = 0; i < LENGTH(paths); i++) {
		struct outcome outcome = {0};

		take_path(hook, &paths[i], &outcome);
		write_outcome(hook, &paths[i], &outcome);
		write_depth(hook, &paths[i], &outcome);
		failures += !outcome_is_good(&outcome);
	}
	return failures;
}

int main(void)
{
	unsigned failures = 0;

	board_init();
	for (uint32_t i = 0; i < LENGTH(hooks); i++)
		failures += check_paths(&hooks[i]);
	board_exit((int)failures);
}
