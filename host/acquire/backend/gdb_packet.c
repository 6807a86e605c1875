/* SPDX-License-Identifier: MIT */
/* See gdb_packet.h. Comments cite sections of the GDB manual, appendix E, "Overview". */
#include "acquire/backend/gdb_packet.h"

#include <stdlib.h>
#include <string.h>

enum {
	BETWEEN, /* packets */
	PAYLOAD,
	ESCAPED,
	RUN_LENGTH,
	FIRST_DIGIT,
	SECOND_DIGIT,
};

/* A run length is sent as a printable character: count + 29. */
#define RUN_LENGTH_BIAS 29

static int digit_value(unsigned character)
{
	if (character >= '0' && character <= '9')
		return (int)character - '0';
	if (character >= 'a' && character <= 'f')
		return (int)character - 'a' + 10;
	if (character >= 'A' && character <= 'F')
		return (int)character - 'A' + 10;
	return -1;
}

static void begin_packet(struct gdb_decoder *decoder, bool notification)
{
	decoder->state = PAYLOAD;
	decoder->sum = 0;
	decoder->size = 0;
	decoder->notification = notification;
	decoder->too_long = false;
	decoder->malformed = false;
}

static void append_payload(struct gdb_decoder *decoder, uint8_t byte)
{
	if (decoder->size < GDB_PAYLOAD_CAPACITY)
		decoder->payload[decoder->size++] = byte;
	else
		decoder->too_long = true;
}

static void repeat_last(struct gdb_decoder *decoder, uint8_t length)
{
	if (decoder->size == 0 || length <= RUN_LENGTH_BIAS || length > '~') {
		decoder->malformed = true;
		return;
	}
	uint8_t last = decoder->payload[decoder->size - 1];
	for (unsigned count = (unsigned)length - RUN_LENGTH_BIAS; count > 0; count--)
		append_payload(decoder, last);
}

static enum gdb_event take_between(struct gdb_decoder *decoder, uint8_t byte)
{
	if (byte == '$' || byte == '%')
		begin_packet(decoder, byte == '%');
	if (byte == '+')
		return GDB_EVENT_ACKNOWLEDGED;
	if (byte == '-')
		return GDB_EVENT_REFUSED;
	return GDB_EVENT_NONE;
}

/* A payload never contains '$' or '#'. '#' ends it; '$' means that its end was lost and a new packet begins. */
static void take_payload(struct gdb_decoder *decoder, uint8_t byte)
{
	if (byte == '$') {
		begin_packet(decoder, false);
		return;
	}
	if (byte == '#') {
		decoder->malformed |= decoder->state != PAYLOAD;
		decoder->state = FIRST_DIGIT;
		return;
	}
	decoder->sum = (decoder->sum + byte) & 0xFF;
	if (decoder->state == ESCAPED)
		append_payload(decoder, byte ^ 0x20);
	else if (decoder->state == RUN_LENGTH)
		repeat_last(decoder, byte);
	else if (byte == '}' || byte == '*') {
		decoder->state = byte == '}' ? ESCAPED : RUN_LENGTH;
		return;
	} else
		append_payload(decoder, byte);
	decoder->state = PAYLOAD;
}

static enum gdb_event end_packet(struct gdb_decoder *decoder, bool digits_valid)
{
	decoder->state = BETWEEN;
	decoder->payload[decoder->size] = 0;
	if (decoder->notification)
		return GDB_EVENT_NONE;
	if (!digits_valid || decoder->sum != decoder->expected_sum)
		return GDB_EVENT_BAD_CHECKSUM;
	if (decoder->too_long)
		return GDB_EVENT_TOO_LONG;
	return decoder->malformed ? GDB_EVENT_MALFORMED : GDB_EVENT_PACKET;
}

enum gdb_event gdb_decoder_take(struct gdb_decoder *decoder, uint8_t byte)
{
	int digit = digit_value(byte);

	switch (decoder->state) {
	case BETWEEN:
		return take_between(decoder, byte);
	case FIRST_DIGIT:
		if (digit < 0)
			return end_packet(decoder, false);
		decoder->expected_sum = (unsigned)digit << 4;
		decoder->state = SECOND_DIGIT;
		return GDB_EVENT_NONE;
	case SECOND_DIGIT:
		decoder->expected_sum |= digit < 0 ? 0 : (unsigned)digit;
		return end_packet(decoder, digit >= 0);
	default:
		take_payload(decoder, byte);
		/* The end of a packet beyond the limit may never come. */
		return decoder->too_long ? GDB_EVENT_TOO_LONG : GDB_EVENT_NONE;
	}
}

static bool needs_escape(char character)
{
	return character == '$' || character == '#' || character == '}' || character == '*';
}

size_t gdb_packet_encode(const char *payload, size_t size, char *packet, size_t capacity)
{
	size_t length = 0;
	unsigned sum = 0;

	/* In the worst case every character is escaped. Add '$', '#' and the checksum. */
	if (capacity < 4 || size > (capacity - 4) / 2)
		return 0;
	packet[length++] = '$';
	for (size_t i = 0; i < size; i++) {
		char character = payload[i];

		if (needs_escape(character)) {
			packet[length++] = '}';
			sum += '}';
			character = (char)(character ^ 0x20);
		}
		packet[length++] = character;
		sum += (unsigned char)character;
	}
	packet[length++] = '#';
	uint8_t checksum = (uint8_t)sum;
	gdb_hex_encode(&checksum, 1, packet + length);
	return length + 2;
}

bool gdb_hex_decode(const uint8_t *digits, size_t size, uint8_t *bytes)
{
	for (size_t i = 0; i + 1 < size; i += 2) {
		int high = digit_value(digits[i]);
		int low = digit_value(digits[i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = (uint8_t)(high << 4 | low);
	}
	return size % 2 == 0;
}

void gdb_hex_encode(const uint8_t *bytes, size_t size, char *digits)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		digits[2 * i] = hex[bytes[i] >> 4];
		digits[2 * i + 1] = hex[bytes[i] & 0xF];
	}
}

/* Whether the feature that begins at text is name. */
static bool feature_is(const char *text, const char *name)
{
	size_t length = strlen(name);

	return strncmp(text, name, length) == 0 && (text[length] == ';' || text[length] == 0);
}

void gdb_features_parse(const char *answer, struct gdb_features *features)
{
	*features = (struct gdb_features){0};
	for (const char *text = answer; text != NULL; text = strchr(text, ';')) {
		text += *text == ';';
		if (strncmp(text, "PacketSize=", 11) == 0 && digit_value((unsigned char)text[11]) >= 0)
			features->packet_size = strtoul(text + 11, NULL, 16);
		if (feature_is(text, "QStartNoAckMode+"))
			features->no_acknowledge_mode = true;
		if (feature_is(text, "QNonStop+"))
			features->non_stop_mode = true;
	}
}

static bool has_two_digits(const uint8_t *payload, size_t size)
{
	return size >= 3 && digit_value(payload[1]) >= 0 && digit_value(payload[2]) >= 0;
}

bool gdb_reply_is_error(const uint8_t *payload, size_t size)
{
	return (size == 3 && payload[0] == 'E' && has_two_digits(payload, size)) ||
	       (size >= 2 && payload[0] == 'E' && payload[1] == '.');
}

bool gdb_reply_is_stop(const uint8_t *payload, size_t size)
{
	return has_two_digits(payload, size) && payload[0] && strchr("TSWX", payload[0]) != NULL;
}

bool gdb_reply_is_output(const uint8_t *payload, size_t size)
{
	return size >= 1 && payload[0] == 'O' && !(size == 2 && payload[1] == 'K');
}

void gdb_output_add(struct gdb_output *output, const uint8_t *digits, size_t size)
{
	size_t room = sizeof output->text - 1 - output->size;
	size_t count = size / 2 < room ? size / 2 : room;

	if (!gdb_hex_decode(digits, 2 * count, (uint8_t *)output->text + output->size))
		count = 0;
	output->size += count;
	output->text[output->size] = 0;
}

const char *gdb_output_last_line(struct gdb_output *output)
{
	while (output->size > 0 && strchr("\r\n ", output->text[output->size - 1]) != NULL)
		output->text[--output->size] = 0;
	const char *newline = strrchr(output->text, '\n');
	return newline != NULL ? newline + 1 : output->text;
}
