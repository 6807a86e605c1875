/* SPDX-License-Identifier: MIT */
/*
 * The trailer: a magic, then records (tag u16, zero u16, length u32, payload), ended by one whose payload is the CRC-32
 * of everything before that payload. Always little-endian: the host writes it.
 */
#include "capture/decoders.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define TRAILER_MAGIC      "BPTRAILR"
#define TRAILER_MAGIC_SIZE 8
#define RECORD_HEADER_SIZE 8

enum trailer_tag {
	TRAILER_END = 0,    /* u32: CRC-32 of all bytes of the file before this payload */
	TRAILER_SOURCE = 1, /* text: where the blocks were read from */
	TRAILER_TIME = 2,   /* i64: seconds since 1970 when they were read */
	TRAILER_SKEW = 3,   /* u32 block, u32 ticks before the read, u32 ticks after it */
	TRAILER_CODE = 4,   /* u32: CRC-32 of the code in the target */
};

static const struct capture_order little_endian = {.big_endian = false, .address_size = 4};

static uint32_t trailer_checksum(const uint8_t *bytes, size_t size)
{
	uLong crc = crc32(0, Z_NULL, 0);

	for (size_t done = 0; done < size;) {
		uInt chunk = size - done > INT_MAX ? INT_MAX : (uInt)(size - done);

		crc = crc32(crc, bytes + done, chunk);
		done += chunk;
	}
	return (uint32_t)crc;
}

bool trailer_is_at(const uint8_t *bytes, size_t size)
{
	return size >= TRAILER_MAGIC_SIZE && memcmp(bytes, TRAILER_MAGIC, TRAILER_MAGIC_SIZE) == 0;
}

struct trailer_record {
	unsigned tag;
	uint32_t length;
	const uint8_t *payload;
};

/* The file is untrusted: only printable ASCII is kept. */
static void decode_source(const struct trailer_record *record, struct capture *capture)
{
	size_t length = record->length < sizeof capture->source - 1 ? record->length : sizeof capture->source - 1;

	for (size_t i = 0; i < length; i++) {
		uint8_t byte = record->payload[i];

		capture->source[i] = byte >= ' ' && byte <= '~' ? (char)byte : '?';
	}
	capture->source[length] = '\0';
}

static bool decode_skew(const struct trailer_record *record, struct capture *capture)
{
	if (record->length != 12)
		return false;
	uint32_t index = capture_u32(&little_endian, record->payload);
	if (index >= capture->block_count)
		return false;
	struct capture_block *block = &capture->blocks[index];
	block->has_skew = true;
	block->ticks_before = capture_u32(&little_endian, record->payload + 4);
	block->ticks_after = capture_u32(&little_endian, record->payload + 8);
	return block->ticks_after >= block->ticks_before;
}

/* Decodes one record; unknown tags are skipped. False if its length does not fit its tag. */
static bool decode_record(const struct trailer_record *record, struct capture *capture)
{
	switch (record->tag) {
	case TRAILER_SOURCE:
		decode_source(record, capture);
		return true;
	case TRAILER_TIME:
		if (record->length != 8)
			return false;
		capture->time = (int64_t)capture_u64(&little_endian, record->payload);
		return true;
	case TRAILER_SKEW:
		return decode_skew(record, capture);
	case TRAILER_CODE:
		if (record->length != 4)
			return false;
		capture->has_code_crc = true;
		capture->code_crc = capture_u32(&little_endian, record->payload);
		return true;
	default:
		return true;
	}
}

static enum status decode_end(const char *path, const uint8_t *file, size_t size, const struct trailer_record *record,
                              struct error *error)
{
	size_t at = (size_t)(record->payload - file);

	if (record->length != 4 || at + 4 != size)
		return status_fail(
		        error, "%s: offset 0x%zx: %zu bytes after the trailer; use bareprof merge to add up captures",
		        path, at, size - at);
	uint32_t stored = capture_u32(&little_endian, record->payload);
	uint32_t found = trailer_checksum(file, at);
	if (stored != found)
		return status_fail(error,
		                   "%s: offset 0x%zx: checksum is %08x, the bytes give %08x: the capture is damaged, "
		                   "pull it again",
		                   path, at, stored, found);
	return STATUS_OK;
}

enum status trailer_decode(const char *path, const uint8_t *file, size_t size, size_t offset, struct capture *capture,
                           struct error *error)
{
	for (size_t at = offset + TRAILER_MAGIC_SIZE;;) {
		if (size - at < RECORD_HEADER_SIZE)
			return status_fail(error, "%s: truncated at byte %zu, within the trailer; pull it again", path,
			                   size);
		struct trailer_record record = {
		        .tag = capture_u16(&little_endian, file + at),
		        .length = capture_u32(&little_endian, file + at + 4),
		        .payload = file + at + RECORD_HEADER_SIZE,
		};
		if (record.length > size - at - RECORD_HEADER_SIZE)
			return status_fail(error,
			                   "%s: offset 0x%zx: trailer record of %u bytes, %zu are left: pull it again",
			                   path, at, record.length, size - at - RECORD_HEADER_SIZE);
		if (record.tag == TRAILER_END)
			return decode_end(path, file, size, &record, error);
		if (!decode_record(&record, capture))
			return status_fail(error, "%s: offset 0x%zx: trailer record %u is malformed (%u bytes)", path,
			                   at, record.tag, record.length);
		at += RECORD_HEADER_SIZE + record.length;
	}
}

/* The file being written; room is computed before anything is appended. */
struct output {
	uint8_t *bytes;
	size_t size;
};

static void append_bytes(struct output *output, const void *bytes, size_t size)
{
	memcpy(output->bytes + output->size, bytes, size);
	output->size += size;
}

static void append_integer(struct output *output, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		output->bytes[output->size++] = (uint8_t)(value >> (8 * i));
}

static void append_record_header(struct output *output, enum trailer_tag tag, size_t length)
{
	append_integer(output, tag, 2);
	append_integer(output, 0, 2);
	append_integer(output, length, 4);
}

static void append_skews(struct output *output, const struct capture_trailer *trailer)
{
	for (size_t i = 0; i < trailer->skew_count; i++) {
		append_record_header(output, TRAILER_SKEW, 12);
		append_integer(output, i, 4);
		append_integer(output, trailer->skews[i][0], 4);
		append_integer(output, trailer->skews[i][1], 4);
	}
}

static void append_trailer(struct output *output, const struct capture_trailer *trailer)
{
	append_bytes(output, TRAILER_MAGIC, TRAILER_MAGIC_SIZE);
	if (trailer->source != NULL) {
		append_record_header(output, TRAILER_SOURCE, strlen(trailer->source));
		append_bytes(output, trailer->source, strlen(trailer->source));
	}
	append_record_header(output, TRAILER_TIME, 8);
	append_integer(output, (uint64_t)trailer->time, 8);
	append_skews(output, trailer);
	if (trailer->has_code_crc) {
		append_record_header(output, TRAILER_CODE, 4);
		append_integer(output, trailer->code_crc, 4);
	}
	append_record_header(output, TRAILER_END, 4);
	append_integer(output, trailer_checksum(output->bytes, output->size), 4);
}

enum status capture_encode(const uint8_t *bytes, size_t size, const struct capture_trailer *trailer, uint8_t **file,
                           size_t *file_size, struct error *error)
{
	size_t source_size = trailer->source != NULL ? strlen(trailer->source) : 0;
	size_t room = size + TRAILER_MAGIC_SIZE + 4 * (RECORD_HEADER_SIZE + 8) + source_size +
	              trailer->skew_count * (RECORD_HEADER_SIZE + 12);
	struct output output = {.bytes = malloc(room)};

	if (output.bytes == NULL)
		return status_fail(error, "out of memory for a capture of %zu bytes", room);
	append_bytes(&output, bytes, size);
	append_trailer(&output, trailer);
	*file = output.bytes;
	*file_size = output.size;
	return STATUS_OK;
}
