/* SPDX-License-Identifier: MIT */
/* Jump tables among code, after the instruction that reads them. Private to calls/. */
#ifndef CALLS_JUMP_TABLES_H
#define CALLS_JUMP_TABLES_H

#include "calls/decoder.h"

typedef void (*jump_found)(void *context, uint64_t target);

/* Calls found() for each target of the table that the jump at place reads: Thumb's TBB and TBH from the PC, whose table
 * follows and is data by its mapping symbols. Nothing for other jumps. */
void jump_table_each(const struct code_place *place, jump_found found, void *context);

#endif
