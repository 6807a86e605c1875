/* SPDX-License-Identifier: MIT */
/* See bytes.h. */
#include "bytes.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_put_data(struct bytes *bytes, const void *data, size_t size)
{
	if (size > bytes->capacity - bytes->size) {
		bytes->capacity = 2 * (bytes->size + size);
		bytes->data = realloc(bytes->data, bytes->capacity);
		if (bytes->data == NULL)
			err(1, "%zu bytes", bytes->capacity);
	}
	if (data == NULL)
		memset(bytes->data + bytes->size, 0, size);
	else if (size > 0)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void bytes_set(struct bytes *bytes, size_t offset, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned byte = bytes->is_big_endian ? width - 1 - i : i;

		bytes->data[offset + byte] = (uint8_t)(value >> 8 * i);
	}
}

void bytes_put(struct bytes *bytes, uint64_t value, unsigned width)
{
	bytes_put_data(bytes, NULL, width);
	bytes_set(bytes, bytes->size - width, value, width);
}

void bytes_put_address(struct bytes *bytes, uint64_t address)
{
	bytes_put(bytes, address, bytes->address_size);
}

void bytes_align(struct bytes *bytes, size_t alignment)
{
	bytes_put_data(bytes, NULL, (alignment - bytes->size % alignment) % alignment);
}

void bytes_write(const struct bytes *bytes, const char *path)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file) != 0)
		err(1, "%s", path);
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){0};
}
