/* SPDX-License-Identifier: MIT */
/* What depends on how arcs are stored, so that other tables can take the place of the library's. */
#ifndef FIRMWARE_HITS_HITS_H
#define FIRMWARE_HITS_HITS_H

#include <stdint.h>

#define HITS_ARCS     64u
#define HITS_GRANULES 64u

/* Nothing here is to be an arc but the one. */
#define PLAIN __attribute__((noinline, no_instrument_function))

/* The greatest count that an arc has. */
PLAIN uint32_t greatest_arc_count(void);

#endif
