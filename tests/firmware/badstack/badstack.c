/* SPDX-License-Identifier: MIT */
/*
 * Stack pointers that lead nowhere: interrupts on such stacks, where the core can push registers there, and calls of
 * the recorder with forged registers. Any access to the memory around the stack is a fault, after which the firmware
 * does not come to its end. Prints a line per check and ends the emulator.
 */
#include "../check.h"
#include "board.h"
#include "guard.h"
#include "hostile.h"

#if defined __has_include && !defined BOARD_IS_NONSECURE
#if __has_include("worlds.h")
#include "worlds.h"
#define IS_SECURE_IMAGE 1
#endif
#endif

#ifndef COPIES_SECURE_STACK
#define COPIES_SECURE_STACK 1
#endif

#define WORD         sizeof(uintptr_t)
#define STACK_BYTES  512u
#define RANDOM_CALLS 20000u
#define FILL         ((uintptr_t)0xC5A3C5A3C5A3C5A3u)

static __attribute__((aligned(GUARD_BYTES))) struct {
	uint8_t guard_below[GUARD_BYTES];
	uintptr_t stack[STACK_BYTES / WORD];
	uint8_t guard_above[GUARD_BYTES];
	uintptr_t elsewhere[STACK_BYTES / WORD];
} memory;

#define STACK_START ((uintptr_t)memory.stack)
#define STACK_END   ((uintptr_t)memory.guard_above)

/* RAM of Non-secure code, for a Secure image. */
#ifdef IS_SECURE_IMAGE
#define OTHER_STACK       0x28200000u
#define OTHER_STACK_BYTES 1024u
#else
#define OTHER_STACK       0
#define OTHER_STACK_BYTES 0
#endif

BAREPROF_DEFINE(8, BAREPROF_GRANULES(8, 64, 4), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD,
                .stacks = {{(const char *)memory.stack, (const char *)memory.guard_above},
                           {(const char *)OTHER_STACK, (const char *)(OTHER_STACK + OTHER_STACK_BYTES)}},
                .copies_secure_stack = COPIES_SECURE_STACK);

void work_interrupt(void)
{
	board_work_acknowledge();
}

static volatile uint8_t *section(unsigned place)
{
	const uint32_t entry = BAREPROF_OFFSET_DIRECTORY + place * BAREPROF_ENTRY_SIZE;

	return (volatile uint8_t *)bareprof_block + *block_word(entry + BAREPROF_ENTRY_OFFSET);
}

static volatile uint32_t *total(unsigned item)
{
	return (volatile uint32_t *)section(BAREPROF_DIRECTORY_TOTALS) + item;
}

/* The first slice. */
struct slice {
	uint32_t number;
	uint32_t context;
	uint16_t bytes;
	uint16_t flags;
	uint32_t entry;
	uintptr_t pc, lr, sp, fp;
	uintptr_t words[];
};
static const volatile struct slice *slice(void)
{
	return (const volatile struct slice *)section(BAREPROF_DIRECTORY_SLICES);
}

static void acknowledge(uint32_t clock_units)
{
	(void)clock_units;
}

/* The next tick goes to the first slice. */
static void begin(void)
{
	*total(BAREPROF_STACK_TOTAL_OFFERED) = 0;
	*total(BAREPROF_STACK_TOTAL_BAD) = 0;
}

static bool is_refused(void)
{
	return slice()->number == 1 && slice()->flags == BAREPROF_SLICE_IS_BAD && slice()->bytes == 0 &&
	       *total(BAREPROF_STACK_TOTAL_BAD) == *total(BAREPROF_STACK_TOTAL_OFFERED);
}

static bool holds(uintptr_t sp, uint32_t bytes, uint32_t flags)
{
	return slice()->number == 1 && slice()->flags == flags && slice()->bytes == bytes && slice()->sp == sp &&
	       *total(BAREPROF_STACK_TOTAL_BAD) == 0;
}

/* The registers at `bottom` are those that the core would have pushed, where it does. */
static void tick_forged(uintptr_t bottom, uint32_t entry)
{
	const struct bareprof_interrupted interrupted = hostile_interrupted(bottom, entry);

	begin();
	bareprof_stack_tick((uintptr_t)core_program_counter(), acknowledge, &interrupted);
}

/* One or more ticks of the timer. */
static void tick_on(uintptr_t sp)
{
	begin();
	hostile_wait(sp, block_word(BAREPROF_OFFSET_TICKS));
}

static int check_forged(void)
{
	const uintptr_t outside[] = {
	        0,
	        WORD,
	        UINTPTR_MAX,
	        UINTPTR_MAX - WORD + 1,
	        (uintptr_t)0 - HOSTILE_PUSHED_BYTES,
	        HOSTILE_DEVICE,
	        (uintptr_t)memory.guard_below,
	        STACK_START - WORD,
	        STACK_START - 32,
	        STACK_END + WORD,
	        STACK_END + GUARD_BYTES / 2,
	        (uintptr_t)memory.elsewhere,
	        (uintptr_t)&bareprof_layout,
	};
	const uintptr_t top = STACK_END - HOSTILE_PUSHED_BYTES;
	bool are_refused = true;
	int failures = 0;

	for (unsigned i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		tick_forged(outside[i], HOSTILE_ENTRY);
		are_refused &= is_refused();
	}
	failures += check("stack pointers outside the stack are refused", are_refused);
	tick_forged(STACK_START + 1, HOSTILE_ENTRY);
	are_refused = is_refused();
	tick_forged(STACK_START + 2, HOSTILE_ENTRY);
	failures += check("unaligned stack pointers are refused", are_refused && is_refused());
	tick_forged(top - WORD, HOSTILE_ENTRY);
	failures += check("last word of the stack is copied",
	                  holds(STACK_END - WORD, WORD, BAREPROF_SLICE_IS_WHOLE) && slice()->words[0] == FILL);
	tick_forged(top, HOSTILE_ENTRY);
	failures += check("empty stack is copied", holds(STACK_END, 0, BAREPROF_SLICE_IS_WHOLE));
	tick_forged(STACK_START, HOSTILE_ENTRY);
	failures += check("full stack is copied up to the size of a slice",
	                  holds(STACK_START + HOSTILE_PUSHED_BYTES, BAREPROF_STACK_BYTES, 0));
	return failures;
}

/* Among them are some in the stack, which are copied. */
static int check_random(void)
{
	uint32_t random = 1;
	uint32_t in_stack = 0;
	bool are_right = true;

	for (uint32_t i = 0; i < RANDOM_CALLS; i++) {
		random = random * 69069u + 1u;
		const uintptr_t near = (uintptr_t)&memory + (random >> 20) - GUARD_BYTES;
		const uintptr_t bottom = i % 2 == 0 ? (uintptr_t)random << (WORD * 8u - 32u) : near;

		tick_forged(bottom, HOSTILE_ENTRY);
		if (slice()->flags == BAREPROF_SLICE_IS_BAD)
			continue;
		in_stack++;
		are_right &= bottom >= STACK_START && slice()->sp + slice()->bytes <= STACK_END && bottom % WORD == 0;
	}
	return check("random stack pointers are refused outside the stack", are_right && in_stack > 100);
}

static int check_interrupts(void)
{
	int failures = 0;

	tick_on(STACK_END - WORD);
	failures += check("an interrupt at the last word of the stack copies it",
	                  holds(STACK_END - WORD, WORD, BAREPROF_SLICE_IS_WHOLE) && slice()->words[0] == FILL);
	tick_on(STACK_END);
	failures +=
	        check("an interrupt on an empty stack copies nothing", holds(STACK_END, 0, BAREPROF_SLICE_IS_WHOLE));
	tick_on((uintptr_t)memory.elsewhere + STACK_BYTES);
	failures += check("an interrupt on a stack in no range is refused", is_refused());
#ifdef HOSTILE_UNALIGNED
	tick_on(STACK_END - WORD + 1);
	failures += check("an interrupt with an unaligned stack pointer is refused", is_refused());
#endif
	return failures;
}

#ifdef __arm__

#define NOTHING_IS_KNOWN (slice()->lr == 0 && slice()->sp == 0 && slice()->fp == 0 && slice()->bytes == 0)

/* The frame with FPU registers, on architectures that may have them, and the padding that aligned the frame (Armv7-M
 * ARM B1.5.7). */
static int check_frames(void)
{
	const uintptr_t frame = STACK_START + 64;
	volatile uint32_t *xpsr = (volatile uint32_t *)(frame + 28);
	int failures = 0;

	*xpsr = 0x01000200u;
	tick_forged(frame, HOSTILE_ENTRY);
	failures += check("SP is above the padding", holds(frame + 36, BAREPROF_STACK_BYTES, 0));
#if defined __ARM_ARCH_7EM__ || defined __ARM_ARCH_8M_MAIN__
	tick_forged(frame, HOSTILE_ENTRY & ~0x10u);
	failures += check("SP is above FPU registers and padding", holds(frame + 108, BAREPROF_STACK_BYTES, 0));
	*xpsr = 0x01000000u;
	tick_forged(frame, HOSTILE_ENTRY & ~0x10u);
	failures += check("SP is above FPU registers", holds(frame + 104, BAREPROF_STACK_BYTES, 0));
	tick_forged(STACK_END - 100, HOSTILE_ENTRY & ~0x10u);
	failures += check("FPU registers beyond the stack are refused", is_refused());
#else
	*xpsr = 0x01000000u;
#endif
	*(volatile uint32_t *)(STACK_END - 4) = 0x200u;
	tick_forged(STACK_END - 32, HOSTILE_ENTRY);
	failures += check("padding beyond the stack is refused", is_refused());
	*(volatile uint32_t *)(STACK_END - 4) = (uint32_t)FILL;
	return failures;
}

#if __ARM_ARCH >= 8
/* EXC_RETURN with the states of the interrupted code and of this handler (Armv8-M ARM D1.2). */
#define NONSECURE_BY_SECURE 0xFFFFFFBDu
#define SECURE_BY_SECURE    0xFFFFFFFDu
#define SECURE_BY_NONSECURE 0xFFFFFFFCu

static int check_states(void)
{
	int failures = 0;

#ifdef IS_SECURE_IMAGE
	const uintptr_t other_end = OTHER_STACK + OTHER_STACK_BYTES;

	tick_forged(STACK_START, NONSECURE_BY_SECURE);
	failures += check("Non-secure code with its stack pointer in Secure memory is refused", is_refused());
	tick_forged(OTHER_STACK, NONSECURE_BY_SECURE);
	failures += check("stack of Non-secure code is copied", holds(OTHER_STACK + 32, BAREPROF_STACK_BYTES, 0));
	tick_forged(other_end - 40, NONSECURE_BY_SECURE);
	failures += check("end of the stack of Non-secure code is copied",
	                  holds(other_end - 8, 8, BAREPROF_SLICE_IS_WHOLE));
	tick_forged(STACK_START, SECURE_BY_SECURE);
	if (COPIES_SECURE_STACK)
		failures += check("stack of Secure code is copied where that is configured",
		                  holds(STACK_START + 32, BAREPROF_STACK_BYTES, 0));
	else
		failures += check("stack of Secure code is withheld",
		                  slice()->flags == BAREPROF_SLICE_IS_WITHHELD && NOTHING_IS_KNOWN);
#endif
	tick_forged(0, SECURE_BY_NONSECURE);
	failures += check("Secure code is withheld from a Non-secure handler",
	                  slice()->flags == BAREPROF_SLICE_IS_WITHHELD && NOTHING_IS_KNOWN);
	return failures;
}
#else
static int check_states(void)
{
	return 0;
}
#endif

#else

static int check_frames(void)
{
	return 0;
}

static int check_states(void)
{
	return 0;
}

#endif

int main(void)
{
	int failures = 0;

	board_init();
	core_interrupts_save();
#ifdef IS_SECURE_IMAGE
	worlds_split();
#endif
	for (unsigned i = 0; i < STACK_BYTES / WORD; i++)
		memory.stack[i] = FILL;
	failures +=
	        check("memory around the stack is forbidden, or there is no MPU",
	              guard_two((uintptr_t)memory.guard_below, (uintptr_t)memory.guard_above) == HOSTILE_HAS_GUARDS);
	bareprof_init();
	bareprof_start();
	if (COPIES_SECURE_STACK) {
		failures += check_forged();
		failures += check_random();
		failures += check_frames();
		board_sampling_start(BOARD_SAMPLING_PERIOD);
		failures += check_interrupts();
	}
	failures += check_states();
	bareprof_stop();
	board_exit(failures);
}
