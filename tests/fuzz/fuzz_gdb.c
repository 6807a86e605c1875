/* SPDX-License-Identifier: MIT */
/* Whatever a stub sends: the decoder keeps within its buffer, and its answers and what it says can be read. */
#include "target/backend/gdb_packet.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_answer(const struct gdb_decoder *decoder)
{
	uint8_t *bytes = malloc(decoder->size / 2 + 1);
	struct gdb_features features;

	if (decoder->size > GDB_PAYLOAD_CAPACITY || decoder->payload[decoder->size] != 0)
		abort();
	bool digits = gdb_hex_decode(decoder->payload, decoder->size, bytes);
	if (digits && decoder->size > 0 && gdb_reply_is_output(decoder->payload, decoder->size))
		abort(); /* an O is no digit */
	if (gdb_reply_is_error(decoder->payload, decoder->size) && gdb_reply_is_stop(decoder->payload, decoder->size))
		abort();
	gdb_features_parse((const char *)decoder->payload, &features);
	struct gdb_output said = {0};
	gdb_output_add(&said, decoder->payload, decoder->size);
	gdb_output_add(&said, decoder->payload, decoder->size);
	if (strchr(gdb_output_last_line(&said), '\n') || said.size >= sizeof said.text)
		abort();
	free(bytes);
}

/* What is framed here must come back as it was. */
static void check_round_trip(struct gdb_decoder *decoder, const uint8_t *data, size_t size)
{
	size_t capacity = 2 * size + 4;
	char *packet = malloc(capacity);
	size_t length = gdb_packet_encode((const char *)data, size, packet, capacity);
	enum gdb_event event = GDB_EVENT_NONE;

	gdb_decoder_init(decoder);
	for (size_t i = 0; i < length; i++)
		event = gdb_decoder_take(decoder, (uint8_t)packet[i]);
	if (length == 0 || event != GDB_EVENT_PACKET || decoder->size != size ||
	    (size > 0 && memcmp(decoder->payload, data, size) != 0))
		abort();
	free(packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gdb_decoder decoder;

	gdb_decoder_init(&decoder);
	for (size_t i = 0; i < size; i++)
		if (gdb_decoder_take(&decoder, data[i]) == GDB_EVENT_PACKET)
			read_answer(&decoder);
	if (size <= GDB_PAYLOAD_CAPACITY)
		check_round_trip(&decoder, data, size);
	return 0;
}
