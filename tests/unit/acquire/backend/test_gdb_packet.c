/* SPDX-License-Identifier: MIT */
/* Framing of the GDB protocol, byte by byte. */
#include "acquire/backend/gdb_packet.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gdb_decoder decoder;

/* Decodes bytes; returns the last event, or GDB_EVENT_NONE. */
static enum gdb_event feed(const char *bytes)
{
	enum gdb_event last = GDB_EVENT_NONE;

	for (; *bytes; bytes++) {
		enum gdb_event event = gdb_decoder_take(&decoder, (uint8_t)*bytes);

		last = event == GDB_EVENT_NONE ? last : event;
	}
	return last;
}

/* Decodes a packet with this payload, whose characters are not escaped. */
static enum gdb_event feed_framed(const char *payload)
{
	char packet[256];
	unsigned sum = 0;

	for (size_t i = 0; payload[i]; i++)
		sum += (unsigned char)payload[i];
	snprintf(packet, sizeof packet, "$%s#%02x", payload, sum & 0xFF);
	return feed(packet);
}

static int begin(void **state)
{
	memset(&decoder, 0, sizeof decoder);
	return 0;
}

EACH_TEST(begin, NULL);

TEST(packets_are_found_and_checked)
{
	static const struct {
		const char *bytes;
		enum gdb_event event;
		const char *payload; /* of a packet */
	} cases[] = {
	        /* Either case of digits in the checksum. */
	        {"$OK#9a", GDB_EVENT_PACKET, "OK"},
	        {"$OK#9A", GDB_EVENT_PACKET, "OK"},
	        {"$#00", GDB_EVENT_PACKET, ""},
	        {"$OK#9b", GDB_EVENT_BAD_CHECKSUM, NULL},
	        {"$OK#zz", GDB_EVENT_BAD_CHECKSUM, NULL},
	        {"$OK#9z", GDB_EVENT_BAD_CHECKSUM, NULL},
	        {"$OK#9a", GDB_EVENT_PACKET, "OK"},
	        {"+", GDB_EVENT_ACKNOWLEDGED, NULL},
	        {"-", GDB_EVENT_REFUSED, NULL},
	        {"noise\r\n#00", GDB_EVENT_NONE, NULL},
	        /* The end of the first packet was lost. */
	        {"$12$OK#9a", GDB_EVENT_PACKET, "OK"},
	        /* A notification is skipped. */
	        {"%Stop:T05#00", GDB_EVENT_NONE, NULL},
	        {"$OK#9a", GDB_EVENT_PACKET, "OK"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(feed(cases[i].bytes), cases[i].event);
		if (cases[i].payload != NULL)
			assert_string_equal((char *)decoder.payload, cases[i].payload);
	}
}

TEST(run_lengths_and_escapes_are_expanded_or_malformed)
{
	static const struct {
		const char *framed, *payload; /* NULL: malformed */
	} cases[] = {
	        {"0* ", "0000"}, /* the GDB manual's own example */
	        {"a}\x03}\x04}]}\n", "a#$}*"},
	        {"}\x03* ", "####"}, /* an escaped character is repeated; its run length is not escaped */
	        {"* 0", NULL},
	        {"0*\x1d", NULL},
	        {"0*\x7f", NULL},
	        {"0*", NULL},
	        {"0}", NULL},
	        {"0", "0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *payload = cases[i].payload;

		assert_int_equal(feed_framed(cases[i].framed),
		                 payload != NULL ? GDB_EVENT_PACKET : GDB_EVENT_MALFORMED);
		if (payload != NULL)
			assert_string_equal((char *)decoder.payload, payload);
	}
	assert_int_equal(feed_framed("ab*~c"), GDB_EVENT_PACKET);
	assert_int_equal(decoder.size, 2 + 97 + 1);
	assert_int_equal(decoder.payload[98], 'b');
	assert_int_equal(decoder.payload[99], 'c');
}

TEST(largest_packet_is_accepted_and_a_longer_one_refused)
{
	unsigned sum = 0;
	char end[8];

	for (unsigned surplus = 0; surplus < 2; surplus++) {
		enum gdb_event event = gdb_decoder_take(&decoder, '$');

		for (size_t i = 0; i < GDB_PAYLOAD_CAPACITY + surplus; i++, sum += '7') {
			assert_int_equal(event, GDB_EVENT_NONE);
			event = gdb_decoder_take(&decoder, '7');
		}
		snprintf(end, sizeof end, "#%02x", sum & 0xFF);
		if (surplus == 0)
			assert_int_equal(feed(end), GDB_EVENT_PACKET);
		else
			assert_int_equal(event, GDB_EVENT_TOO_LONG);
	}
	assert_int_equal(decoder.size, GDB_PAYLOAD_CAPACITY);
}

TEST(every_byte_survives_encoding_and_decoding)
{
	char payload[256];
	char packet[2 * sizeof payload + 4];

	for (unsigned i = 0; i < sizeof payload; i++)
		payload[i] = (char)i;
	size_t size = gdb_packet_encode(payload, sizeof payload, packet, sizeof packet);
	assert_int_equal(size, sizeof payload + 4 + 4);
	enum gdb_event event = GDB_EVENT_NONE;
	for (size_t i = 0; i < size; i++) {
		assert_int_equal(event, GDB_EVENT_NONE);
		event = gdb_decoder_take(&decoder, (uint8_t)packet[i]);
	}
	assert_int_equal(event, GDB_EVENT_PACKET);
	assert_int_equal(decoder.size, sizeof payload);
	assert_memory_equal(decoder.payload, payload, sizeof payload);
}

TEST_WITH(encoding_never_writes_beyond_its_buffer, NULL, NULL)
{
	for (size_t capacity = 0; capacity < 12; capacity++) {
		char *packet = malloc(capacity + 1);
		size_t size = gdb_packet_encode("$$$", 3, packet, capacity);

		assert_int_equal(size, capacity >= 10 ? 10 : 0);
		free(packet);
	}
}

TEST_WITH(features_are_read_from_any_answer, NULL, NULL)
{
	static const struct {
		const char *answer;
		struct gdb_features features;
	} cases[] = {
	        {"PacketSize=1000;qXfer:features:read+;QStartNoAckMode+;vContSupported+", {0x1000, true, false}},
	        {"QStartNoAckMode-;PacketSize=3fff", {0x3fff, false, false}},
	        {"XQStartNoAckMode+;PacketSize=;QStartNoAckMode+x", {0, false, false}},
	        {"QNonStop+;PacketSize=800", {0x800, false, true}},
	        {"PacketSize=-1", {0, false, false}},
	        {"", {0, false, false}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct gdb_features features;

		gdb_features_parse(cases[i].answer, &features);
		assert_int_equal(features.packet_size, cases[i].features.packet_size);
		assert_int_equal(features.no_acknowledge_mode, cases[i].features.no_acknowledge_mode);
		assert_int_equal(features.non_stop_mode, cases[i].features.non_stop_mode);
	}
}

TEST_WITH(errors_stops_and_output_are_recognised, NULL, NULL)
{
#define IS(kind, text) gdb_reply_is_##kind((const uint8_t *)(text), strlen(text))
	assert_true(IS(error, "E01") && IS(error, "E.memory") && IS(error, "Eff"));
	assert_false(IS(error, "E0") || IS(error, "E011") || IS(error, "") || IS(error, "Exy"));
	assert_true(IS(stop, "T02") && IS(stop, "S05") && IS(stop, "W00") && IS(stop, "X09") &&
	            IS(stop, "T05thread:1;"));
	assert_false(IS(stop, "T") || IS(stop, "") || IS(stop, "Txx") || IS(stop, "O41") || IS(stop, "012"));
	/* strchr() finds a NUL in every string. */
	assert_false(gdb_reply_is_stop((const uint8_t *)"\00011", 3));
	assert_true(IS(output, "O41") && IS(output, "O"));
	assert_false(IS(output, "OK") || IS(output, "") || IS(output, "41"));
#undef IS
}

TEST_WITH(invalid_hexadecimal_digits_are_refused, NULL, NULL)
{
	uint8_t bytes[3] = {0};

	assert_true(gdb_hex_decode((const uint8_t *)"00fFA9", 6, bytes));
	assert_memory_equal(bytes, "\x00\xFF\xA9", 3);
	assert_false(gdb_hex_decode((const uint8_t *)"00fg", 4, bytes));
	assert_false(gdb_hex_decode((const uint8_t *)"00f", 3, bytes));
}
