/* SPDX-License-Identifier: MIT */
/* Something to profile, the same in each environment: sorts random numbers. All of bareprof is in sampling.c. */
#include <stdint.h>

#define COUNT 64

void sampling_begin(void);

static uint16_t numbers[COUNT];

static __attribute__((noinline)) void draw_numbers(void)
{
	static uint32_t random;

	for (uint32_t i = 0; i < COUNT; i++) {
		random = random * 1664525u + 1013904223u;
		numbers[i] = (uint16_t)(random >> 16);
	}
}

static __attribute__((noinline)) void insert_number(uint32_t place)
{
	const uint16_t number = numbers[place];

	for (; place > 0 && numbers[place - 1] > number; place--)
		numbers[place] = numbers[place - 1];
	numbers[place] = number;
}

static __attribute__((noinline)) void sort_numbers(void)
{
	for (uint32_t i = 1; i < COUNT; i++)
		insert_number(i);
}

int main(void)
{
	sampling_begin();
	for (;;) {
		draw_numbers();
		sort_numbers();
	}
}
