/* SPDX-License-Identifier: MIT */
/* Encodes and checks messages. Numbers are zigzag varints: small ones of either sign take one byte. */
#include "message.h"

#include "count.h"
#include "crc.h"

#define CHECK_SIZE 4

static inline void put_byte(struct message *message, uint8_t byte)
{
	if (message->size == MESSAGE_CAPACITY) {
		message->overflowed = true;
		return;
	}
	message->bytes[message->size++] = byte;
}

void message_begin(struct message *message, uint8_t kind)
{
	COUNT(message_begin);
	message->size = 0;
	message->overflowed = false;
	put_byte(message, kind);
}

void message_put_number(struct message *message, int32_t number)
{
	uint32_t rest = (uint32_t)number << 1 ^ (number < 0 ? UINT32_MAX : 0);

	COUNT(message_put_number);
	while (rest >= 0x80u) {
		put_byte(message, (uint8_t)(rest | 0x80u));
		rest >>= 7;
	}
	put_byte(message, (uint8_t)rest);
}

bool message_finish(struct message *message)
{
	uint32_t check = crc32(message->bytes, message->size);

	COUNT(message_finish);
	for (unsigned i = 0; i < CHECK_SIZE; i++)
		put_byte(message, (uint8_t)(check >> 8 * i));
	return !message->overflowed;
}

bool message_check(const struct message *message)
{
	uint32_t check = 0;

	COUNT(message_check);
	if (message->size < CHECK_SIZE)
		return false;
	for (unsigned i = 0; i < CHECK_SIZE; i++)
		check |= (uint32_t)message->bytes[message->size - CHECK_SIZE + i] << 8 * i;
	return check == crc32(message->bytes, message->size - CHECK_SIZE);
}
