/* SPDX-License-Identifier: MIT */
/* Jump tables among code, after the instruction that reads them. Private to calls/. */
#ifndef FIRMWARE_CALLS_JUMP_TABLES_H
#define FIRMWARE_CALLS_JUMP_TABLES_H

#include "firmware/calls/decoder.h"

typedef void (*jump_found)(void *context, uint64_t target);

/* Calls found() for each target of the table that the jump at place reads. The jump is Thumb's TBB or TBH from the PC,
 * and its table follows it and is data by its mapping symbols. Does nothing for other jumps. */
void jump_table_each(const struct code_place *place, jump_found found, void *context);

#endif
