/* SPDX-License-Identifier: MIT */
/* Veneers, which linkers insert between a call and its callee. Private to calls/. */
#ifndef FIRMWARE_CALLS_VENEERS_H
#define FIRMWARE_CALLS_VENEERS_H

#include "firmware/calls/decoder.h"

/* The destination of a call of target, after a chain of veneers if there are any. A veneer is recognised by its
 * instructions: all are used in linker veneers, and the last jumps to a constant address. */
uint64_t veneer_end(const struct decoder *decoder, const struct image *image, uint64_t target);

#endif
