/* SPDX-License-Identifier: MIT */
/* The default for firmware that does not define bareprof_timer_remaining(): the cost of a tick is unknown. */
#include "recorder.h"

/* A timer that always has 0 left fails the first check of cost_take(), so no cost is ever recorded. */
BAREPROF_CODE(bareprof_timer_remaining) __attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return 0;
}
