/* SPDX-License-Identifier: MIT */
/* What the files of the recorder call of each other. Knows nothing of ISAs. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "block.h"

/* arcs.c: files one call without looking at the gate. callee is not 0. */
void bareprof_arc_count(uintptr_t caller, uintptr_t callee);

/* control.c: does what the host asks for in the control words, once per request. */
void bareprof_request_serve(volatile struct header *header);
/* Clears the bits of `off` in the state, sets those of `on`, and lets the gate follow. Nothing before init. */
void bareprof_state_change(uint32_t off, uint32_t on);

/* The states are one plus these bits. */
#define STATE_BIT_RUNNING  1u
#define STATE_BIT_CLEARING 2u
#define STATE_BIT_ARMED    4u
_Static_assert(BAREPROF_STATE_STOPPED == 1 && BAREPROF_STATE_RUNNING == 1 + STATE_BIT_RUNNING &&
                       BAREPROF_STATE_CLEARING_TO_STOP == 1 + STATE_BIT_CLEARING &&
                       BAREPROF_STATE_CLEARING_TO_RUN == 1 + STATE_BIT_RUNNING + STATE_BIT_CLEARING &&
                       BAREPROF_STATE_ARMED == 1 + STATE_BIT_ARMED &&
                       BAREPROF_STATE_CLEARING_TO_ARM == 1 + STATE_BIT_CLEARING + STATE_BIT_ARMED,
               "states are not made of bits");

/* clear.c: one step of a reset that is under way. */
void bareprof_clear_step(volatile struct header *header);
bool bareprof_clear_is_under_way(const volatile struct header *header);

/* trigger.c: arms the profile for the trigger's function as it stands in the header; stops after so many ticks, if not
 * 0. Whether a call of callee starts an armed profile; then it has started. */
void bareprof_arm_for(uint32_t ticks);
bool bareprof_trigger_fires(uintptr_t callee);

/* identity.c: copies the build-id of the firmware, cut to its capacity, and returns its size; 0 if there is none. */
uint8_t bareprof_identity_read(volatile uint8_t identity[BAREPROF_IDENTITY_CAPACITY]);

/* ranges.c: fills in the ranges and their directory entry. */
void bareprof_ranges_describe(volatile struct header *header);
/* Makes the bins of a section, whose capacity is set, as fine as they fit all ranges. */
void bareprof_range_scale(const volatile struct header *header, volatile struct section *bins);
/* The bin of pc among those of a section, in which the bins of the ranges follow one another. What the RAM says may be
 * stale: the caller compares the result, UINTPTR_MAX outside all ranges, with the capacity in flash. */
uintptr_t bareprof_range_bin(const volatile struct header *header, const volatile struct section *bins, uintptr_t pc);

#endif
