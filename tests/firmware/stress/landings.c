/* SPDX-License-Identifier: MIT */
/* One counter for every two bytes of the recorder's code and each source. */
#include "landings.h"

#include "board.h"
#include "calls.h"
#include "print.h"

/* The recorder's code, as the linker fragment bounds it, in halfwords. */
#define HALFWORDS_MAX 1536u
#define LANDINGS_MAX  UINT16_MAX

extern const char bareprof_code_start[];
extern const char bareprof_code_end[];

/* Each counter is written by one handler only, which does not interrupt itself. */
static uint16_t landings[LANDING_SOURCES][HALFWORDS_MAX];

UNINSTRUMENTED void landing_count(enum landing_source source, uintptr_t pc)
{
	const uintptr_t halfword = (pc - (uintptr_t)bareprof_code_start) / 2u;

	if (halfword < HALFWORDS_MAX && landings[source][halfword] < LANDINGS_MAX)
		landings[source][halfword]++;
}

UNINSTRUMENTED void landings_write(void)
{
	const uintptr_t halfwords = (uintptr_t)(bareprof_code_end - bareprof_code_start) / 2u;

	for (uintptr_t i = 0; i < halfwords && i < HALFWORDS_MAX; i++) {
		if (landings[LANDING_WORK][i] == 0 && landings[LANDING_SAMPLING][i] == 0)
			continue;
		print_hexadecimal("landing ", (uintptr_t)bareprof_code_start + 2u * i);
		print_decimal(" ", landings[LANDING_WORK][i]);
		print_decimal(" ", landings[LANDING_SAMPLING][i]);
		board_console_write("\n");
	}
}
