/* SPDX-License-Identifier: MIT */
/*
 * The hooks of -finstrument-functions, the same in every compiler and for every ISA. In a file of its own, so that a
 * firmware which has its own hooks can link the rest of the recorder.
 */
#include <bareprof/bareprof.h>

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	bareprof_arc((uintptr_t)call_site, (uintptr_t)function);
}

/* Arcs are counted where they begin. */
void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}
