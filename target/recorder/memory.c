/* SPDX-License-Identifier: MIT */
/* Memory cleared. Knows nothing of what is in it. */
#include "recorder.h"

void bareprof_memory_clear(volatile void *memory, uint32_t size)
{
	volatile uint8_t *byte = (volatile uint8_t *)memory;

	do {
		size -= 4;
		*(volatile uint32_t *)(byte + size) = 0;
	} while (size != 0);
}
