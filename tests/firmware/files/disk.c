/* SPDX-License-Identifier: MIT */
/* A block device in RAM. */
#include "disk.h"

#define ERASED 0xFFu

static uint8_t blocks[DISK_BLOCKS][DISK_BLOCK_BYTES];
static uint32_t erasures[DISK_BLOCKS];

static bool is_within(uint32_t block, uint32_t offset, uint32_t size)
{
	return block < DISK_BLOCKS && offset <= DISK_BLOCK_BYTES && size <= DISK_BLOCK_BYTES - offset;
}

static bool disk_read(uint32_t block, uint32_t offset, void *bytes, uint32_t size)
{
	uint8_t *to = bytes;

	if (!is_within(block, offset, size))
		return false;
	for (uint32_t i = 0; i < size; i++)
		to[i] = blocks[block][offset + i];
	return true;
}

static bool disk_program(uint32_t block, uint32_t offset, const void *bytes, uint32_t size)
{
	const uint8_t *from = bytes;

	if (!is_within(block, offset, size))
		return false;
	for (uint32_t i = 0; i < size; i++) {
		if ((blocks[block][offset + i] & from[i]) != from[i])
			return false;
		blocks[block][offset + i] = from[i];
	}
	return true;
}

static bool disk_erase(uint32_t block)
{
	if (!is_within(block, 0, DISK_BLOCK_BYTES))
		return false;
	for (uint32_t i = 0; i < DISK_BLOCK_BYTES; i++)
		blocks[block][i] = ERASED;
	erasures[block]++;
	return true;
}

uint32_t ram_disk_wear(void)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < DISK_BLOCKS; i++)
		if (erasures[i] > max)
			max = erasures[i];
	return max;
}

const struct disk ram_disk = {.read = disk_read, .program = disk_program, .erase = disk_erase};
