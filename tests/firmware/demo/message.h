/* SPDX-License-Identifier: MIT */
/* Messages: numbers in as few bytes as possible, followed by a CRC-32. */
#ifndef FIRMWARE_DEMO_MESSAGE_H
#define FIRMWARE_DEMO_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESSAGE_CAPACITY 256

struct message {
	uint8_t bytes[MESSAGE_CAPACITY];
	size_t size;
	bool overflowed;
};

void message_begin(struct message *message, uint8_t kind);
void message_put_number(struct message *message, int32_t number);
/* Appends the CRC. False if the message did not fit. */
bool message_finish(struct message *message);

/* True if the CRC at the end belongs to the bytes before it. */
bool message_check(const struct message *message);

#endif
