/* SPDX-License-Identifier: MIT */
/* What linkers put between a call and its callee. Private to calls/. */
#ifndef FIRMWARE_CALLS_VENEERS_H
#define FIRMWARE_CALLS_VENEERS_H

#include "firmware/calls/decoder.h"

/*
 * Where a call of target arrives: target itself, or what a veneer there, or a chain of them, leads to. A veneer is told
 * by its instructions: all of them are such as linkers make veneers of, and the last jumps to a constant.
 */
uint64_t veneer_end(const struct decoder *decoder, const struct image *image, uint64_t target);

#endif
