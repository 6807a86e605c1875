/* SPDX-License-Identifier: MIT */
/* See own.h. */
#include "own.h"

#include <stdbool.h>

#define TASKS      5u
#define DEPTH      24u
#define COPIES     1500u                  /* of each kind */
#define ALIGNED(x) ((x) & ~(uintptr_t)1u) /* without the Thumb bit */

struct own_stack {
	uint32_t depth;
	uintptr_t returns[DEPTH];
};

struct copy {
	bool is_interrupt, is_switch;
	uint32_t task;
	struct own_stack stack;
};

static struct own_stack of_tasks[TASKS], of_interrupt;
static volatile uint32_t task;
static volatile bool in_interrupt;
static volatile bool ended;
static struct copy points[COPIES], interrupts[COPIES];
static uint32_t point_count, interrupt_count;

UNINSTRUMENTED static struct own_stack *running(void)
{
	return in_interrupt ? &of_interrupt : &of_tasks[task];
}

UNINSTRUMENTED void __cyg_profile_func_enter(void *function, void *call_site);
UNINSTRUMENTED void __cyg_profile_func_exit(void *function, void *call_site);

UNINSTRUMENTED void __cyg_profile_func_enter(void *function, void *call_site)
{
	struct own_stack *stack = running();

	(void)function;
	if (stack->depth < DEPTH)
		stack->returns[stack->depth] = ALIGNED((uintptr_t)call_site);
	stack->depth++;
}

UNINSTRUMENTED void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	running()->depth--;
}

/* True if PendSV was entered and has not returned (Armv7-M ARM B3.2.13, SHCSR). */
UNINSTRUMENTED static bool is_in_switch(void)
{
#ifdef __arm__
	return (*(const volatile uint32_t *)0xE000ED24u & 1u << 10) != 0;
#else
	return false;
#endif
}

UNINSTRUMENTED static void copy_stack(struct copy copies[COPIES], uint32_t *count)
{
	const uint32_t number = *count;

	if (number >= COPIES || ended)
		return;
	copies[number] = (struct copy){in_interrupt, is_in_switch(), task, *running()};
	*count = number + 1;
}

/* Not to be interrupted between the first instruction, where the plugin writes, and the copy. */
UNINSTRUMENTED __attribute__((noinline)) static void point(void)
{
	copy_stack(points, &point_count);
}

UNINSTRUMENTED void own_point(void)
{
	unsigned long state = core_interrupts_save();

	point();
	core_interrupts_restore(state);
}

UNINSTRUMENTED void own_interrupt_begin(void)
{
	copy_stack(interrupts, &interrupt_count);
	of_interrupt.depth = 0;
	in_interrupt = true;
}

UNINSTRUMENTED void own_interrupt_end(void)
{
	in_interrupt = false;
}

UNINSTRUMENTED uint32_t own_depth(void)
{
	return running()->depth;
}

UNINSTRUMENTED void own_cut(uint32_t depth)
{
	running()->depth = depth;
}

UNINSTRUMENTED void own_switch(uint32_t next)
{
	task = next;
}

UNINSTRUMENTED static void write_number(uintptr_t number, unsigned base)
{
	board_console_write(" ");
	board_console_write_number(number, base);
}

UNINSTRUMENTED static void write_copies(const char *kind, const struct copy *copies, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct own_stack *stack = &copies[i].stack;

		board_console_write(kind);
		write_number(i + 1, 10);
		write_number(copies[i].is_interrupt, 10);
		write_number(copies[i].is_switch, 10);
		write_number(copies[i].task, 10);
		write_number(stack->depth, 10);
		for (uint32_t k = stack->depth < DEPTH ? stack->depth : DEPTH; k > 0; k--)
			write_number(stack->returns[k - 1], 16);
		board_console_write("\n");
	}
}

UNINSTRUMENTED void own_write(void)
{
	ended = true;
	write_copies("point", points, point_count);
	write_copies("interrupt", interrupts, interrupt_count);
}
