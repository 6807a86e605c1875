/* SPDX-License-Identifier: MIT */
/* The start and the end of a profile in the firmware of docs/PORTING.md. */
#include "../profiling.h"
#include "board.h"

#include <bareprof/bareprof.h>

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(32768);
#endif

void sampling_start(void);

void profiling_begin(void)
{
	libc_init();
	sampling_start();
}

void profiling_end(bool is_right)
{
	bareprof_stop();
	say(is_right ? "demo: done\n" : "demo: failed\n");
	for (;;)
		;
}
