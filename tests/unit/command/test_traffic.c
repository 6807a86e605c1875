/* SPDX-License-Identifier: MIT */
/* The summary of a pull's traffic. */
#include "command/traffic.h"
#include "test.h"

static void assert_printed(const struct target_traffic *traffic, const char *expected)
{
	struct printed *printed = printed_begin();

	traffic_print(printed->stream, traffic);
	assert_string_equal(printed_text(printed), expected);
}

TEST(frames_are_summarised_with_their_losses)
{
	static const struct {
		struct link_traffic frames;
		const char *expected;
	} cases[] = {
	        {{.bytes_received = 4000, .bytes_sent = 112, .seconds = 0.5, .requests = 1034, .round_trips = 5},
	         "4,112 bytes on the line in 0.5 s (8,224 bytes/s), 0 of 1,034 requests again, 5 round trips\n"},
	        {{.bytes_received = 1234567,
	          .seconds = 2,
	          .requests = 34,
	          .repeats = 12,
	          .round_trips = 1,
	          .frames_damaged = 3,
	          .reconnections = 1},
	         "1,234,567 bytes on the line in 2.0 s (617,283 bytes/s), 12 of 34 requests again, "
	         "1 round trip, 3 damaged frames, 1 reconnection\n"},
	        {{.bytes_received = 10}, "10 bytes on the line in 0.0 s, 0 of 0 requests again\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_printed(&(struct target_traffic){.has_frames = true, .frames = cases[i].frames},
		               cases[i].expected);
}

#define MEMORY "16,536 bytes of memory in 0.0 s at 4 MHz, "
#define ADVICE "note: many transfers are damaged: try a lower --speed and shorter wires\n"

TEST(transfers_are_summarised_with_clock_and_advice)
{
	static const struct {
		struct probe_traffic transfers;
		const char *expected;
	} cases[] = {
	        {{.bytes = 16536, .seconds = 0.5, .lists = 21, .speed = 1800000},
	         "16,536 bytes of memory in 0.5 s (33.1 kB/s) at 1.8 MHz, 0 of 21 requests again\n"},
	        {{.bytes = 16536, .lists = 21, .repeats = 3, .packets_lost = 1, .speed = 4000000},
	         MEMORY "3 of 21 requests again, 1 lost packet\n"},
	        {{.speed = 1000000, .is_speed_limit = true},
	         "0 bytes of memory in 0.0 s at up to 1 MHz, 0 of 0 requests again\n"},
	        {{.speed = 25000}, "0 bytes of memory in 0.0 s at 25 kHz, 0 of 0 requests again\n"},
	        {{.bytes = 16536, .lists = 200, .repeats = 100, .damaged = 20, .speed = 4000000},
	         MEMORY "100 of 200 requests again\n"},
	        {{.bytes = 16536, .lists = 200, .repeats = 100, .damaged = 21, .speed = 4000000},
	         MEMORY "100 of 200 requests again\n" ADVICE},
	        {{.bytes = 16536, .lists = 20, .repeats = 100, .damaged = 9, .speed = 4000000},
	         MEMORY "100 of 20 requests again\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_printed(&(struct target_traffic){.has_transfers = true, .transfers = cases[i].transfers},
		               cases[i].expected);
}

TEST(uncounted_traffic_prints_nothing)
{
	assert_printed(&(struct target_traffic){0}, "");
}
