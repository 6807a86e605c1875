/* SPDX-License-Identifier: MIT */
/*
 * Lists of transfers of a memory access port. One that failed is made again, with fewer words, until it succeeds or
 * there is no use. Private to memory_ap.c.
 */
#ifndef TARGET_DAP_MEMORY_LIST_H
#define TARGET_DAP_MEMORY_LIST_H

#include "target/dap/memory_ap.h"

/* What goes to or comes from memory: count units of 4 bytes, or of 1, a word of the computer for each. */
struct memory_list_run {
	uint64_t address;
	size_t count;
	uint32_t unit;
	bool is_repeated; /* all at the same address */
	bool is_write;
	bool may_be_absent; /* what the bus answers with an error is not there */
	uint32_t *words;
};

/* Moves all of it. The access port must be open. */
enum status memory_list_move(struct memory_ap *memory, const struct memory_list_run *run, struct error *error);
/* One register of the access port, at an address within it: writes it, reads it or first the one, then the other, with
 * no reset between them. NULL = that is not done. */
enum status memory_list_access(struct memory_ap *memory, uint8_t address, uint32_t *written, uint32_t *read,
                               struct error *error);

#endif
