/* SPDX-License-Identifier: MIT */
/* The rows of .debug_frame and .eh_frame, without corrections. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_FRAME_TABLE_H
#define FIRMWARE_UNWIND_FRAME_TABLE_H

#include "firmware/unwind/rows.h"

/*
 * Reads the rows. If FDEs overlap, the one that begins last counts, so each byte of the sections is read once.
 * False when out of memory; the caller frees *rows in any case. O(n log n) in the size of the file.
 */
bool frame_table_read(const struct image *image, struct frame_rows *rows);

/* The number of the link register, the same in DWARF and in the decoder; false if the ISA is unknown. */
bool frame_table_link(const struct image *image, unsigned *number);

#endif
