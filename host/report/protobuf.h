/* SPDX-License-Identifier: MIT */
/* A writer of Protocol Buffers' wire format (protobuf.dev, "Encoding"), for messages that fit in memory. Private to
 * report/. */
#ifndef REPORT_PROTOBUF_H
#define REPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message; all zero: empty. The owner frees bytes. */
struct protobuf {
	uint8_t *bytes;
	size_t size, capacity;
	bool is_short_of_memory; /* something is missing */
};

/* Adds a field that is a number; 0 is not written, since it is the default. */
void protobuf_add_number(struct protobuf *message, unsigned field, uint64_t value);
/* Adds a field that is a string, bytes, a message or packed numbers. */
void protobuf_add_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size);
/* Adds a field that is a message, and empties that message. */
void protobuf_add_message(struct protobuf *message, unsigned field, struct protobuf *item);
/* Adds the fields of another message. */
void protobuf_append(struct protobuf *message, const struct protobuf *fields);
/* Adds a number to packed numbers. */
void protobuf_pack(struct protobuf *packed, uint64_t value);

#endif
