/* SPDX-License-Identifier: MIT */
/* A block device like flash: blocks are erased as a whole and then written once, byte by byte. */
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>
#include <stdint.h>

#define DISK_BLOCKS      64u
#define DISK_BLOCK_BYTES 256u

/* All return false if the device refuses: outside of the block, or bits that are not erased. */
struct disk {
	bool (*read)(uint32_t block, uint32_t offset, void *bytes, uint32_t size);
	bool (*program)(uint32_t block, uint32_t offset, const void *bytes, uint32_t size);
	bool (*erase)(uint32_t block);
};

extern const struct disk ram_disk;

/* The number of times that the most worn block was erased. */
uint32_t ram_disk_wear(void);

#endif
