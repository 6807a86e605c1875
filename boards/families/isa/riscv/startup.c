/* SPDX-License-Identifier: MIT */
/* From the first C instruction to main() on a RISC-V hart. vectors.S runs before it. */
#include "board.h"

#include <stdint.h>

extern const uint32_t data_load_start[];
extern uint32_t data_start[], data_end[], bss_start[], bss_end[];
extern void (*const constructors_start[])(void);
extern void (*const constructors_end[])(void);

struct core_second core_second;

int main(void);
_Noreturn void startup(void);

__attribute__((weak)) void board_startup_hook(void)
{
}

_Noreturn void startup(void)
{
	board_startup_hook();
	for (uint32_t i = 0; data_start + i < data_end; i++)
		data_start[i] = data_load_start[i];
	for (uint32_t *word = bss_start; word < bss_end; word++)
		*word = 0;
	for (uint32_t i = 0; constructors_start + i < constructors_end; i++)
		constructors_start[i]();
	main();
	for (;;)
		core_wait();
}
