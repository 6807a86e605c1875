/* SPDX-License-Identifier: MIT */
/* What the files of the recorder call of each other. Knows nothing of ISAs. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "block.h"

/* arcs.c: files one call without looking at the gate. callee is not 0. */
void bareprof_arc_count(uintptr_t caller, uintptr_t callee);

/* control.c: does what the host asks for in the control words, once per request. */
void bareprof_request_serve(void);
/* Clears the running and clearing bits of `off` in the state, sets those of `on`, and lets the gate follow. */
void bareprof_state_change(uint32_t off, uint32_t on);

/* The states are one plus these bits. */
#define STATE_BIT_RUNNING  1u
#define STATE_BIT_CLEARING 2u
_Static_assert(BAREPROF_STATE_STOPPED == 1 && BAREPROF_STATE_RUNNING == 1 + STATE_BIT_RUNNING &&
                       BAREPROF_STATE_CLEARING_TO_STOP == 1 + STATE_BIT_CLEARING &&
                       BAREPROF_STATE_CLEARING_TO_RUN == 1 + STATE_BIT_RUNNING + STATE_BIT_CLEARING,
               "states are not made of bits");

/* clear.c: one step of a reset that is under way; nothing if there is none. */
void bareprof_clear_step(void);
bool bareprof_clear_is_under_way(void);

/* identity.c: copies the build-id of the firmware, cut to its capacity, and returns its size; 0 if there is none. */
uint8_t bareprof_identity_read(volatile uint8_t identity[BAREPROF_IDENTITY_CAPACITY]);

/* ranges.c: fills in the ranges and the directory entries of ranges and bins. */
void bareprof_ranges_describe(volatile struct header *header);

#endif
