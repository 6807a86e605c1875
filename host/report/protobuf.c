/* SPDX-License-Identifier: MIT */
/* See protobuf.h. */
#include "report/protobuf.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { VARINT = 0, LENGTH_DELIMITED = 2 };

static void append_bytes(struct protobuf *message, const void *bytes, size_t size)
{
	if (size > message->capacity - message->size) {
		size_t capacity =
		        message->capacity * 2 > message->size + size ? message->capacity * 2 : message->size + size;
		uint8_t *grown = realloc(message->bytes, capacity);

		if (grown == NULL) {
			message->is_short_of_memory = true;
			return;
		}
		message->bytes = grown;
		message->capacity = capacity;
	}
	if (size > 0)
		memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

void protobuf_pack(struct protobuf *packed, uint64_t value)
{
	uint8_t bytes[10];
	size_t size = 0;

	for (; value > 127; value >>= 7)
		bytes[size++] = (uint8_t)(value | 128);
	bytes[size++] = (uint8_t)value;
	append_bytes(packed, bytes, size);
}

void protobuf_add_number(struct protobuf *message, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	protobuf_pack(message, field << 3 | VARINT);
	protobuf_pack(message, value);
}

void protobuf_add_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size)
{
	protobuf_pack(message, field << 3 | LENGTH_DELIMITED);
	protobuf_pack(message, size);
	append_bytes(message, bytes, size);
}

void protobuf_add_message(struct protobuf *message, unsigned field, struct protobuf *item)
{
	protobuf_add_bytes(message, field, item->bytes, item->size);
	message->is_short_of_memory |= item->is_short_of_memory;
	item->size = 0;
}

void protobuf_append(struct protobuf *message, const struct protobuf *fields)
{
	append_bytes(message, fields->bytes, fields->size);
	message->is_short_of_memory |= fields->is_short_of_memory;
}
