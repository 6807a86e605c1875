/* SPDX-License-Identifier: MIT */
/* Framing of the GDB protocol, byte by byte. */
#include "target/backend/gdb_packet.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gdb_decoder decoder;

/* Feeds text; returns the last event that was one. */
static enum gdb_event feed(const char *text)
{
	enum gdb_event last = GDB_EVENT_NONE;
	for (; *text; text++) {
		enum gdb_event event = gdb_decoder_take(&decoder, (uint8_t)*text);
		last = event == GDB_EVENT_NONE ? last : event;
	}
	return last;
}

/* Frames text as it stands, without escapes. */
static enum gdb_event feed_framed(const char *text)
{
	char packet[256];
	unsigned sum = 0;
	for (size_t i = 0; text[i]; i++)
		sum += (unsigned char)text[i];
	snprintf(packet, sizeof packet, "$%s#%02x", text, sum & 0xFF);
	return feed(packet);
}

static int begin(void **state)
{
	gdb_decoder_init(&decoder);
	return 0;
}

EACH_TEST(begin, NULL);

TEST(packet_is_decoded_with_either_case_of_checksum)
{
	assert_int_equal(feed("$OK#9a"), GDB_EVENT_PACKET);
	assert_string_equal((char *)decoder.payload, "OK");
	assert_int_equal(feed("$OK#9A"), GDB_EVENT_PACKET);
	assert_int_equal(feed("$#00"), GDB_EVENT_PACKET);
	assert_int_equal(decoder.size, 0);
}

TEST(wrong_checksum_is_told)
{
	assert_int_equal(feed("$OK#9b"), GDB_EVENT_BAD_CHECKSUM);
	assert_int_equal(feed("$OK#zz"), GDB_EVENT_BAD_CHECKSUM);
	assert_int_equal(feed("$OK#9z"), GDB_EVENT_BAD_CHECKSUM);
	assert_int_equal(feed("$OK#9a"), GDB_EVENT_PACKET);
}

TEST(acknowledgements_are_told_apart)
{
	assert_int_equal(feed("+"), GDB_EVENT_ACKNOWLEDGED);
	assert_int_equal(feed("-"), GDB_EVENT_REFUSED);
	assert_int_equal(feed("noise\r\n#00"), GDB_EVENT_NONE);
}

TEST(run_length_repeats_the_character_before_it)
{
	/* The GDB manual's own example: `0* ` is 0000. */
	assert_int_equal(feed_framed("0* "), GDB_EVENT_PACKET);
	assert_string_equal((char *)decoder.payload, "0000");
	assert_int_equal(feed_framed("ab*~c"), GDB_EVENT_PACKET);
	assert_int_equal(decoder.size, 2 + 97 + 1);
	assert_int_equal(decoder.payload[98], 'b');
	assert_int_equal(decoder.payload[99], 'c');
}

TEST(escape_restores_its_character)
{
	assert_int_equal(feed_framed("a}\x03}\x04}]}\n"), GDB_EVENT_PACKET);
	assert_string_equal((char *)decoder.payload, "a#$}*");
	/* An escaped character can be repeated; its run length is not escaped. */
	assert_int_equal(feed_framed("}\x03* "), GDB_EVENT_PACKET);
	assert_string_equal((char *)decoder.payload, "####");
}

TEST(impossible_run_lengths_and_escapes_are_malformed)
{
	assert_int_equal(feed_framed("* 0"), GDB_EVENT_MALFORMED);
	assert_int_equal(feed_framed("0*\x1d"), GDB_EVENT_MALFORMED);
	assert_int_equal(feed_framed("0*\x7f"), GDB_EVENT_MALFORMED);
	assert_int_equal(feed_framed("0*"), GDB_EVENT_MALFORMED);
	assert_int_equal(feed_framed("0}"), GDB_EVENT_MALFORMED);
	assert_int_equal(feed_framed("0"), GDB_EVENT_PACKET);
}

TEST(packet_after_a_lost_end_is_found)
{
	assert_int_equal(feed("$12$OK#9a"), GDB_EVENT_PACKET);
	assert_string_equal((char *)decoder.payload, "OK");
}

TEST(notification_is_passed_over)
{
	assert_int_equal(feed("%Stop:T05#00"), GDB_EVENT_NONE);
	assert_int_equal(feed("$OK#9a"), GDB_EVENT_PACKET);
}

TEST(packet_of_the_largest_size_is_taken_and_one_byte_more_is_not)
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
	struct gdb_features features;
	gdb_features_parse("PacketSize=1000;qXfer:features:read+;QStartNoAckMode+;vContSupported+", &features);
	assert_int_equal(features.packet_size, 0x1000);
	assert_true(features.no_acknowledge_mode);
	assert_false(features.non_stop_mode);
	gdb_features_parse("QStartNoAckMode-;PacketSize=3fff", &features);
	assert_int_equal(features.packet_size, 0x3fff);
	assert_false(features.no_acknowledge_mode);
	gdb_features_parse("XQStartNoAckMode+;PacketSize=;QStartNoAckMode+x", &features);
	assert_int_equal(features.packet_size, 0);
	assert_false(features.no_acknowledge_mode);
	gdb_features_parse("QNonStop+;PacketSize=800", &features);
	assert_true(features.non_stop_mode);
	gdb_features_parse("PacketSize=-1", &features);
	assert_int_equal(features.packet_size, 0);
	gdb_features_parse("", &features);
	assert_int_equal(features.packet_size, 0);
}

TEST_WITH(replies_are_told_apart, NULL, NULL)
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

TEST_WITH(digits_are_decoded_or_refused, NULL, NULL)
{
	uint8_t bytes[3] = {0};
	assert_true(gdb_hex_decode((const uint8_t *)"00fFA9", 6, bytes));
	assert_memory_equal(bytes, "\x00\xFF\xA9", 3);
	assert_false(gdb_hex_decode((const uint8_t *)"00fg", 4, bytes));
	assert_false(gdb_hex_decode((const uint8_t *)"00f", 3, bytes));
}
