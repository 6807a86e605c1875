/* SPDX-License-Identifier: MIT */
/* CMSIS-DAP against the model of a probe: packet sizes, packets in flight, and errors of the probe. */
#include "acquire/probe/cmsis_dap.h"
#include "fake_probe.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW  256u /* words */
#define WINDOWS (FAKE_PROBE_WORDS / WINDOW)

#define READ_DPIDR    0x02
#define WRITE_CONTROL 0x04
#define WRITE_CSW     0x01
#define WRITE_TAR     0x05
#define WRITE_DRW     0x0d
#define READ_DRW      0x0f

static struct fake_probe probe;
static struct dap *dap; /* NULL: not open */

static enum status try_open(void)
{
	return cmsis_dap_open(&probe.packets, "cmsis-dap:1", 20, &dap, &failure);
}

static int tear_down(void **state)
{
	if (dap != NULL)
		dap->ops->close(dap);
	dap = NULL;
	return 0;
}

static int set_up(void **state)
{
	tear_down(state);
	fake_probe_init(&probe, NULL);
	memset(&failure, 0, sizeof failure);
	return 0;
}

static enum dap_ack transfer(const struct dap_transfer *transfers, size_t count)
{
	enum dap_ack ack = 0;

	assert_int_equal(dap->ops->transfer(dap, transfers, count, &ack, &failure), STATUS_OK);
	return ack;
}

/* Opens, connects to the target, and resets the statistics. */
static void open_probe(void)
{
	static const uint8_t jtag_to_swd[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x9E, 0xE7,
	                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};
	uint32_t id, power = 0x50000000, csw = 0x23000052;
	const struct dap_transfer transfers[] = {
	        {READ_DPIDR, 1, &id}, {WRITE_CONTROL, 1, &power}, {WRITE_CSW, 1, &csw}};

	assert_int_equal(try_open(), STATUS_OK);
	assert_int_equal(dap->ops->send_bits(dap, jtag_to_swd, 8 * sizeof jtag_to_swd, &failure), STATUS_OK);
	assert_int_equal(transfer(transfers, 3), DAP_OK);
	probe.request_count = probe.answer_count = 0;
	probe.in_flight_max = probe.endless = 0;
}

static uint32_t words[FAKE_PROBE_WORDS];

/* Reads all memory, writing the address again for each window. */
static enum dap_ack read_memory(void)
{
	static uint32_t addresses[WINDOWS];
	struct dap_transfer transfers[2 * WINDOWS];

	memset(words, 0, sizeof words);
	for (unsigned i = 0; i < WINDOWS; i++) {
		addresses[i] = i * WINDOW * 4;
		transfers[2 * i] = (struct dap_transfer){WRITE_TAR, 1, &addresses[i]};
		transfers[2 * i + 1] = (struct dap_transfer){READ_DRW, WINDOW, words + (size_t)i * WINDOW};
	}
	return transfer(transfers, 2 * WINDOWS);
}

static void expect_memory_read(void)
{
	assert_int_equal(read_memory(), DAP_OK);
	assert_memory_equal(words, probe.memory, sizeof words);
	assert_int_equal(probe.endless + probe.too_long + probe.firmware.violations, 0);
}

EACH_TEST(set_up, tear_down);

TEST(packets_are_full_and_in_flight_up_to_the_limit)
{
	static const struct {
		unsigned size, count; /* of the probe's packets */
		unsigned transport_size, transport_count;
		bool pads;
		unsigned used_size, used_count, words; /* expected; words in each packet, 0: any */
	} cases[] = {
	        {512, 4, 1024, 8, false, 512, 4, 127},
	        {64, 2, 1024, 8, false, 64, 2, 15},
	        {512, 0, 1024, 8, false, 512, 1, 127},
	        {512, 4, 128, 1, false, 127, 1, 0},
	        /* An answer of 1024 bytes would end with a full packet of the endpoint. */
	        {2048, 4, 1024, 8, false, 1023, 4, 0},
	        {65535, 255, 1024, 8, false, 1023, 4, 0},
	        {512, 4, 1024, 8, true, 512, 4, 127},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		set_up(state);
		probe.firmware.packet_size = cases[i].size;
		probe.firmware.packet_count = cases[i].count;
		probe.packets.size_max = cases[i].transport_size;
		probe.packets.in_flight_max = cases[i].transport_count;
		probe.pads = cases[i].pads;
		open_probe();
		expect_memory_read();
		assert_int_equal(probe.packets.size_max, cases[i].used_size);
		assert_int_equal(probe.in_flight_max, cases[i].used_count);
		if (cases[i].words > 0)
			assert_int_equal(probe.request_count, (FAKE_PROBE_WORDS + cases[i].words - 1) / cases[i].words);
	}
}

/* Random lists of transfers, and a model of their results. */
#define RUNS_MAX   20
#define LENGTH_MAX 700

static uint32_t mix_words[RUNS_MAX][LENGTH_MAX], mix_memory[FAKE_PROBE_WORDS];

static unsigned chance(unsigned limit)
{
	return (unsigned)rand() % limit;
}

static void draw_run(uint32_t *drawn, struct dap_transfer *run)
{
	static const uint8_t registers[] = {READ_DRW, READ_DRW, WRITE_DRW, READ_DPIDR, WRITE_TAR};

	run->reg = registers[chance(5)];
	run->count = run->reg == WRITE_TAR ? 1 : 1 + chance(chance(4) ? 20 : LENGTH_MAX);
	run->words = drawn;
	for (uint32_t i = 0; i < run->count; i++)
		drawn[i] = run->reg == WRITE_TAR ? 4 * chance(FAKE_PROBE_WORDS) : (uint32_t)rand();
}

static void expect_word(uint8_t reg, uint32_t word, uint32_t *tar)
{
	uint32_t *at = &mix_memory[*tar / 4];

	if (reg == READ_DPIDR)
		assert_int_equal(word, FAKE_PROBE_DPIDR);
	else if (reg == READ_DRW)
		assert_int_equal(word, *at);
	else if (reg == WRITE_DRW)
		*at = word;
	if (reg == WRITE_TAR)
		*tar = word;
	else if (reg != READ_DPIDR)
		*tar = (*tar & ~0x3ffu) | ((*tar + 4) & 0x3ff);
}

TEST(random_lists_of_transfers_have_the_right_results)
{
	struct dap_transfer runs[RUNS_MAX];

	srand(1);
	for (unsigned round = 0; round < 100; round++) {
		uint32_t tar = 0;

		set_up(state);
		probe.firmware.packet_size = 64 + chance(600);
		memcpy(mix_memory, probe.memory, sizeof mix_memory);
		open_probe();
		unsigned count = 1 + chance(RUNS_MAX);
		for (unsigned i = 0; i < count; i++)
			draw_run(mix_words[i], &runs[i]);
		assert_int_equal(transfer(runs, count), DAP_OK);
		for (unsigned i = 0; i < count; i++)
			for (uint32_t j = 0; j < runs[i].count; j++)
				expect_word(runs[i].reg, runs[i].words[j], &tar);
		assert_memory_equal(probe.memory, mix_memory, sizeof mix_memory);
		assert_int_equal(probe.endless + probe.too_long + probe.firmware.violations, 0);
	}
}

/* The probe executes later packets even if the write of an address failed. */
TEST(failed_write_of_an_address_prevents_later_writes)
{
	static uint32_t values[2 * WINDOW], addresses[] = {0, 4 * WINDOW};
	const struct dap_transfer transfers[] = {{WRITE_TAR, 1, &addresses[0]},
	                                         {WRITE_DRW, WINDOW, values},
	                                         {WRITE_TAR, 1, &addresses[1]},
	                                         {WRITE_DRW, WINDOW, values + WINDOW}};

	fake_probe_init(&probe, "wait-for-ever=259"); /* the second address, after CSW, an address and a window */
	open_probe();
	for (unsigned i = 0; i < 2 * WINDOW; i++)
		values[i] = i;
	assert_int_equal(transfer(transfers, 4), DAP_WAIT);
	assert_int_equal(probe.request_count, 3); /* the second address is in the third */
	assert_memory_equal(probe.memory, values, 4 * WINDOW);
	for (unsigned i = WINDOW; i < FAKE_PROBE_WORDS; i++)
		assert_int_equal(probe.memory[i], fake_probe_word(i));
}

TEST(first_failure_is_reported_and_later_answers_discarded)
{
	static const struct {
		uint8_t byte;
		enum dap_ack ack;
	} cases[] = {{2, DAP_WAIT},           {4, DAP_FAULT},          {7, DAP_NO_ACK},
	             {8, DAP_PROTOCOL_ERROR}, {9, DAP_PROTOCOL_ERROR}, {0, DAP_PROTOCOL_ERROR}};

	open_probe();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		probe.damaged_answer = probe.answer_count + 2;
		probe.damage = (struct fake_damage){{KEEP, 10, 0, cases[i].byte}, 0, 0};
		probe.request_count = 0;
		assert_int_equal(read_memory(), cases[i].ack);
		assert_in_range(probe.request_count, 1, 5);
		assert_int_equal(probe.answer_first, probe.answer_end);
		expect_memory_read();
	}
}

TEST(lost_answer_is_reported_and_limits_packets_in_flight_to_1)
{
	open_probe();
	probe.lost_answer = 3;
	assert_int_equal(read_memory(), DAP_LOST);
	probe.in_flight_max = 0;
	expect_memory_read();
	assert_int_equal(probe.in_flight_max, 1);
}

/* The next answer would be that to the interrupted transfer. */
TEST(transfers_fail_between_an_interruption_and_the_finish)
{
	const struct dap_transfer all = {READ_DRW, FAKE_PROBE_WORDS, words}, one = {READ_DPIDR, 1, words};
	enum dap_ack ack;
	int ends[2];

	probe.firmware.packet_count = 1;
	open_probe();
	probe.late_answer = 2;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	probe.packets.cancel = ends[0];
	assert_int_equal(dap->ops->transfer(dap, &all, 1, &ack, &failure), STATUS_FAILED);
	assert_int_equal(dap->ops->transfer(dap, &one, 1, &ack, &failure), STATUS_FAILED);
	assert_contains(failure.message, "cmsis-dap:1: the probe no longer answers");
	tear_down(state);
	close(ends[0]);
	close(ends[1]);
}

static const struct fake_damage unknown_command = {{0xff, KEEP, KEEP, KEEP}, 1, 0},
                                other_command = {{0x7d, KEEP, KEEP, KEEP}, 0, 0},
                                no_head = {{KEEP, KEEP, KEEP, KEEP}, 1, 0}, nothing = {{KEEP, 0, KEEP, KEEP}, 2, 0},
                                too_much = {{KEEP, 200, KEEP, KEEP}, 0, 0};

/* The second packet is a DAP_TransferBlock of 127 words. */
TEST(inconsistent_answer_counts_as_lost)
{
	static const struct fake_damage cases[] = {
	        {{KEEP, 126, KEEP, KEEP}, 0, 0},  {{KEEP, 128, KEEP, KEEP}, 0, 0},
	        {{KEEP, KEEP, 0xff, 4}, 0, 0}, /* a failure after more words than requested */
	        {{KEEP, KEEP, KEEP, KEEP}, 0, 1}, {{KEEP, KEEP, KEEP, KEEP}, 2, 2},
	        {{KEEP, KEEP, KEEP, KEEP}, 2, 0}, {{0x05, KEEP, KEEP, KEEP}, 0, 0},
	        {{0xff, KEEP, KEEP, KEEP}, 1, 0}, /* unknown command */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_up(state);
		open_probe();
		probe.damage = cases[i];
		probe.damaged_answer = 2;
		assert_int_equal(read_memory(), DAP_LOST);
		assert_int_equal(probe.requests[1][0], 0x06);
		expect_memory_read();
	}
}

TEST(opening_queries_the_probe_and_switches_it_to_swd)
{
	static const uint8_t begins[][3] = {{0x00, 0x04}, {0x00, 0xf0},    {0x00, 0xff}, {0x00, 0xfe},
	                                    {0x02, 0x01}, {0x01, 0x00, 1}, {0x04, 0x00}, {0x13, 0x00}};

	assert_int_equal(try_open(), STATUS_OK);
	assert_int_equal(probe.request_count, sizeof begins / sizeof *begins);
	for (unsigned i = 0; i < probe.request_count; i++)
		assert_memory_equal(probe.requests[i], begins[i], i == 5 ? 3 : 2);
	assert_string_equal(dap->source, "cmsis-dap:1");
	assert_in_range(probe.firmware.wait_retries, 1, 1000);
}

TEST(closing_switches_the_light_off_and_releases_the_pins)
{
	open_probe();
	tear_down(state);
	assert_int_equal(probe.request_count, 2);
	assert_memory_equal(probe.requests[0], "\x01\x00\x00", 3);
	assert_int_equal(probe.requests[1][0], 0x03);
	assert_true(probe.is_closed);
}

static void expect_refused(const char *message)
{
	assert_int_equal(try_open(), STATUS_FAILED);
	assert_contains(failure.message, message);
	assert_true(probe.is_closed);
}

TEST(unsuitable_probe_is_refused)
{
	static const struct {
		unsigned damaged_answer;
		struct fake_damage damage;
		unsigned transport_size;
		const char *message;
	} cases[] = {
	        {2, {{KEEP, KEEP, 2, KEEP}, 0, 0}, 1024, "cmsis-dap:1: the probe does not speak SWD"},
	        {5, {{KEEP, 0, KEEP, KEEP}, 0, 0}, 1024, "does not switch to SWD"},
	        {3, {{KEEP, KEEP, 63, 0}, 0, 0}, 1024, "packets of 63 bytes"},
	        {3, {{KEEP, KEEP, 0, 0}, 0, 0}, 1024, "packets of 0 bytes"},
	        {0, {{KEEP, KEEP, KEEP, KEEP}, 0, 0}, 8, "packets of 8 bytes"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_up(state);
		probe.damaged_answer = cases[i].damaged_answer;
		probe.damage = cases[i].damage;
		probe.packets.size_max = cases[i].transport_size;
		expect_refused(cases[i].message);
	}
}

/* Version, capabilities, size and count are queried in this order. */
TEST(only_capabilities_and_packet_size_are_required)
{
	static const char *const refusals[] = {NULL, "does not speak SWD", "packets of 0 bytes", NULL};

	for (unsigned i = 0; i < 4; i++) {
		set_up(state);
		probe.damage = nothing;
		probe.damaged_answer = i + 1;
		if (refusals[i] != NULL)
			expect_refused(refusals[i]);
		else
			open_probe();
	}
}

TEST(malformed_information_is_refused)
{
	for (unsigned i = 0; i < 5; i++) {
		set_up(state);
		probe.damage = i == 4 ? too_much : no_head;
		probe.damaged_answer = i == 4 ? 1 : i + 1;
		expect_refused("the probe's answers do not match the commands");
	}
}

TEST(probe_unplugged_while_it_is_opened_is_refused)
{
	for (unsigned i = 1; i <= 8; i++) {
		set_up(state);
		probe.unplugged_at = i;
		expect_refused("fake: unplugged");
	}
}

static void expect_request(unsigned number, const char *bytes, size_t size)
{
	assert_int_equal(probe.sizes[number], size);
	assert_memory_equal(probe.requests[number], bytes, size < 16 ? size : 4);
}

TEST(operations_are_sent_as_commands)
{
	uint8_t bits[34];

	open_probe();
	/* The line is free during the missing acknowledge. */
	assert_int_equal(dap->ops->select_target(dap, 0x01002927, &failure), STATUS_OK);
	assert_int_equal(dap->ops->select_target(dap, 0x11002927, &failure), STATUS_OK);
	expect_request(0, "\x1d\x03\x08\x99\x85\x21\x27\x29\x00\x01\x00", 11);
	expect_request(1, "\x1d\x03\x08\x99\x85\x21\x27\x29\x00\x11\x01", 11);
	/* Only nRESET of the pins is driven. */
	assert_int_equal(dap->ops->drive_reset(dap, true, &failure), STATUS_OK);
	assert_int_equal(dap->ops->drive_reset(dap, false, &failure), STATUS_OK);
	expect_request(2, "\x10\x00\x80\x00\x00\x00\x00", 7);
	expect_request(3, "\x10\x80\x80\x00\x00\x00\x00", 7);
	assert_int_equal(dap->ops->set_speed(dap, &(uint32_t){1000000}, &failure), STATUS_OK);
	expect_request(4, "\x11\x40\x42\x0f\x00", 5);
	/* At most 256 bits at a time. */
	for (unsigned i = 0; i < sizeof bits; i++)
		bits[i] = (uint8_t)(i + 1);
	assert_int_equal(dap->ops->send_bits(dap, bits, 267, &failure), STATUS_OK);
	expect_request(5, "\x12\x00\x01\x02", 2 + 32);
	expect_request(6, "\x12\x0b\x21\x22", 2 + 2);
	assert_int_equal(probe.request_count, 7);
}

static enum status send_bits(void)
{
	return dap->ops->send_bits(dap, (const uint8_t[]){0}, 8, &failure);
}

/* The target shows whether it received them. */
TEST(lost_or_wrong_answer_to_bits_is_not_a_failure)
{
	for (unsigned is_lost = 0; is_lost < 2; is_lost++) {
		set_up(state);
		open_probe();
		probe.damage = other_command;
		probe.damaged_answer = is_lost ? 0 : 1;
		probe.lost_answer = is_lost ? 1 : 0;
		assert_int_equal(send_bits(), STATUS_OK);
		expect_memory_read();
	}
}

TEST(silent_probe_and_refused_commands_are_reported)
{
	open_probe();
	probe.silent_from = 1;
	assert_int_equal(send_bits(), STATUS_FAILED);
	assert_contains(failure.message, "fake: no answer");
	set_up(state);
	open_probe();
	probe.silent_from = 1;
	assert_int_equal(dap->ops->select_target(dap, 1, &failure), STATUS_FAILED);
	assert_contains(failure.message, "fake: no answer");
	set_up(state);
	open_probe();
	probe.damage = (struct fake_damage){{KEEP, 0xff, KEEP, KEEP}, 0, 0};
	probe.damaged_answer = 1;
	assert_int_equal(dap->ops->set_speed(dap, &(uint32_t){10}, &failure), STATUS_FAILED);
	assert_contains(failure.message, "no clock of 10 Hz");
	probe.damaged_answer = 2;
	assert_int_equal(send_bits(), STATUS_FAILED);
	assert_contains(failure.message, "refuses command 0x12");
	probe.damage = unknown_command;
	probe.damaged_answer = 3;
	assert_int_equal(dap->ops->select_target(dap, 1, &failure), STATUS_FAILED);
	assert_contains(failure.message,
	                "does not know command 0x1d of CMSIS-DAP (it speaks version 2.1.0); update its firmware");
}
