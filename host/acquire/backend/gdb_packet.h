/* SPDX-License-Identifier: MIT */
/* Framing of the GDB remote serial protocol, `$payload#checksum` with escapes and run lengths, as pure functions over
 * bytes. */
#ifndef ACQUIRE_BACKEND_GDB_PACKET_H
#define ACQUIRE_BACKEND_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest payload accepted from a stub, with run lengths expanded. Stubs announce up to 0x4000. */
#define GDB_PAYLOAD_CAPACITY ((size_t)0x8000)

/* An event that a byte completes. */
enum gdb_event {
	GDB_EVENT_NONE,
	GDB_EVENT_PACKET,       /* payload[0..size) is a packet with a correct checksum */
	GDB_EVENT_ACKNOWLEDGED, /* '+' */
	GDB_EVENT_REFUSED,      /* '-': the stub requests the last packet again */
	GDB_EVENT_BAD_CHECKSUM,
	GDB_EVENT_TOO_LONG,
	GDB_EVENT_MALFORMED, /* correct checksum, but an impossible run length or escape */
};

/* All zeros at first. */
struct gdb_decoder {
	unsigned state;
	unsigned sum;          /* sum of the bytes between '$' and '#', modulo 256 */
	unsigned expected_sum; /* value of the checksum's digits received so far */
	bool notification;     /* the packet began with '%' */
	bool too_long, malformed;
	size_t size;
	uint8_t payload[GDB_PAYLOAD_CAPACITY + 1]; /* room for a NUL after the payload */
};

/* Decodes one byte from the stub. The payload is valid until the next call. */
enum gdb_event gdb_decoder_take(struct gdb_decoder *decoder, uint8_t byte);

/* Frames payload into packet; returns its length, 0 if capacity is too small. */
size_t gdb_packet_encode(const char *payload, size_t size, char *packet, size_t capacity);

/* Decodes digits (an even number of hexadecimal digits) into size / 2 bytes; false if one is not a digit. */
bool gdb_hex_decode(const uint8_t *digits, size_t size, uint8_t *bytes);
/* Writes 2 * size digits. */
void gdb_hex_encode(const uint8_t *bytes, size_t size, char *digits);

/* A stub's features, from its answer to qSupported. */
struct gdb_features {
	size_t packet_size; /* 0: not stated */
	bool no_acknowledge_mode;
	bool non_stop_mode;
};
void gdb_features_parse(const char *answer, struct gdb_features *features);

/* `E` and two digits, or `E.` and a text. */
bool gdb_reply_is_error(const uint8_t *payload, size_t size);
/* The target stopped or ended: T, S, W or X and two digits. */
bool gdb_reply_is_stop(const uint8_t *payload, size_t size);
/* Console output of the target: `O` and digits. */
bool gdb_reply_is_output(const uint8_t *payload, size_t size);

/* Output of a stub during a command; all zeros at first. */
struct gdb_output {
	size_t size;
	char text[1024]; /* with a NUL; text that does not fit is cut */
};

/* Appends the text that hexadecimal digits encode, as far as it fits. */
void gdb_output_add(struct gdb_output *output, const uint8_t *digits, size_t size);
/* The last line that is not empty, without its newline; "" if there is none. */
const char *gdb_output_last_line(struct gdb_output *output);

#endif
