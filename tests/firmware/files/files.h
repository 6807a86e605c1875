/* SPDX-License-Identifier: MIT */
/*
 * Files by name on a block device. Each block holds a part of one file, with a header and a checksum; a file is found
 * by reading headers, so nothing but the blocks themselves is kept.
 */
#ifndef FILES_H
#define FILES_H

#include "disk.h"

#define FILES_NAME_MAX  12u
#define FILES_PART_MAX  (DISK_BLOCK_BYTES - 24u)
#define FILES_PARTS_MAX 8u

enum files_status { FILES_OK, FILES_NOT_FOUND, FILES_FULL, FILES_TOO_LARGE, FILES_DAMAGED };

/* Erases the device, which must be the same in all later calls. */
enum files_status files_format(const struct disk *disk);
enum files_status files_append(const char *name, const void *bytes, uint32_t size);
/* *size: the room in bytes before, the size of the file after. */
enum files_status files_read(const char *name, void *bytes, uint32_t *size);
enum files_status files_rename(const char *from, const char *to);
enum files_status files_remove(const char *name);

/* The text of a status, for people. */
const char *files_explain(enum files_status status);

#endif
