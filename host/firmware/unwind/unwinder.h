/* SPDX-License-Identifier: MIT */
/* The rows and functions of an unwinder, for the compiler of unwind tables. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_UNWINDER_H
#define FIRMWARE_UNWIND_UNWINDER_H

#include "firmware/unwind/rows.h"
#include "firmware/unwind/unwind.h"

/* All rows of its image. */
const struct frame_rows *unwinder_rows(const struct unwinder *unwinder);
/* The properties (enum frame_function) of the function at address; 0 if there is no function. O(log n). */
unsigned unwinder_function(const struct unwinder *unwinder, uint64_t address);
/* True if a call returns to this address, given without its Thumb bit. */
bool unwinder_is_return(const struct unwinder *unwinder, uint64_t address);

#endif
