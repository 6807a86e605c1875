/* SPDX-License-Identifier: MIT */
/* Wraps the demo's run_round() (ld's --wrap), so that all its work has deep stacks, and copying one takes long. */
#include "station.h"

#ifndef DEPTH
#define DEPTH 8192
#endif

void __real_run_round(uint32_t round);
void __wrap_run_round(uint32_t round);

/* The last read keeps the array until the call returns. */
void __wrap_run_round(uint32_t round)
{
	volatile uint8_t deep[DEPTH];

	deep[0] = 0;
	__real_run_round(round);
	(void)deep[0];
}
