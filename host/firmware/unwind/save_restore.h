/* SPDX-License-Identifier: MIT */
/* Rows of libgcc's functions for GCC's -msave-restore on RISC-V. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_SAVE_RESTORE_H
#define FIRMWARE_UNWIND_SAVE_RESTORE_H

#include "firmware/unwind/rows.h"

/*
 * Adds rows for functions named __riscv_save_N and __riscv_restore_N that have none, from their instructions. Old
 * versions of libgcc have no frame information for these functions; newer ones have it in .eh_frame, which linker
 * scripts of firmware discard. With -msave-restore, functions begin with a call of a save function by t0, and end with
 * a jump to a restore function. False when out of memory. O(n log n) in the rows.
 */
bool save_restore_add(const struct image *image, struct frame_rows *rows);

#endif
