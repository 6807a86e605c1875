/* SPDX-License-Identifier: MIT */
/* Compiled to lines.s: arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -g -S, as if in /firmware. */
int table[16];

static inline int scale(int value)
{
	int scaled = value * 3;
	return scaled ^ value >> 2;
}

__attribute__((noinline)) int sum(const int *values, int count)
{
	int result = 0;
	for (int i = 0; i < count; i++)
		result += scale(values[i]);
	return result;
}

int first(void) __asm__("_ZN5table5firstEv");
__attribute__((noinline)) int first(void)
{
	return scale(table[0]) + 1;
}

int start(void)
{
	return sum(table, 16) + first();
}
