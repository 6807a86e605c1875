/* SPDX-License-Identifier: MIT */
/* Arbitrary data from a gdb stub: the decoder stays within its buffer, and its packets can be parsed. */
#include "fuzz.h"

#include "acquire/backend/gdb_packet.h"

#include <string.h>

static void read_answer(const struct gdb_decoder *decoder)
{
	uint8_t *bytes = malloc(decoder->size / 2 + 1);
	struct gdb_features features;

	require(decoder->size <= GDB_PAYLOAD_CAPACITY && decoder->payload[decoder->size] == 0);
	bool digits = gdb_hex_decode(decoder->payload, decoder->size, bytes);
	require(!digits || decoder->size == 0 ||
	        !gdb_reply_is_output(decoder->payload, decoder->size)); /* O is not a digit */
	require(!gdb_reply_is_error(decoder->payload, decoder->size) ||
	        !gdb_reply_is_stop(decoder->payload, decoder->size));
	gdb_features_parse((const char *)decoder->payload, &features);
	struct gdb_output said = {0};
	gdb_output_add(&said, decoder->payload, decoder->size);
	gdb_output_add(&said, decoder->payload, decoder->size);
	require(strchr(gdb_output_last_line(&said), '\n') == NULL && said.size < sizeof said.text);
	free(bytes);
}

/* Encoding and decoding a packet returns its content. */
static void check_round_trip(struct gdb_decoder *decoder, const uint8_t *data, size_t size)
{
	size_t capacity = 2 * size + 4;
	char *packet = malloc(capacity);
	size_t length = gdb_packet_encode((const char *)data, size, packet, capacity);
	enum gdb_event event = GDB_EVENT_NONE;

	memset(decoder, 0, sizeof *decoder);
	for (size_t i = 0; i < length; i++)
		event = gdb_decoder_take(decoder, (uint8_t)packet[i]);
	require(length != 0 && event == GDB_EVENT_PACKET && decoder->size == size &&
	        (size == 0 || memcmp(decoder->payload, data, size) == 0));
	free(packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gdb_decoder decoder;

	memset(&decoder, 0, sizeof decoder);
	for (size_t i = 0; i < size; i++)
		if (gdb_decoder_take(&decoder, data[i]) == GDB_EVENT_PACKET)
			read_answer(&decoder);
	if (size <= GDB_PAYLOAD_CAPACITY)
		check_round_trip(&decoder, data, size);
	return 0;
}
