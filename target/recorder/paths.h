/* SPDX-License-Identifier: MIT */
/* The path tree, in place of slices.h. */
#ifndef RECORDER_PATHS_H
#define RECORDER_PATHS_H

#include "recorder.h"

#if BAREPROF_PATHS != 0

/* Finds and counts the path of interrupted code. */
void bareprof_path_count(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted);

/* How many unwind tables of its own build the firmware has. The identity of the build is in the header. */
uint32_t bareprof_paths_count_tables(const struct header *header);
/* The CRC of the first table used to find the paths of this block; 0 without a table. */
uint32_t bareprof_paths_table_crc(const volatile struct header *header);

/* Called in each tick of a running profile after its sample was filed. interrupted may be NULL. */
BAREPROF_INLINE void stack_offer(volatile struct header *header, uintptr_t pc,
                                 const struct bareprof_interrupted *interrupted)
{
	if (interrupted != NULL)
		bareprof_path_count(header, pc, interrupted);
}

#endif

#endif
