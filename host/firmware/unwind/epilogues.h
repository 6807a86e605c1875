/* SPDX-License-Identifier: MIT */
/* Rows that compilers and libgcc leave out at epilogues and calls, from the instructions. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_EPILOGUES_H
#define FIRMWARE_UNWIND_EPILOGUES_H

#include "firmware/unwind/rows.h"

/*
 * Corrects the rows of code that frees its stack before it leaves its function. clang ends its frame information with
 * the prologue, so its rows are wrong from `addi sp, sp, N` to `ret`, and from `pop {r4, r7, lr}` to the branch of a
 * tail call; GCC's rows for Armv6-M are wrong in the same places. libgcc has wrong rows at returns and at calls right
 * after a push. newlib has inline assembly that pushes words without frame information. Rows omit the word that is on
 * the stack at the call of Arm's -pg hook. A correction lasts at most until the next given row begins. *rows is
 * replaced. False when out of memory. O(n) in the size of the code and of the rows.
 */
bool epilogues_correct(const struct image *image, struct frame_rows *rows);

#endif
