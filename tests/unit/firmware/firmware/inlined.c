/* SPDX-License-Identifier: MIT */
/* A function whose first instruction is that of another one, inlined at its top. */
extern volatile int sink;

static inline __attribute__((always_inline)) void disable_interrupts(void)
{
	__asm volatile("cpsid i" ::: "memory");
}

__attribute__((used, noinline)) void begins_inlined(void)
{
	disable_interrupts();
	sink = 1;
}
