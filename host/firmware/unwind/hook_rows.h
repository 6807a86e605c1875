/* SPDX-License-Identifier: MIT */
/* Rows that compilers leave out of calls of the hook of -pg. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_HOOK_ROWS_H
#define FIRMWARE_UNWIND_HOOK_ROWS_H

#include "firmware/unwind/rows.h"

/*
 * Arm: at the end of a prologue -pg adds `push {lr}; bl __gnu_mcount_nc`, whose callee takes the word off the stack
 * again. The frame information does not mention the word, so that rows are wrong at the BL. *rows is replaced. False
 * when out of memory. O(n) in the size of the code and of the rows.
 */
bool hook_rows_add(const struct image *image, struct frame_rows *rows);

#endif
