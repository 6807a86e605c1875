/* SPDX-License-Identifier: MIT */
/* What the files of the recorder call of each other. Knows nothing of ISAs. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "block.h"

/* control.c: does what the host asks for, unless it was refused before, and acknowledges it. */
void bareprof_request_serve(volatile struct header *header);
/* Clears the bits of `off` in the state, sets those of `on`. False, and nothing is changed, before init. */
bool bareprof_state_change(uint32_t off, uint32_t on);

/* clear.c: one step of a reset that is under way. */
void bareprof_clear_step(volatile struct header *header);

/* memory.c: words cleared, copied and compared, from the last to the first; size is a multiple of 4, as are the
 * addresses, and not 0. In loops of our own, and through volatile pointers: the firmware's memset() may be
 * instrumented. */
void bareprof_memory_clear(volatile void *memory, uint32_t size);
void bareprof_memory_copy(volatile void *to, const void *from, uint32_t size);
bool bareprof_memory_is_equal(const volatile void *left, const void *right, uint32_t size);

/* identity.c: copies the build-id of the firmware, cut to its capacity, and returns its size; 0 if there is none. */
uint8_t bareprof_identity_read(uint8_t identity[BAREPROF_IDENTITY_CAPACITY]);

/* ranges.c: enters the ranges into a header that has its sections, and makes the bins of the scaled one as fine as they
 * fit all ranges. */
void bareprof_ranges_describe(struct header *header);
/* The bin of pc in the scaled section; less than its capacity, or BIN_NONE outside all ranges. */
uintptr_t bareprof_range_bin(volatile struct header *header, uintptr_t pc);
#define BIN_NONE UINTPTR_MAX

#endif
