/* SPDX-License-Identifier: MIT */
/* A file that is being built in memory, in the byte order of a target. Ends the program if it runs out of memory. */
#ifndef ORACLE_BYTES_H
#define ORACLE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *data;
	size_t size, capacity;
	bool is_big_endian;
	unsigned address_size;
};

void bytes_put(struct bytes *bytes, uint64_t value, unsigned width);
void bytes_put_address(struct bytes *bytes, uint64_t address);
/* Copies data; NULL: zeros. */
void bytes_put_data(struct bytes *bytes, const void *data, size_t size);
void bytes_align(struct bytes *bytes, size_t alignment);
/* Overwrites existing bytes. */
void bytes_set(struct bytes *bytes, size_t offset, uint64_t value, unsigned width);
/* Ends the program if the file cannot be written. */
void bytes_write(const struct bytes *bytes, const char *path);
void bytes_free(struct bytes *bytes);

#endif
