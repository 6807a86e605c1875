/* SPDX-License-Identifier: MIT */
/* A RISC-V interrupt entry compiled with -pg: it would record the interrupted code's ra as its caller. */
void _mcount(void *caller);
volatile int ticks;

__attribute__((no_instrument_function)) void _mcount(void *caller)
{
	(void)caller;
}

__attribute__((interrupt)) void timer_interrupt(void)
{
	ticks++;
}

void start(void)
{
	ticks = 0;
}
