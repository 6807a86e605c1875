/* SPDX-License-Identifier: MIT */
/* Rows of subroutines within functions, from the instructions. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_SUBROUTINES_H
#define FIRMWARE_UNWIND_SUBROUTINES_H

#include "firmware/calls/calls.h"
#include "firmware/unwind/rows.h"

/*
 * Corrects the rows of code that a call enters within a function: libgcc's __aeabi_dmul and __aeabi_ddiv handle special
 * operands in subroutines of their own, to which their frame information does not apply. A call leaves its return
 * address in the link register, and does not change the stack pointer. So if the row at its target has a saved return
 * address, that row is wrong, and so are the rows of the code that follows, up to an instruction that changes either
 * register. Code that is also reached in another way keeps its rows. *rows is replaced. False when out of memory. O(n
 * log n) in the size of the code.
 */
bool subroutines_correct(const struct image *image, const struct calls *calls, struct frame_rows *rows);

#endif
