/* SPDX-License-Identifier: MIT */
/* The table of arcs in a block, or another one of the alternatives, to be observed. */
#include "observed.h"

#include <bareprof/bareprof.h>

BAREPROF_DEFINE(TABLE, BAREPROF_BINS(16), .board = "bench");

_Alignas(8) const char bareprof_text_start[16] = {0};
const char bareprof_text_end[1] = {0};

#ifdef GMON

struct callee {
	uintptr_t address;
	uint32_t count;
	uint16_t next;
};
extern struct callee gmon_callees[];
void gmon_clear(void);

const struct observed_table observed_table = {gmon_callees, TABLE + 1, sizeof(struct callee), 1};

void observed_begin(void)
{
	gmon_clear();
	bareprof_init();
	bareprof_start();
}

#else

#ifndef SLOT_SIZE
#define SLOT_SIZE BAREPROF_ARC_SIZE
#endif
#ifndef ARCS_PER_PLACE
#define ARCS_PER_PLACE 1
#endif

const struct observed_table observed_table = {
        .start = (const uint8_t *)bareprof_block + BAREPROF_HEADER_SIZE(sizeof(uintptr_t)),
        .places = TABLE / ARCS_PER_PLACE,
        .place_size = ARCS_PER_PLACE * SLOT_SIZE,
        .arcs_per_place = ARCS_PER_PLACE,
};

/* Another start finds the block of this build, and keeps it: make it nobody's. */
void observed_begin(void)
{
	bareprof_block[0] = 0;
	bareprof_init();
	bareprof_start();
}

#endif
