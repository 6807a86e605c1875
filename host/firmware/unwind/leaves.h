/* SPDX-License-Identifier: MIT */
/* Rows of functions without frame information, from the instructions. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_LEAVES_H
#define FIRMWARE_UNWIND_LEAVES_H

#include "firmware/unwind/rows.h"

/*
 * Adds a row for each function without rows whose instructions change neither the stack pointer nor the link register,
 * and which returns by the link register: these registers hold the caller's stack pointer and the return address
 * throughout. memcpy() and memset() of newlib and picolibc, which are written in assembly, are of this kind. A function
 * that jumps to another one gets no row, because it may be a part of that one. Adds nothing if there are no rows at
 * all, so that images without frame information stay recognisable. False when out of memory. O(n log n) in the size of
 * the code and of the rows.
 */
bool leaves_add(const struct image *image, struct frame_rows *rows);

#endif
