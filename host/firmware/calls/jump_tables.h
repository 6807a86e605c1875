/* SPDX-License-Identifier: MIT */
/* Jump tables in code, after the instruction that reads them. Private to calls/. */
#ifndef FIRMWARE_CALLS_JUMP_TABLES_H
#define FIRMWARE_CALLS_JUMP_TABLES_H

#include "firmware/calls/decoder.h"

typedef void (*jump_found)(void *context, uint64_t target);

/* Calls found() for each target of the table that the jump at place reads: a Thumb TBB or TBH relative to the PC,
 * followed by its table, which mapping symbols mark as data. Does nothing for other jumps. */
void jump_table_each(const struct code_place *place, jump_found found, void *context);

#endif
