/* SPDX-License-Identifier: MIT */
/* The summary of a pull's traffic. */
#include "command/traffic.h"
#include "test.h"

#include <stdlib.h>

static void assert_printed(const struct target_traffic *traffic, const char *expected)
{
	char *line;
	size_t size;
	FILE *stream = open_memstream(&line, &size);
	assert_non_null(stream);
	traffic_print(stream, traffic);
	fclose(stream);
	assert_string_equal(line, expected);
	free(line);
}

static void assert_line(const struct client_traffic *frames, const char *expected)
{
	assert_printed(&(struct target_traffic){.has_frames = true, .frames = *frames}, expected);
}

TEST(good_line_shows_totals_only)
{
	const struct client_traffic traffic = {
	        .bytes_received = 4000, .bytes_sent = 112, .seconds = 0.5, .requests = 1034, .round_trips = 5};
	assert_line(&traffic,
	            "4,112 bytes on the line in 0.5 s (8,224 bytes/s), 0 of 1,034 requests again, 5 round trips\n");
}

TEST(bad_line_shows_its_losses)
{
	const struct client_traffic traffic = {.bytes_received = 1234567,
	                                       .seconds = 2,
	                                       .requests = 34,
	                                       .repeats = 12,
	                                       .round_trips = 1,
	                                       .frames_damaged = 3,
	                                       .reconnections = 1};
	assert_line(&traffic, "1,234,567 bytes on the line in 2.0 s (617,283 bytes/s), 12 of 34 requests again, "
	                      "1 round trip, 3 damaged frames, 1 reconnection\n");
}

TEST(no_time_has_no_rate)
{
	const struct client_traffic traffic = {.bytes_received = 10};
	assert_line(&traffic, "10 bytes on the line in 0.0 s, 0 of 0 requests again\n");
}

TEST(debug_port_shows_its_clock)
{
	struct target_traffic traffic = {.has_transfers = true,
	                                 .transfers = {.bytes = 16536, .seconds = 0.5, .lists = 21, .speed = 1800000}};
	assert_printed(&traffic, "16,536 bytes of memory in 0.5 s (33.1 kB/s) at 1.8 MHz, 0 of 21 requests again\n");
	traffic.transfers.seconds = 0;
	traffic.transfers.repeats = 3;
	traffic.transfers.packets_lost = 1;
	assert_printed(&traffic, "16,536 bytes of memory in 0.0 s at 1.8 MHz, 3 of 21 requests again, 1 lost packet\n");
	traffic.transfers = (struct adi_traffic){.speed = 25000};
	assert_printed(&traffic, "0 bytes of memory in 0.0 s at 25 kHz, 0 of 0 requests again\n");
}

TEST(damaged_transfers_are_reported_with_advice)
{
	struct target_traffic traffic = {
	        .has_transfers = true,
	        .transfers = {.bytes = 16536, .lists = 200, .repeats = 100, .damaged = 20, .speed = 4000000}};
	assert_printed(&traffic, "16,536 bytes of memory in 0.0 s at 4 MHz, 100 of 200 requests again\n");
	traffic.transfers.damaged = 21;
	assert_printed(&traffic, "16,536 bytes of memory in 0.0 s at 4 MHz, 100 of 200 requests again\n"
	                         "note: many transfers are damaged: try a lower --speed and shorter wires\n");
	traffic.transfers.lists = 20;
	traffic.transfers.damaged = 9;
	assert_printed(&traffic, "16,536 bytes of memory in 0.0 s at 4 MHz, 100 of 20 requests again\n");
}

TEST(uncounted_traffic_prints_nothing)
{
	assert_printed(&(struct target_traffic){0}, "");
}
