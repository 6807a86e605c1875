/* SPDX-License-Identifier: MIT */
/* Lists of transfers of a memory access port. A failed list is repeated with fewer words, until it succeeds or is
 * hopeless. Private to memory_ap.c. */
#ifndef TARGET_DAP_MEMORY_LIST_H
#define TARGET_DAP_MEMORY_LIST_H

#include "target/dap/memory_ap.h"

/* A run of count units of 4 bytes or 1 byte, each in one word of the computer. */
struct memory_list_run {
	uint64_t address;
	size_t count;
	uint32_t unit;
	bool is_repeated; /* all at one address */
	bool is_write;
	bool may_be_absent; /* a bus error means that the word does not exist */
	uint32_t *words;
};

/* Moves the whole run. The access port must be open. */
enum status memory_list_move(struct memory_ap *memory, const struct memory_list_run *run, struct error *error);
/* Writes and then reads one register of the access port, at an address within it, with no reset in between. NULL = skip
 * the write, or the read. */
enum status memory_list_access(struct memory_ap *memory, uint8_t address, uint32_t *written, uint32_t *read,
                               struct error *error);

#endif
