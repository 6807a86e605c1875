/* SPDX-License-Identifier: MIT */
/* CMSIS-DAP against a probe in memory: how full packets are, how many are under way, and what comes of their loss. */
#include "fake_probe.h"
#include "target/dap/cmsis_dap.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW  256u /* words */
#define WINDOWS (FAKE_PROBE_WORDS / WINDOW)

#define READ_DPIDR 0x02
#define WRITE_TAR  0x05
#define WRITE_DRW  0x0d
#define READ_DRW   0x0f

static struct fake_probe probe;
static struct error error;

static int set_up(void **state)
{
	fake_probe_init(&probe);
	memset(&error, 0, sizeof error);
	return 0;
}

static enum status try_open(struct dap **dap)
{
	return cmsis_dap_open(&probe.packets, "cmsis-dap:1", 20, dap, &error);
}

/* Opens, and forgets what that took. */
static struct dap *open_probe(void)
{
	struct dap *dap;

	assert_int_equal(try_open(&dap), STATUS_OK);
	probe.request_count = 0;
	probe.in_flight_longest = probe.endless_answers = probe.answers_made = 0;
	return dap;
}

static void expect_message(const char *part)
{
	if (strstr(error.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, error.message);
}

static enum dap_ack transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count)
{
	enum dap_ack ack = 0;

	assert_int_equal(dap->ops->transfer(dap, transfers, count, &ack, &error), STATUS_OK);
	return ack;
}

/* All of the memory, with the address written again for each window. */
static enum dap_ack read_memory(struct dap *dap, uint32_t *words)
{
	static uint32_t addresses[WINDOWS];
	struct dap_transfer transfers[2 * WINDOWS];

	for (unsigned i = 0; i < WINDOWS; i++) {
		addresses[i] = i * WINDOW * 4;
		transfers[2 * i] = (struct dap_transfer){WRITE_TAR, 1, &addresses[i]};
		transfers[2 * i + 1] = (struct dap_transfer){READ_DRW, WINDOW, words + (size_t)i * WINDOW};
	}
	return transfer(dap, transfers, 2 * WINDOWS);
}

static void expect_memory_read(struct dap *dap)
{
	static uint32_t words[FAKE_PROBE_WORDS];

	memset(words, 0, sizeof words);
	assert_int_equal(read_memory(dap, words), DAP_OK);
	assert_memory_equal(words, probe.memory, sizeof words);
	assert_int_equal(probe.endless_answers, 0);
	assert_int_equal(probe.too_long, 0);
}

EACH_TEST(set_up, NULL);

TEST(all_of_memory_is_one_stream_of_full_packets)
{
	struct dap *dap = open_probe();

	expect_memory_read(dap);
	assert_int_equal(probe.request_count, (FAKE_PROBE_WORDS + 126) / 127);
	assert_int_equal(probe.in_flight_longest, 4);
	dap->ops->close(dap);
}

TEST(packets_of_64_bytes_hold_15_words)
{
	probe.packet_size = 64;
	probe.packet_count = 2;
	struct dap *dap = open_probe();
	expect_memory_read(dap);
	assert_int_equal(probe.request_count, (FAKE_PROBE_WORDS + 14) / 15);
	assert_int_equal(probe.in_flight_longest, 2);
	dap->ops->close(dap);
}

TEST(one_packet_is_under_way_where_a_probe_tells_of_none)
{
	probe.packet_count = 0;
	struct dap *dap = open_probe();
	expect_memory_read(dap);
	assert_int_equal(probe.in_flight_longest, 1);
	dap->ops->close(dap);
}

TEST(transport_bounds_packets)
{
	probe.packets.size_max = 128;
	probe.packets.in_flight_max = 1;
	struct dap *dap = open_probe();
	expect_memory_read(dap);
	assert_int_equal(probe.packets.size_max, 127);
	assert_int_equal(probe.in_flight_longest, 1);
	dap->ops->close(dap);
}

/* An answer of 1024 bytes is a short one to a probe of 2048, and would end with a full packet of the endpoint. */
TEST(packets_beyond_1024_bytes_are_not_filled)
{
	probe.packet_size = 2048;
	struct dap *dap = open_probe();
	expect_memory_read(dap);
	dap->ops->close(dap);
}

TEST(padded_answers_are_taken)
{
	probe.pads = true;
	struct dap *dap = open_probe();
	expect_memory_read(dap);
	dap->ops->close(dap);
}

/* Lists of runs by chance, and what has to come of them. */
#define RUNS_MAX   20
#define LENGTH_MAX 700

static uint32_t mix_words[RUNS_MAX][LENGTH_MAX], mix_memory[FAKE_PROBE_WORDS];

static unsigned chance(unsigned limit)
{
	return (unsigned)rand() % limit;
}

static void draw_run(uint32_t *words, struct dap_transfer *run)
{
	static const uint8_t registers[] = {READ_DRW, READ_DRW, WRITE_DRW, READ_DPIDR, WRITE_TAR};

	run->reg = registers[chance(5)];
	run->count = run->reg == WRITE_TAR ? 1 : 1 + chance(chance(4) ? 20 : LENGTH_MAX);
	run->words = words;
	for (uint32_t i = 0; i < run->count; i++)
		words[i] = run->reg == WRITE_TAR ? 4 * chance(FAKE_PROBE_WORDS) : (uint32_t)rand();
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

TEST(any_mix_of_runs_is_read_and_written_right)
{
	struct dap_transfer runs[RUNS_MAX];

	srand(1);
	for (unsigned round = 0; round < 300; round++) {
		uint32_t tar = 0;
		fake_probe_init(&probe);
		probe.packet_size = 64 + chance(600);
		memcpy(mix_memory, probe.memory, sizeof mix_memory);
		struct dap *dap = open_probe();
		unsigned count = 1 + chance(RUNS_MAX);
		for (unsigned i = 0; i < count; i++)
			draw_run(mix_words[i], &runs[i]);
		assert_int_equal(transfer(dap, runs, count), DAP_OK);
		for (unsigned i = 0; i < count; i++)
			for (uint32_t j = 0; j < runs[i].count; j++)
				expect_word(runs[i].reg, runs[i].words[j], &tar);
		assert_memory_equal(probe.memory, mix_memory, sizeof mix_memory);
		assert_int_equal(probe.endless_answers + probe.too_long, 0);
		dap->ops->close(dap);
	}
}

TEST(nothing_is_written_behind_an_address_that_was_not)
{
	static uint32_t words[2 * WINDOW], addresses[] = {0, 4 * WINDOW};
	const struct dap_transfer transfers[] = {{WRITE_TAR, 1, &addresses[0]},
	                                         {WRITE_DRW, WINDOW, words},
	                                         {WRITE_TAR, 1, &addresses[1]},
	                                         {WRITE_DRW, WINDOW, words + WINDOW}};
	struct dap *dap = open_probe();

	for (unsigned i = 0; i < 2 * WINDOW; i++)
		words[i] = i;
	probe.failing_access = 2 + WINDOW; /* the second address */
	probe.failing_ack = 2;
	assert_int_equal(transfer(dap, transfers, 4), DAP_WAIT);
	assert_memory_equal(probe.memory, words, 4 * WINDOW);
	for (unsigned i = WINDOW; i < FAKE_PROBE_WORDS; i++)
		assert_int_equal(probe.memory[i], fake_probe_word(i));
	dap->ops->close(dap);
}

TEST(first_failure_is_told_and_what_was_under_way_thrown_away)
{
	static uint32_t words[FAKE_PROBE_WORDS];
	static const struct {
		uint8_t byte;
		enum dap_ack ack;
	} cases[] = {{2, DAP_WAIT},           {4, DAP_FAULT},          {7, DAP_NO_ACK},
	             {8, DAP_PROTOCOL_ERROR}, {9, DAP_PROTOCOL_ERROR}, {0, DAP_PROTOCOL_ERROR}};
	struct dap *dap = open_probe();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		probe.failing_access = probe.accesses + 200;
		probe.failing_ack = cases[i].byte;
		probe.request_count = 0;
		assert_int_equal(read_memory(dap, words), cases[i].ack);
		assert_in_range(probe.request_count, 1, 5);
		assert_int_equal(probe.answer_first, probe.answer_end);
		expect_memory_read(dap);
	}
	dap->ops->close(dap);
}

TEST(lost_answer_is_told_and_packets_go_one_by_one)
{
	static uint32_t words[FAKE_PROBE_WORDS];
	struct dap *dap = open_probe();

	probe.lost_answer = 3;
	assert_int_equal(read_memory(dap, words), DAP_LOST);
	probe.in_flight_longest = 0;
	expect_memory_read(dap);
	assert_int_equal(probe.in_flight_longest, 1);
	dap->ops->close(dap);
}

/* Opens, and interrupts a transfer, to which an answer is still under way. */
static struct dap *open_interrupted(void)
{
	static uint32_t words[FAKE_PROBE_WORDS];
	const struct dap_transfer all = {READ_DRW, FAKE_PROBE_WORDS, words};
	enum dap_ack ack;
	int ends[2];

	probe.packet_count = 1;
	struct dap *dap = open_probe();
	probe.late_answer = 2;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	close(ends[1]);
	probe.packets.cancel = ends[0];
	assert_int_equal(dap->ops->transfer(dap, &all, 1, &ack, &error), STATUS_FAILED);
	return dap;
}

/* Its answer would be that to the transfer before, for words that may not be there any more. */
TEST(nothing_is_transferred_between_an_interruption_and_the_finish)
{
	struct dap *dap = open_interrupted();
	int cancel = probe.packets.cancel;
	const struct dap_transfer one = {READ_DPIDR, 1, &(uint32_t){0}};
	enum dap_ack ack;

	assert_int_equal(dap->ops->transfer(dap, &one, 1, &ack, &error), STATUS_FAILED);
	expect_message("cmsis-dap:1: the probe answers no more");
	dap->ops->close(dap);
	close(cancel);
}

static void count_one_less(struct fake_answer *answer)
{
	answer->bytes[1]--;
}

static void count_one_more(struct fake_answer *answer)
{
	answer->bytes[1]++;
}

static void fail_with_more_than_asked(struct fake_answer *answer)
{
	answer->bytes[2] = 0xff;
	answer->bytes[3] = 4;
}

static void cut_last_byte(struct fake_answer *answer)
{
	answer->size--;
}

static void cut_all(struct fake_answer *answer)
{
	answer->size = 0;
}

static void cut_head(struct fake_answer *answer)
{
	answer->size = 2;
}

static void answer_another_command(struct fake_answer *answer)
{
	answer->bytes[0] ^= 3;
}

static void know_no_command(struct fake_answer *answer)
{
	answer->bytes[0] = 0xff;
	answer->size = 1;
}

static void (*const lies[])(struct fake_answer *answer) = {
        count_one_less, count_one_more, fail_with_more_than_asked, cut_last_byte,
        cut_all,        cut_head,       answer_another_command,    know_no_command,
};

/* The second packet is a DAP_TransferBlock. */
TEST(answer_that_lies_is_not_taken)
{
	static uint32_t words[FAKE_PROBE_WORDS];

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		fake_probe_init(&probe);
		struct dap *dap = open_probe();
		probe.spoil = lies[i];
		probe.spoilt_answer = 2;
		assert_int_equal(read_memory(dap, words), DAP_LOST);
		assert_int_equal(probe.requests[1][0], 0x06);
		expect_memory_read(dap);
		dap->ops->close(dap);
	}
}

TEST(opening_learns_and_switches_to_swd)
{
	static const uint8_t begins[][3] = {{0x00, 0x04}, {0x00, 0xf0},    {0x00, 0xff}, {0x00, 0xfe},
	                                    {0x02, 0x01}, {0x01, 0x00, 1}, {0x04, 0x00}, {0x13, 0x00}};
	struct dap *dap;

	assert_int_equal(try_open(&dap), STATUS_OK);
	assert_int_equal(probe.request_count, sizeof begins / sizeof *begins);
	for (unsigned i = 0; i < probe.request_count; i++)
		assert_memory_equal(probe.requests[i], begins[i], i == 5 ? 3 : 2);
	assert_int_equal(probe.packets.size_max, 512);
	assert_string_equal(dap->source, "cmsis-dap:1");
	assert_in_range(probe.wait_retries, 1, 1000);
	dap->ops->close(dap);
}

TEST(closing_turns_the_light_off_and_lets_go_of_the_pins)
{
	struct dap *dap = open_probe();

	dap->ops->close(dap);
	assert_int_equal(probe.request_count, 2);
	assert_memory_equal(probe.requests[0], "\x01\x00\x00", 3);
	assert_int_equal(probe.requests[1][0], 0x03);
	assert_true(probe.is_closed);
}

static void expect_refused(const char *message)
{
	struct dap *dap;

	assert_int_equal(try_open(&dap), STATUS_FAILED);
	expect_message(message);
	assert_true(probe.is_closed);
}

TEST(probe_without_swd_is_refused)
{
	probe.capabilities = 0x02;
	expect_refused("cmsis-dap:1: the probe does not speak SWD");
}

TEST(probe_that_does_not_connect_is_refused)
{
	probe.connected_port = 0;
	expect_refused("does not switch to SWD");
}

TEST(packets_too_small_are_refused)
{
	probe.packet_size = 63;
	expect_refused("packets of 63 bytes");
	fake_probe_init(&probe);
	probe.packets.size_max = 8;
	expect_refused("packets of 8 bytes");
}

TEST(sizes_and_counts_that_cannot_be_are_bounded)
{
	static const unsigned counts[] = {0, 1, 255}, most[] = {1, 1, 4};

	for (unsigned i = 0; i < 3; i++) {
		fake_probe_init(&probe);
		probe.packet_size = 65535;
		probe.packet_count = counts[i];
		struct dap *dap = open_probe();
		expect_memory_read(dap);
		assert_int_equal(probe.packets.size_max, 1023);
		assert_int_equal(probe.in_flight_longest, most[i]);
		dap->ops->close(dap);
	}
	probe.packet_size = 0;
	expect_refused("packets of 0 bytes");
}

static void tell_nothing(struct fake_answer *answer)
{
	answer->bytes[1] = 0;
	answer->size = 2;
}

static void tell_only_the_command(struct fake_answer *answer)
{
	answer->size = 1;
}

/* Of version, capabilities, size and count only two are needed. */
TEST(information_that_lacks_is_told_or_not_needed)
{
	static const char *const refusals[] = {NULL, "does not speak SWD", "packets of 0 bytes", NULL};
	struct dap *dap;

	for (unsigned i = 0; i < 4; i++) {
		fake_probe_init(&probe);
		probe.spoil = tell_nothing;
		probe.spoilt_answer = i + 1;
		if (refusals[i] != NULL) {
			expect_refused(refusals[i]);
		} else {
			dap = open_probe();
			dap->ops->close(dap);
		}
		fake_probe_init(&probe);
		probe.spoil = tell_only_the_command;
		probe.spoilt_answer = i + 1;
		expect_refused("answers something else");
	}
}

TEST(probe_that_fails_while_it_is_opened_is_refused)
{
	for (unsigned i = 1; i <= 8; i++) {
		fake_probe_init(&probe);
		probe.unplugged_at = i;
		expect_refused("fake: unplugged");
	}
}

static void tell_too_much(struct fake_answer *answer)
{
	answer->bytes[1] = 200;
}

TEST(information_longer_than_its_packet_is_refused)
{
	probe.spoil = tell_too_much;
	probe.spoilt_answer = 1;
	expect_refused("answers something else");
}

TEST(target_is_selected_with_the_line_free_for_its_acknowledge)
{
	struct dap *dap = open_probe();

	assert_int_equal(dap->ops->select_target(dap, 0x01002927, &error), STATUS_OK);
	assert_int_equal(dap->ops->select_target(dap, 0x11002927, &error), STATUS_OK);
	assert_int_equal(probe.sizes[0], 11);
	assert_memory_equal(probe.requests[0], "\x1d\x03\x08\x99\x85\x21\x27\x29\x00\x01\x00", 11);
	assert_memory_equal(probe.requests[1], "\x1d\x03\x08\x99\x85\x21\x27\x29\x00\x11\x01", 11);
	dap->ops->close(dap);
}

TEST(command_that_a_probe_does_not_know_is_told_with_its_version)
{
	probe.version = "1.10";
	probe.unknown_command = 0x1d;
	struct dap *dap = open_probe();
	assert_int_equal(dap->ops->select_target(dap, 1, &error), STATUS_FAILED);
	expect_message("does not know command 0x1d of CMSIS-DAP (it speaks version 1.10); update its firmware");
	dap->ops->close(dap);
}

TEST(bits_are_sent_256_at_a_time)
{
	uint8_t bits[34];
	struct dap *dap = open_probe();

	for (unsigned i = 0; i < sizeof bits; i++)
		bits[i] = (uint8_t)(i + 1);
	assert_int_equal(dap->ops->send_bits(dap, bits, 267, &error), STATUS_OK);
	assert_int_equal(probe.request_count, 2);
	assert_memory_equal(probe.requests[0], "\x12\x00\x01\x02\x03", 5);
	assert_int_equal(probe.sizes[0], 2 + 32);
	assert_memory_equal(probe.requests[1], "\x12\x0b\x21\x22", 4);
	assert_int_equal(probe.sizes[1], 2 + 2);
	dap->ops->close(dap);
}

/* The target shows whether it heard them. */
TEST(bits_whose_answer_got_lost_or_is_another_end_nothing)
{
	for (unsigned is_lost = 0; is_lost < 2; is_lost++) {
		fake_probe_init(&probe);
		struct dap *dap = open_probe();
		probe.spoil = answer_another_command;
		probe.spoilt_answer = is_lost ? 0 : 1;
		probe.lost_answer = is_lost ? 1 : 0;
		assert_int_equal(dap->ops->send_bits(dap, (const uint8_t[]){0}, 8, &error), STATUS_OK);
		expect_memory_read(dap);
		dap->ops->close(dap);
	}
}

TEST(bits_for_a_silent_probe_are_a_failure)
{
	struct dap *dap = open_probe();

	probe.silent_from = 1;
	assert_int_equal(dap->ops->send_bits(dap, (const uint8_t[]){0}, 8, &error), STATUS_FAILED);
	expect_message("fake: no answer");
	dap->ops->close(dap);
	fake_probe_init(&probe);
	dap = open_probe();
	probe.silent_from = 1;
	assert_int_equal(dap->ops->select_target(dap, 1, &error), STATUS_FAILED);
	expect_message("fake: no answer");
	dap->ops->close(dap);
}

TEST(reset_pin_alone_is_driven)
{
	struct dap *dap = open_probe();

	assert_int_equal(dap->ops->drive_reset(dap, true, &error), STATUS_OK);
	assert_int_equal(dap->ops->drive_reset(dap, false, &error), STATUS_OK);
	assert_int_equal(probe.sizes[0], 7);
	assert_memory_equal(probe.requests[0], "\x10\x00\x80\x00\x00\x00\x00", 7);
	assert_memory_equal(probe.requests[1], "\x10\x80\x80\x00\x00\x00\x00", 7);
	dap->ops->close(dap);
}

TEST(clock_is_set_in_hertz_or_told)
{
	struct dap *dap = open_probe();

	assert_int_equal(dap->ops->set_speed(dap, 1000000, &error), STATUS_OK);
	assert_memory_equal(probe.requests[0], "\x11\x40\x42\x0f\x00", 5);
	probe.refused_command = 0x11;
	assert_int_equal(dap->ops->set_speed(dap, 10, &error), STATUS_FAILED);
	expect_message("no clock of 10 Hz");
	dap->ops->close(dap);
}

TEST(refused_command_is_told)
{
	struct dap *dap = open_probe();

	probe.refused_command = 0x12;
	assert_int_equal(dap->ops->send_bits(dap, (const uint8_t[]){0}, 8, &error), STATUS_FAILED);
	expect_message("refuses command 0x12");
	dap->ops->close(dap);
}
