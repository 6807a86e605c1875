/* SPDX-License-Identifier: MIT */
/* Rounds of the demo's main loop, in which the kernels work. */
#include "station.h"

#include "board.h"
#include "kernels.h"

#include <stddef.h>

static uint32_t failures;

/* Nothing is measured. */
void work_interrupt(void)
{
	board_work_acknowledge();
}

static uint32_t is_sorted(const struct item items[LIST_LENGTH])
{
	for (uint32_t i = 0; i + 1 < LIST_LENGTH; i++)
		if (items[i].next != &items[i + 1])
			return 0;
	return items[LIST_LENGTH - 1].next == NULL;
}

void run_round(uint32_t round)
{
	static struct matrix matrix;
	static struct item items[LIST_LENGTH];
	static uint32_t first;
	uint32_t result = (uint32_t)matrix_test(&matrix, (int32_t)(round & 15)) + list_test(items, round & 15);

	if (round % 16 == 0 && round > 0)
		failures += result != first;
	if (round == 0)
		first = result;
	failures += !is_sorted(items);
}

uint32_t station_failures(void)
{
	return failures;
}
