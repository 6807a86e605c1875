/* SPDX-License-Identifier: MIT */
/* Rows of libgcc's functions for GCC's -msave-restore on RISC-V. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_SAVE_RESTORE_H
#define FIRMWARE_UNWIND_SAVE_RESTORE_H

#include "firmware/unwind/rows.h"

/*
 * Adds rows of functions named __riscv_save_N and __riscv_restore_N that have none, from their instructions: old
 * libgccs have no frame information for them, others only in .eh_frame, which linker scripts of firmware discard.
 * Functions begin with a call of the first kind by t0, and end with a jump to the second kind. False when out of
 * memory. O(n log n) in the rows.
 */
bool save_restore_add(const struct image *image, struct frame_rows *rows);

#endif
