/* SPDX-License-Identifier: MIT */
/*
 * The hooks of -finstrument-functions, the same in every compiler and for every ISA. They have a file of their own so
 * that firmware with other hooks can link the rest of the recorder.
 */
#include "compiler.h"

#include <bareprof/bareprof.h>

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

BAREPROF_CODE(__cyg_profile_func_enter) void __cyg_profile_func_enter(void *function, void *call_site)
{
	bareprof_arc((uintptr_t)call_site, (uintptr_t)function);
}

/* Arcs are counted on entry, so the exit hook is empty. */
BAREPROF_CODE(__cyg_profile_func_exit) void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}
