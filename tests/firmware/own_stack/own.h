/* SPDX-License-Identifier: MIT */
/* The call stacks that the firmware keeps by -finstrument-functions: one for each task, and one for the interrupt. */
#ifndef FIRMWARE_OWN_STACK_OWN_H
#define FIRMWARE_OWN_STACK_OWN_H

#include "board.h"

/* Keeps a copy of the running stack, at the same moment at which the plugin writes its own. */
UNINSTRUMENTED void own_point(void);

/* Begin and end of the interrupt. The begin keeps a copy of the stack that was interrupted. */
UNINSTRUMENTED void own_interrupt_begin(void);
UNINSTRUMENTED void own_interrupt_end(void);

/* Calls of the running stack that have not returned; longjmp() skips the hooks that would remove them. */
UNINSTRUMENTED uint32_t own_depth(void);
UNINSTRUMENTED void own_cut(uint32_t depth);

UNINSTRUMENTED void own_switch(uint32_t task);

/*
 * Ends the copies and prints them: `KIND NUMBER IS_INTERRUPT IS_SWITCH TASK DEPTH RETURN...`, the innermost return
 * address first; KIND is point or interrupt, IS_SWITCH says that Arm's handler that switches tasks was active.
 */
UNINSTRUMENTED void own_write(void);

#endif
