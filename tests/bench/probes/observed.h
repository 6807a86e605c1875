/* SPDX-License-Identifier: MIT */
/*
 * A table of arcs whose recorder is compiled so that each of its reads and writes is told of (-fsanitize=kernel-address
 * with calls): how many slots it looks at is what it does, not what it says.
 */
#ifndef BENCH_PROBES_OBSERVED_H
#define BENCH_PROBES_OBSERVED_H

#include <stdint.h>

/* The table, in what is read at once: a slot, or a bucket of them. */
struct observed_table {
	const volatile void *start;
	uint32_t places;
	uint32_t place_size;
	uint32_t arcs_per_place;
};

/* Defined beside the recorder that is observed. observed_begin() empties the table and opens the gate. */
extern const struct observed_table observed_table;
void observed_begin(void);

#endif
