/* SPDX-License-Identifier: MIT */
/* Faults of a line, at random but reproducible from a seed. */
#ifndef TESTS_LINK_FAULTS_H
#define TESTS_LINK_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault {
	FAULT_DROP,      /* a byte is lost */
	FAULT_DUPLICATE, /* a byte comes twice */
	FAULT_FLIP,      /* a bit of the byte is inverted */
	FAULT_INSERT,    /* a random byte comes before it */
	FAULT_TEXT,      /* a line of console text comes before it */
	FAULT_STALL,     /* everything after it waits */
	FAULT_KINDS,
};

extern const char *const fault_names[FAULT_KINDS];

/* The most bytes that one byte can become. */
#define FAULT_BYTES_MAX 64

struct faults {
	uint32_t random;              /* of random_state_of() */
	uint32_t one_in[FAULT_KINDS]; /* 0: never */
	uint64_t count[FAULT_KINDS];
};

/* Parses `drop:1000,flip:100`: one byte in 1,000 is lost, and a bit is flipped in one of 100. False: a syntax error. */
bool faults_parse(struct faults *faults, const char *text);
/* Turns a byte into `bytes`; returns how many. */
size_t faults_apply(struct faults *faults, uint8_t byte, uint8_t bytes[FAULT_BYTES_MAX], bool *stalls);

#endif
