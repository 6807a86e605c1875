/* SPDX-License-Identifier: MIT */
/*
 * A file of a user with the macros of bareprof.h, each followed by SEMICOLON, which may be empty where a macro ends in
 * a function. Timers are in files of their own: a firmware has one.
 */
#include "bareprof.h"

#define MTIME    ((const volatile uint32_t *)0x0200BFF8u)
#define MTIMECMP ((volatile uint32_t *)0x02004000u)

BAREPROF_DEFINE(64, BAREPROF_GRANULES(64, 8, 16), .board = "user", .clock_hz = 1000000, .rate_hz = 1000);
BAREPROF_UNWIND_TABLE(64);
BAREPROF_RING(received, 64);

static size_t uart_write(const uint8_t *bytes, size_t size)
{
	return bareprof_ring_put(&received, bytes, size);
}

static size_t uart_read(uint8_t *bytes, size_t size)
{
	return bareprof_ring_take(&received, bytes, size);
}

BAREPROF_LINK(128, .write = uart_write, .read = uart_read);

static void next_sample(uint32_t clock_units)
{
	(void)clock_units;
}

static void acknowledge(void)
{
	BAREPROF_IN_CONTEXT(1);
}

BAREPROF_TIMER_ISR(timer_interrupt, next_sample);
BAREPROF_FIXED_TIMER_ISR(fixed_interrupt, acknowledge);
#ifdef __riscv
BAREPROF_MTIMER_ISR(machine_timer_interrupt, MTIME, MTIMECMP);
#endif

int main(void)
{
	bareprof_init();
	bareprof_start();
	for (;;)
		bareprof_poll();
}
