/* SPDX-License-Identifier: MIT */
/* Functions of a RISC-V firmware, to be compiled with the -pg of a compiler that hands over no return address. */
void _mcount(void *caller);
int twice(int number);
int start(int number);

__attribute__((no_instrument_function)) void _mcount(void *caller)
{
	(void)caller;
}

__attribute__((noinline)) int twice(int number)
{
	return number * 2;
}

int start(int number)
{
	return twice(number) + 1;
}
