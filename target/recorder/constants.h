/* SPDX-License-Identifier: MIT */
/* Constants of the sampling interrupt that its C and assembly code share. */
#ifndef RECORDER_CONSTANTS_H
#define RECORDER_CONSTANTS_H

/* Multiplier and increment of a linear congruential generator with a period of 2^32 (Knuth, The Art of Computer
 * Programming 2, 3.2.1.2, theorem A). The multiplier is Marsaglia's (3.3.4, table 1); any odd increment works. Only the
 * upper bits of its numbers are used. */
#define MULTIPLIER 69069

/* The maximum number of slots that one sample examines; it bounds the work of an interrupt. */
#define GRANULE_PROBES_MAX 16

/*
 * Contexts run the same code, so the same granules occur in each. The searches of two contexts begin far apart and use
 * different steps. Chosen by trials with tables of 128 to 1,024 granules, 30 to 70 % full, and 2 to 8 contexts. With
 * contexts next to each other and equal steps, a third of the granules found no slot in a table that was a quarter
 * full.
 */
#define CONTEXT_DISTANCE 293
#define CONTEXT_STEP     274

#endif
