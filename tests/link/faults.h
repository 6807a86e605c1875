/* SPDX-License-Identifier: MIT */
/* What a bad line does to bytes, by chance that repeats for a seed. Knows nothing of frames. */
#ifndef TESTS_LINK_FAULTS_H
#define TESTS_LINK_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault {
	FAULT_DROP,      /* a byte is lost */
	FAULT_DUPLICATE, /* a byte comes twice */
	FAULT_FLIP,      /* one of its bits is the other */
	FAULT_INSERT,    /* some byte comes before it */
	FAULT_TEXT,      /* a line of a console comes before it */
	FAULT_STALL,     /* everything behind it waits */
	FAULT_KINDS,
};

extern const char *const fault_names[FAULT_KINDS];

/* As many bytes as one can become. */
#define FAULT_BYTES_MAX 64

struct faults {
	uint32_t random;
	uint32_t one_in[FAULT_KINDS]; /* 0 = never */
	uint64_t count[FAULT_KINDS];
};

/* `drop:1000,flip:100`: a byte in 1,000 is lost, in one of 100 a bit is flipped. False: it says something else. */
bool faults_read(struct faults *faults, const char *text);
void faults_seed(struct faults *faults, uint32_t seed);
/* What becomes of a byte; how many bytes. */
size_t faults_apply(struct faults *faults, uint8_t byte, uint8_t bytes[FAULT_BYTES_MAX], bool *stalls);

#endif
