/* SPDX-License-Identifier: MIT */
/* The path tree, in place of slices.h. */
#ifndef RECORDER_PATHS_H
#define RECORDER_PATHS_H

#include "recorder.h"

/* Finds and counts the path of interrupted code. */
void bareprof_path_count(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted);

/* Whether the firmware has an unwind table of its own build, whose identity is in the header. */
bool bareprof_paths_have_table(const struct header *header);
/* The CRC of the table by which the paths of this block are found; 0 without one. */
uint32_t bareprof_paths_table_crc(const volatile struct header *header);

/* Called in each tick of a running profile after its sample was filed. interrupted may be NULL. */
static inline void stack_offer(volatile struct header *header, uintptr_t pc,
                               const struct bareprof_interrupted *interrupted)
{
	if (interrupted != NULL)
		bareprof_path_count(header, pc, interrupted);
}

#endif
