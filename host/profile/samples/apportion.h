/* SPDX-License-Identifier: MIT */
/*
 * Shares the samples of cells among the basic blocks in them. Instructions of a block run equally often, so a block has
 * the same samples per instruction in each of its cells. Private to groups.
 */
#ifndef PROFILE_SAMPLES_APPORTION_H
#define PROFILE_SAMPLES_APPORTION_H

#include "profile/samples/cells.h"

/* Samples per instruction of whole functions: the expectation for a block without evidence. */
struct density {
	double samples, instructions; /* where no other function can have been sampled */
	bool is_known;
};

/* A run of cells with their parts. is_linked, gap_before and gap_after of the cells are set. */
struct cell_run {
	struct cell *cells;
	size_t cell_count;
	struct group_part *parts;
	const struct density *densities; /* by function */
};

/* Sets samples, expected, variance and gain of all parts. Linear. */
void apportion_samples(struct cell_run *run);

/* True if every block in the cell has evidence, and the cell has far more samples than this evidence allows. */
bool apportion_is_short(const struct cell_run *run, const struct cell *cell);

#endif
