/* SPDX-License-Identifier: MIT */
/* RISC-V: an interrupt entry with and one without instrumentation, and functions that are not interrupt handlers. */
volatile int sink;

__attribute__((interrupt("machine"), used)) void instrumented_entry(void)
{
	sink++;
}

__attribute__((interrupt("machine"), no_instrument_function, used)) void plain_entry(void)
{
	sink--;
}

__attribute__((used, noinline)) void instrumented_function(void)
{
	sink += 2;
}
