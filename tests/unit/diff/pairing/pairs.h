/* SPDX-License-Identifier: MIT */
/* Two firmware builds of the workshop, paired. */
#ifndef UNIT_DIFF_PAIRING_PAIRS_H
#define UNIT_DIFF_PAIRING_PAIRS_H

#include "../../firmware/workshop.h"
#include "diff/pairing/pairing.h"

struct pairs {
	struct image *images[BUILD_COUNT];
	struct pairing pairing;
};

/* The pairs that were found last. */
extern struct pairs pairs;

/* Pairs old.elf and new.elf of the workshop; the test fails if that fails, or if the result contradicts itself. */
void pairs_find(void);

/* The pair of the first function of that name in the ELF. */
const struct pairing_pair *pairs_of(enum build build, const char *function);

/* The test fails unless these two are a pair, NULL for none, found that way. */
void pairs_expect(const char *old, const char *new, enum pairing_how how);

/* How many pairs were found that way. */
size_t pairs_count(enum pairing_how how);

#endif
