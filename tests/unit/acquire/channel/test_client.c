/* SPDX-License-Identifier: MIT */
/* The client and a working target over faulty lines: reads return the target's memory. */
#include "fake.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

/* Opens, reads all and closes. */
static struct link_traffic read_all(void)
{
	fake_open_client();
	fake_check_memory(0, fake.memory_size);
	assert_int_equal(fake.progress_done, fake.memory_size);
	assert_int_equal(fake.progress_total, fake.memory_size);
	struct link_traffic traffic = client_traffic(fake.client);
	fake_close();
	return traffic;
}

static void assert_writes(uint32_t offset, uint32_t value)
{
	assert_success(client_write(fake.client, offset, value, &failure), &failure);
}

EACH_TEST(fake_set_up, fake_tear_down);

TEST(target_identifies_itself)
{
	fake.blocks = 2;
	fake.address = 0x8000000080001000;
	fake_open_client();
	const struct client_identity *identity = client_get_identity(fake.client);
	assert_int_equal(identity->address, 0x8000000080001000);
	assert_int_equal(identity->block_size, 0x2000);
	assert_int_equal(identity->block_count, 2);
	assert_true(client_can_write(fake.client));
}

TEST(any_part_of_the_memory_can_be_read)
{
	uint8_t bytes[1];
	uint64_t seed = 5;

	fake_open_client();
	for (unsigned round = 0; round < 200; round++) {
		uint32_t offset = wire_random(&seed, fake.memory_size);

		fake_check_memory(offset, wire_random(&seed, fake.memory_size - offset + 1));
	}
	fake_check_memory(fake.memory_size, 0);
	unsigned requests = fake.requests;
	assert_failure(client_read(fake.client, fake.memory_size, bytes, 1, &failure), &failure,
	               "fake:target: cannot read 1 bytes at offset 0x4000");
	assert_int_equal(client_read(fake.client, 4, bytes, SIZE_MAX, &failure), STATUS_FAILED);
	assert_int_equal(client_write(fake.client, fake.memory_size, 0, &failure), STATUS_FAILED);
	assert_int_equal(fake.requests, requests);
}

/* At any rate, delay and latency. */
TEST(nothing_is_repeated_on_a_faultless_line)
{
	static const uint32_t bauds[] = {0, 300, 1200, 9600, 115200, 3000000};
	static const uint32_t delays[] = {0, 1000, 40000};
	static const unsigned frames[] = {64, 128, 256, 1024};

	for (unsigned i = 0; i < 6 * 3 * 4 * 2; i++) {
		fake_init();
		fake.baud = bauds[i % 6];
		fake.delay = delays[i / 6 % 3];
		fake.frame = frames[i / 18 % 4];
		fake.latency = i / 72 ? 16000 : 0;
		/* Slow lines have a known rate; others may be reached through a server. */
		fake.bit_rate = fake.baud < 9600 ? fake.baud : 0;
		struct link_traffic traffic = read_all();
		assert_int_equal(traffic.repeats, 0);
		assert_int_equal(traffic.requests, fake.requests);
		assert_int_equal(fake.identifies, 1);
		assert_true(traffic.round_trips >= 2 && traffic.round_trips <= 3);
		assert_true(fake.frame_longest <= fake.frame);
		/* No frame takes longer than a second. */
		unsigned longest = fake.baud == 300 ? 64 : fake.baud == 1200 ? 120 : 1024;
		assert_int_equal(fake.frame_shortest_asked, fake.frame < longest ? fake.frame : longest);
		assert_int_equal(traffic.payload_bytes, fake.memory_size);
		assert_int_equal(traffic.bytes_received, fake.bytes_sent);
		assert_int_equal(traffic.data_bytes + 16 + 4 + 3, traffic.bytes_received); /* and the identity */
		assert_int_equal(traffic.frames_received, fake.answers_sent);
		assert_int_equal(traffic.frames_damaged + traffic.frames_unexpected + traffic.noise_bytes +
		                         traffic.text_bytes + traffic.reconnections,
		                 0);
	}
}

TEST(memory_is_exact_despite_faults_of_bytes)
{
	static const struct fake_faults kinds[] = {
	        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
	static const unsigned rates[] = {10, 100, 1000, 2500};
	static const unsigned frames[] = {64, 128, 256, 1024};

	for (unsigned i = 0; i < 5 * 4 * 4 * 3; i++) {
		const struct fake_faults *kind = &kinds[i % 5];
		unsigned rate = rates[i / 5 % 4], each = i % 5 == 4 ? rate : 4 * rate; /* at most 1 in 100 */

		fake_init();
		fake.frame = frames[i / 20 % 4];
		fake.seed = i;
		fake.to_host.faults = fake.to_target.faults = (struct fake_faults){
		        kind->flipped * each, kind->dropped * each, kind->doubled * each, kind->inserted * each};
		uint64_t begin = fake_milliseconds();
		read_all();
		/* The bare memory takes 1.4 seconds. */
		assert_true(fake_milliseconds() - begin < (rate < 1000 ? 3000 : 15000));
	}
}

/* Loses each request and each of the first answers in turn. */
TEST(lost_frame_is_soon_requested_again)
{
	uint64_t begin = fake_milliseconds();

	read_all();
	uint64_t usual = fake_milliseconds() - begin;
	unsigned requests = fake.requests, answers = fake.answers_sent;
	for (unsigned i = 0; i < requests + (answers < 64 ? answers : 64); i++) {
		fake_init();
		if (i < requests)
			fake.lost_requests = (uint64_t)1 << i;
		else
			fake.lost_answers = (uint64_t)1 << (i - requests);
		struct link_traffic traffic = read_all();
		bool is_first = i == 0 || i == requests;
		assert_int_equal(traffic.repeats, !is_first);
		assert_true(fake_milliseconds() - begin <= usual + (is_first ? 260 : 100));
	}
}

static void lose_second_and_third_identity(const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1 && fake.counter++ - 1 < 2)
		return;
	fake_answer(content, size);
}

/* A target may start late, so requests count as lost only once it has answered. */
TEST(requests_before_the_first_answer_do_not_count_as_lost)
{
	fake.lost_requests = 0x7;
	struct link_traffic traffic = read_all();
	assert_int_equal(fake.requests, traffic.requests);
	assert_int_equal(traffic.repeats, 0);

	fake_init();
	fake.breaks_after[0] = 1000;
	fake.answer = lose_second_and_third_identity;
	traffic = read_all();
	assert_int_equal(traffic.repeats, 4); /* with the two outstanding reads */
}

/* Without runs of zeros, the size of a frame shows how much memory it holds. */
static void init_without_zeros(void)
{
	uint64_t seed = 1;

	fake_init();
	for (size_t i = 0; i < sizeof fake.memory; i++)
		fake.memory[i] = (uint8_t)(1 + wire_random(&seed, 255));
}

/* The time to read memory that takes this many answers, with the identity; the last of them may be damaged. */
static uint64_t time_to_read(unsigned answers, bool is_damaged)
{
	init_without_zeros();
	fake.memory_size = (answers - 1) * 112; /* as much as a frame holds */
	fake.damaged_answers = (uint64_t)is_damaged << (answers - 1);
	uint64_t begin = fake_milliseconds();
	struct link_traffic traffic = read_all();
	assert_int_equal(traffic.repeats, is_damaged);
	assert_int_equal(traffic.frames_damaged, is_damaged);
	return fake_milliseconds() - begin;
}

/* Nothing follows the last frame, but the damaged one shows that it was sent. */
TEST(damaged_last_frame_causes_no_time_out)
{
	for (unsigned answers = 2; answers < 30; answers++)
		assert_true(time_to_read(answers, true) <= time_to_read(answers, false) + 25);
}

TEST(only_damaged_frames_are_requested_again)
{
	init_without_zeros();
	fake.memory_size = 0x1000;                                                      /* one read */
	fake.damaged_answers = (uint64_t)1 << 3 | (uint64_t)1 << 5 | (uint64_t)1 << 35; /* of 37 */
	struct link_traffic traffic = read_all();
	assert_int_equal(traffic.frames_damaged, 3);
	assert_int_equal(traffic.payload_bytes, fake.memory_size);
	assert_int_equal(traffic.repeats, 3);
}

TEST(damaged_acknowledgement_causes_no_time_out)
{
	fake.damaged_answers = 4;
	fake_open_client();
	assert_writes(0x40, 1);
	uint64_t begin = fake_milliseconds();
	assert_writes(0x40, 1);
	assert_int_equal(fake.writes, 3);
	assert_true(fake_milliseconds() - begin < 25);
}

/* A late answer holds the memory as it was at the earlier read. */
TEST(late_answer_to_an_earlier_read_is_ignored)
{
	for (unsigned i = 0; i < 20; i++) {
		fake_init();
		fake.memory_size = 0x400;
		fake_open_client();
		fake.pauses = (uint64_t)1 << (fake.answers_sent + i % 3);
		for (unsigned round = 0; round < 30; round++) {
			for (unsigned word = 0; word < 0x100; word++)
				fake.memory[4 * word] = (uint8_t)(round + 1);
			fake_check_memory(0, fake.memory_size);
		}
	}
}

/* The 4 KB that were requested twice would take 4 seconds. */
TEST(read_does_not_wait_for_answers_to_an_earlier_one)
{
	fake.baud = 9600;
	fake_open_client();
	fake.pauses = (uint64_t)1 << (fake.answers_sent + 2);
	fake_check_memory(0, 0x1000);
	assert_true(client_traffic(fake.client).repeats > 0);
	uint64_t begin = fake_milliseconds();
	fake_check_memory(0x100, 4);
	assert_true(fake_milliseconds() - begin < 600);
}

/* Asking for the identity makes the target stop sending long frames. */
TEST(damaged_long_frames_make_the_client_ask_for_shorter_ones)
{
	fake.frame = 1024;
	fake.memory_size = 0x1000; /* one read */
	fake.damaged_answers = 0x22;
	struct link_traffic traffic = read_all();
	assert_int_equal(fake.identifies, 3);
	assert_int_equal(fake.frame_shortest_asked, 256);
	assert_int_equal(traffic.frames_damaged, 2);
	assert_int_equal(traffic.repeats, fake.reads - 1);
	assert_true(traffic.payload_bytes <= fake.memory_size);
}

static void invert_memory(size_t size)
{
	for (size_t i = 0; i < size; i++)
		fake.memory[i] = (uint8_t)~fake.memory[i];
}

TEST(unrequested_frames_are_not_mistaken_for_answers)
{
	fake_open_client();
	invert_memory(sizeof fake.memory);
	fake_send_identity(0);
	for (uint32_t offset = 0; offset < fake.memory_size;)
		offset = fake_send_data(0, offset, fake.memory_size, 128);
	invert_memory(sizeof fake.memory);
	fake_check_memory(0, fake.memory_size);
	assert_true(client_can_write(fake.client));
	assert_true(client_traffic(fake.client).frames_unexpected > 100);
}

/* That session ended between its identity and its first data, and began with sequence 1, at another time than this. */
TEST(identity_for_an_earlier_session_is_ignored)
{
	uint8_t memory[64];

	for (unsigned later = 1; later < 15; later++) {
		fake_init();
		fake.now = (15 * 100 + later) * 1000;
		memcpy(memory, fake.memory, sizeof memory);
		memset(fake.memory, 0x77, sizeof memory);
		fake_send_identity(1);
		fake_send_data(2, 0, sizeof memory, 128);
		fake.lost_answers = 8; /* the right data, the first time */
		memcpy(fake.memory, memory, sizeof memory);
		read_all();
	}
}

/* With any sequence number, and other data. */
TEST(answers_to_an_earlier_session_are_ignored)
{
	for (unsigned ahead = 0; ahead < 15; ahead++) {
		fake_init();
		fake.now += 1000 * ahead;
		invert_memory(64);
		for (unsigned sequence = 1; sequence <= 15; sequence++) {
			for (uint32_t offset = 0; offset < 64;)
				offset = fake_send_data(sequence, offset, 64, 64);
			fake_send_frame((const uint8_t[]){(uint8_t)(0xA0 | sequence)}, 1);
		}
		fake.read = (struct fake_read){3, 0, 0x4000, 128};
		invert_memory(64);
		struct link_traffic traffic = read_all();
		assert_true(traffic.frames_unexpected > 15);
	}
}

TEST(control_word_is_written_until_it_is_acknowledged)
{
	unsigned more = 0;

	for (unsigned i = 0; i < 40; i++) {
		fake_init();
		fake.seed = i;
		fake.to_host.faults.flipped = fake.to_target.faults.dropped = i < 4 ? 0 : 10000;
		fake.lost_answers = i < 4 ? (uint64_t)i << 1 : 0;
		fake_open_client();
		for (uint32_t value = 1; value <= 20; value++) {
			assert_writes(0x40, 0x01020304 * value);
			for (unsigned byte = 0; byte < 4; byte++)
				assert_int_equal(fake.memory[0x40 + byte], (4 - byte) * value & 0xFF);
		}
		if (i < 4)
			assert_int_equal(fake.writes, i == 3 ? 22 : i == 0 ? 20 : 21);
		more += fake.writes - 20;
		assert_true(client_traffic(fake.client).repeats + 20 >= fake.writes);
	}
	assert_true(more > 20);
}

TEST(text_between_frames_reaches_the_observer)
{
	fake.chatter = "tick\n";
	struct link_traffic traffic = read_all();
	assert_int_equal(traffic.repeats + traffic.noise_bytes, 0);
	assert_int_equal(traffic.text_bytes, fake.text_size);
	assert_true(fake.text_size >= 5 * (fake.answers_sent - 1));
	for (size_t i = 0; i < fake.text_size; i++)
		assert_int_equal(fake.text[i], "tick\n"[i % 5]);
}

static bool send_numbered_line(void)
{
	char line[32];

	snprintf(line, sizeof line, "line %u of text\n", (unsigned)fake.counter++);
	fake_send_bytes(line, strlen(line));
	return true;
}

/* Endless noise without a long silence. */
static bool trickle(void)
{
	fake_send_bytes("\xFF", 1);
	fake.to_host.free_at += 20000;
	return true;
}

TEST(lost_requests_are_noticed_despite_endless_noise)
{
	static bool (*const noises[])(void) = {fake_send_noise, fake_send_zeros, trickle};
	static const struct {
		uint32_t baud;
		unsigned max; /* milliseconds */
	} cases[] = {{9600, 13500}, {115200, 1500}, {3000000, 300}};

	for (unsigned i = 0; i < 9; i++) {
		fake_init();
		fake.baud = cases[i / 3].baud;
		fake.idle = noises[i % 3];
		fake.lost_requests = 0x9249249249249249; /* one in 3 */
		uint64_t begin = fake_milliseconds();
		read_all();
		assert_true(fake_milliseconds() - begin < (fake.idle == trickle ? 15000 : cases[i / 3].max));
	}
}

TEST(waiting_passes_text_on_for_the_given_time)
{
	fake_open_client();
	fake.idle = send_numbered_line;
	uint64_t begin = fake_milliseconds();
	unsigned requests = fake.requests;
	assert_success(client_wait(fake.client, 30000, &failure), &failure);
	assert_int_equal(fake_milliseconds() - begin, 30000);
	assert_int_equal(fake.requests, requests);
	assert_memory_equal(fake.text, "line 0 of text\nline 1 of text\n", 30);
	assert_true(client_traffic(fake.client).seconds < 1);
	fake_check_memory(0, 100);
}
