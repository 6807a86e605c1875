/* SPDX-License-Identifier: MIT */
/* See files.h. */
#include "files.h"

#include <stddef.h>

#define BLOCK_FREE 0xFFFFFFFFu
#define BLOCK_USED 0x46494C45u
#define BLOCK_DEAD 0u
#define NONE       UINT32_MAX

struct head {
	uint32_t state;
	char name[FILES_NAME_MAX];
	uint16_t part;
	uint16_t size;
	uint32_t checksum;
};
_Static_assert(sizeof(struct head) == DISK_BLOCK_BYTES - FILES_PART_MAX, "a head and a part fill a block");

static const struct disk *device;
static uint32_t next_block;

/* CRC-32 by nibbles (IEEE 802.3). */
static uint32_t checksum_add(uint32_t checksum, const void *bytes, uint32_t size)
{
	static const uint32_t table[16] = {
	        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
	        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
	};
	const uint8_t *byte = bytes;

	for (uint32_t i = 0; i < size; i++) {
		checksum ^= byte[i];
		checksum = checksum >> 4 ^ table[checksum & 15u];
		checksum = checksum >> 4 ^ table[checksum & 15u];
	}
	return checksum;
}

static bool is_same_name(const char *left, const char *right)
{
	for (uint32_t i = 0; i < FILES_NAME_MAX; i++) {
		if (left[i] != right[i])
			return false;
		if (left[i] == '\0')
			return true;
	}
	return true;
}

static void copy_name(char *to, const char *from)
{
	for (uint32_t i = 0; i < FILES_NAME_MAX; i++)
		to[i] = i > 0 && to[i - 1] == '\0' ? '\0' : from[i];
}

static bool read_head(uint32_t block, struct head *head)
{
	return device->read(block, 0, head, sizeof *head);
}

static bool is_live(uint32_t block, struct head *head)
{
	return read_head(block, head) && head->state == BLOCK_USED;
}

static uint32_t find_part(const char *name, uint32_t part, struct head *head)
{
	for (uint32_t block = 0; block < DISK_BLOCKS; block++)
		if (is_live(block, head) && head->part == part && is_same_name(head->name, name))
			return block;
	return NONE;
}

static uint32_t count_parts(const char *name)
{
	struct head head;
	uint32_t parts = 0;

	while (find_part(name, parts, &head) != NONE)
		parts++;
	return parts;
}

/* Finds a block that is free or can be erased. Takes blocks in turn, so that all wear equally. */
static uint32_t take_block(void)
{
	struct head head;

	for (uint32_t i = 0; i < DISK_BLOCKS; i++) {
		const uint32_t block = next_block;

		next_block = (next_block + 1u) % DISK_BLOCKS;
		if (is_live(block, &head))
			continue;
		if (head.state == BLOCK_FREE || device->erase(block))
			return block;
	}
	return NONE;
}

static enum files_status kill_block(uint32_t block)
{
	const uint32_t dead = BLOCK_DEAD;

	return device->program(block, 0, &dead, sizeof dead) ? FILES_OK : FILES_DAMAGED;
}

static enum files_status write_part(const char *name, uint32_t part, const uint8_t *bytes, uint32_t size)
{
	const uint32_t block = take_block();
	struct head head = {.state = BLOCK_USED, .part = (uint16_t)part, .size = (uint16_t)size};

	if (block == NONE)
		return FILES_FULL;
	copy_name(head.name, name);
	head.checksum = checksum_add(BLOCK_USED, bytes, size);
	if (!device->program(block, sizeof head, bytes, size) || !device->program(block, 0, &head, sizeof head))
		return FILES_DAMAGED;
	return FILES_OK;
}

static enum files_status read_part(uint32_t block, const struct head *head, uint8_t *bytes)
{
	if (head->size > FILES_PART_MAX || !device->read(block, sizeof *head, bytes, head->size))
		return FILES_DAMAGED;
	return checksum_add(BLOCK_USED, bytes, head->size) == head->checksum ? FILES_OK : FILES_DAMAGED;
}

/* Writes the last part again with the new bytes, then deletes the old one. */
static enum files_status extend_part(const char *name, uint32_t block, const struct head *head, const uint8_t *bytes,
                                     uint32_t size)
{
	uint8_t part[FILES_PART_MAX];
	enum files_status status = read_part(block, head, part);

	for (uint32_t i = 0; status == FILES_OK && i < size; i++)
		part[head->size + i] = bytes[i];
	if (status == FILES_OK)
		status = write_part(name, head->part, part, head->size + size);
	return status == FILES_OK ? kill_block(block) : status;
}

enum files_status files_format(const struct disk *disk)
{
	device = disk;
	for (uint32_t block = 0; block < DISK_BLOCKS; block++)
		if (!device->erase(block))
			return FILES_DAMAGED;
	return FILES_OK;
}

enum files_status files_append(const char *name, const void *bytes, uint32_t size)
{
	const uint8_t *from = bytes;
	uint32_t parts = count_parts(name);
	enum files_status status = FILES_OK;
	struct head head;

	if (parts > 0) {
		const uint32_t block = find_part(name, parts - 1, &head);
		const uint32_t room = FILES_PART_MAX - head.size;
		const uint32_t more = size < room ? size : room;

		if (more > 0)
			status = extend_part(name, block, &head, from, more);
		from += more;
		size -= more;
	}
	for (; status == FILES_OK && size > 0; parts++) {
		const uint32_t part = size < FILES_PART_MAX ? size : FILES_PART_MAX;

		status = parts < FILES_PARTS_MAX ? write_part(name, parts, from, part) : FILES_TOO_LARGE;
		from += part;
		size -= part;
	}
	return status;
}

enum files_status files_read(const char *name, void *bytes, uint32_t *size)
{
	uint8_t *to = bytes;
	uint32_t used = 0, block;
	enum files_status status = FILES_NOT_FOUND;
	struct head head;

	for (uint32_t part = 0; (block = find_part(name, part, &head)) != NONE; part++) {
		if (head.size > *size - used)
			return FILES_TOO_LARGE;
		status = read_part(block, &head, to + used);
		if (status != FILES_OK)
			return status;
		used += head.size;
	}
	*size = used;
	return status;
}

enum files_status files_rename(const char *from, const char *to)
{
	uint8_t part[FILES_PART_MAX];
	enum files_status status = FILES_NOT_FOUND;
	struct head head;
	uint32_t block;

	for (uint32_t i = 0; (block = find_part(from, i, &head)) != NONE; i++) {
		status = read_part(block, &head, part);
		if (status == FILES_OK)
			status = write_part(to, i, part, head.size);
		if (status == FILES_OK)
			status = kill_block(block);
		if (status != FILES_OK)
			break;
	}
	return status;
}

enum files_status files_remove(const char *name)
{
	enum files_status status = FILES_NOT_FOUND;
	struct head head;
	uint32_t block;

	for (uint32_t part = 0; (block = find_part(name, part, &head)) != NONE; part++) {
		status = kill_block(block);
		if (status != FILES_OK)
			break;
	}
	return status;
}

const char *files_explain(enum files_status status)
{
	static const char *const texts[] = {
	        [FILES_OK] = "done",
	        [FILES_NOT_FOUND] = "no such file",
	        [FILES_FULL] = "the device is full",
	        [FILES_TOO_LARGE] = "too large",
	        [FILES_DAMAGED] = "damaged",
	};

	return texts[status];
}
