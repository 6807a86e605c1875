/* SPDX-License-Identifier: MIT */
/*
 * Calls as they stand in real code, on a board whose code lies in RAM: where a function is to begin and where it is to
 * return to, there are two instructions, put there at start, and the hook is entered as that function would enter it.
 * LOAD per cent of the table are filled so, then each of these arcs is called once more between measured_begin() and
 * measured_end(), for a plugin of QEMU to count.
 */
#include "board.h"

#include <bareprof/bareprof.h>

#define ARCS  256u
#define CALLS (ARCS * LOAD / 100u)

BAREPROF_DEFINE(ARCS, BAREPROF_BINS(16), .board = BOARD_NAME);

struct call {
	uint32_t caller;
	uint32_t callee;
};

static const struct call calls[] = {
#include "calls.inc"
};
_Static_assert(sizeof calls / sizeof *calls >= CALLS, "too few calls");

#define BX_LR 0x4770u /* the callee returns, */
#define BX_R4 0x4720u /* and so does the caller, to enter_hook() */

void measured_begin(void);
void measured_end(void);
void enter_hook(uint32_t caller, uint32_t callee);

void work_interrupt(void)
{
	board_work_acknowledge();
}

__attribute__((noinline)) void measured_begin(void)
{
	__asm volatile("");
}

__attribute__((noinline)) void measured_end(void)
{
	__asm volatile("");
}

static void put(uint32_t address, uint16_t instruction)
{
	*(volatile uint16_t *)(uintptr_t)(address & ~1u) = instruction;
}

static void call_each(void)
{
	for (uint32_t i = 0; i < CALLS; i++)
		enter_hook(calls[i].caller, calls[i].callee);
}

int main(void)
{
	board_init();
	for (uint32_t i = 0; i < CALLS; i++) {
		put(calls[i].callee, BX_LR);
		put(calls[i].caller, BX_R4);
	}
	__asm volatile("dsb\n\tisb" : : : "memory");
	bareprof_init();
	bareprof_start();
	call_each();
	measured_begin();
	call_each();
	measured_end();
	board_exit(0);
}
