/* SPDX-License-Identifier: MIT */
/* The client and a target that does what it should, over lines that do not: what is read is what was there. */
#include "fake.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fake fake;
static uint8_t bytes[FAKE_MEMORY_MAX];

static void read_some(struct client *client, uint32_t offset, size_t size)
{
	struct error error = {.message = ""};

	memset(bytes, 0x55, sizeof bytes);
	if (client_read(client, offset, bytes, size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(bytes, fake.memory + offset, size);
	for (size_t i = size; i < size + 8 && i < sizeof bytes; i++)
		assert_int_equal(bytes[i], 0x55);
}

/* Opens, reads all and closes. */
static struct client_traffic read_all(void)
{
	struct client *client = fake_open_client(&fake);
	read_some(client, 0, fake.memory_size);
	assert_int_equal(fake.progress_done, fake.memory_size);
	assert_int_equal(fake.progress_total, fake.memory_size);
	struct client_traffic traffic = client_traffic(client);
	client_close(client);
	assert_int_equal(fake.closed, fake.opened);
	return traffic;
}

TEST(the_target_says_who_it_is)
{
	fake_init(&fake);
	fake.blocks = 2;
	fake.address = 0x8000000080001000;
	struct client *client = fake_open_client(&fake);
	assert_int_equal(client_identify(client)->address, 0x8000000080001000);
	assert_int_equal(client_identify(client)->block_size, 0x2000);
	assert_int_equal(client_identify(client)->block_count, 2);
	assert_true(client_can_write(client));
	client_close(client);
}

TEST(any_part_of_the_memory_can_be_read)
{
	struct error error;
	uint64_t seed = 5;
	fake_init(&fake);
	struct client *client = fake_open_client(&fake);
	for (unsigned round = 0; round < 200; round++) {
		uint32_t offset = wire_random(&seed, fake.memory_size);
		read_some(client, offset, wire_random(&seed, fake.memory_size - offset + 1));
	}
	read_some(client, fake.memory_size, 0);
	unsigned requests = fake.requests;
	assert_int_equal(client_read(client, fake.memory_size, bytes, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:target: cannot read 1 bytes at offset 0x4000"));
	assert_int_equal(client_read(client, 4, bytes, SIZE_MAX, &error), STATUS_FAILED);
	assert_int_equal(client_write(client, fake.memory_size, 0, &error), STATUS_FAILED);
	assert_int_equal(fake.requests, requests);
	client_close(client);
}

/* The fault-free line: nothing is asked for twice, whatever its rate, delay and lumps. */
TEST(nothing_is_repeated_where_nothing_is_lost)
{
	static const uint32_t bauds[] = {0, 300, 1200, 9600, 115200, 3000000};
	static const uint32_t delays[] = {0, 1000, 40000};
	static const unsigned frames[] = {64, 128, 256, 1024};
	for (unsigned i = 0; i < 6 * 3 * 4 * 2; i++) {
		fake_init(&fake);
		fake.baud = bauds[i % 6];
		fake.delay = delays[i / 6 % 3];
		fake.frame = frames[i / 18 % 4];
		fake.lump = i / 72 ? 16000 : 0;
		fake.bit_rate =
		        fake.baud < 9600 ? fake.baud : 0; /* so slow a line is known, others may be behind a server */
		struct client_traffic traffic = read_all();
		assert_int_equal(traffic.repeats, 0);
		assert_int_equal(traffic.requests, fake.requests);
		assert_int_equal(fake.identifies, 1);
		assert_true(traffic.round_trips >= 2 && traffic.round_trips <= 3);
		assert_true(fake.frame_longest <= fake.frame);
		/* None that takes longer than a second. */
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

/* The faults' share of a rate. */
static struct fake_faults scaled(const struct fake_faults *faults, unsigned rate)
{
	return (struct fake_faults){faults->flipped * rate, faults->dropped * rate, faults->doubled * rate,
	                            faults->inserted * rate};
}

TEST(whatever_happens_to_bytes_the_memory_is_exact)
{
	static const struct fake_faults kinds[] = {
	        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
	static const unsigned rates[] = {10, 100, 1000, 2500};
	static const unsigned frames[] = {64, 128, 256, 1024};
	for (unsigned i = 0; i < 5 * 4 * 4 * 3; i++) {
		unsigned rate = rates[i / 5 % 4];
		bool is_mixed = i % 5 == 4;
		fake_init(&fake);
		fake.frame = frames[i / 20 % 4];
		fake.seed = i;
		/* 1 in 100 at the most. */
		fake.to_host.faults = fake.to_target.faults = scaled(&kinds[i % 5], is_mixed ? rate : 4 * rate);
		uint64_t begin = fake_milliseconds(&fake);
		read_all();
		/* Raw it would be 1.4 seconds. */
		assert_true(fake_milliseconds(&fake) - begin < (rate < 1000 ? 3000 : 15000));
	}
}

/* Loses in turn each request, or each of the first answers, and how long that takes. */
TEST(a_lost_frame_is_soon_asked_for_again)
{
	fake_init(&fake);
	uint64_t begin = fake_milliseconds(&fake);
	read_all();
	uint64_t usual = fake_milliseconds(&fake) - begin;
	unsigned requests = fake.requests, answers = fake.answers_sent;
	for (unsigned i = 0; i < requests + (answers < 64 ? answers : 64); i++) {
		fake_init(&fake);
		if (i < requests)
			fake.lost_requests = (uint64_t)1 << i;
		else
			fake.lost_answers = (uint64_t)1 << (i - requests);
		struct client_traffic traffic = read_all();
		bool is_first = i == 0 || i == requests;
		assert_int_equal(traffic.repeats, !is_first);
		assert_true(fake_milliseconds(&fake) - begin <= usual + (is_first ? 260 : 100));
	}
}

/* The second one and the third. */
static void loses_two_introductions(struct fake *target, const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1 && target->counter++ - 1 < 2)
		return;
	fake_answer(target, content, size);
}

/* Of a target that starts late, nothing was lost; of one that was there, who it is may be. */
TEST(asking_until_the_first_answer_is_no_loss)
{
	fake_init(&fake);
	fake.lost_requests = 0x7;
	struct client_traffic traffic = read_all();
	assert_int_equal(fake.requests, traffic.requests);
	assert_int_equal(traffic.repeats, 0);

	fake_init(&fake);
	fake.breaks_after[0] = 1000;
	fake.answers = loses_two_introductions;
	traffic = read_all();
	assert_int_equal(traffic.repeats, 4); /* with the two reads that were under way */
}

/* In which the size of a frame tells how much memory it was of. */
static void init_without_zeros(void)
{
	uint64_t seed = 1;
	fake_init(&fake);
	for (size_t i = 0; i < sizeof fake.memory; i++)
		fake.memory[i] = (uint8_t)(1 + wire_random(&seed, 255));
}

/* Of memory that takes so many answers, the identity included, the last of which is damaged or not. */
static uint64_t time_to_read(unsigned answers, bool is_damaged)
{
	init_without_zeros();
	fake.memory_size = (answers - 1) * 112; /* as much as a frame takes */
	fake.damaged_answers = (uint64_t)is_damaged << (answers - 1);
	uint64_t begin = fake_milliseconds(&fake);
	struct client_traffic traffic = read_all();
	assert_int_equal(traffic.repeats, is_damaged);
	assert_int_equal(traffic.frames_damaged, is_damaged);
	return fake_milliseconds(&fake) - begin;
}

/* Nothing comes behind the last frame, but what came in its place tells that nothing will. */
TEST(a_damaged_last_frame_is_not_waited_for)
{
	for (unsigned answers = 2; answers < 30; answers++)
		assert_true(time_to_read(answers, true) <= time_to_read(answers, false) + 25);
}

/* What was lost of a stretch is asked for, and not what comes behind it. */
TEST(damaged_frames_between_good_ones_cost_only_themselves)
{
	init_without_zeros();
	fake.memory_size = 0x1000;                                                      /* one read */
	fake.damaged_answers = (uint64_t)1 << 3 | (uint64_t)1 << 5 | (uint64_t)1 << 35; /* of 37 */
	struct client_traffic traffic = read_all();
	assert_int_equal(traffic.frames_damaged, 3);
	assert_int_equal(traffic.payload_bytes, fake.memory_size);
	assert_int_equal(traffic.repeats, 3);
}

TEST(a_damaged_acknowledgement_is_not_waited_for)
{
	struct error error;
	fake_init(&fake);
	fake.damaged_answers = 4;
	struct client *client = fake_open_client(&fake);
	assert_int_equal(client_write(client, 0x40, 1, &error), STATUS_OK);
	uint64_t begin = fake_milliseconds(&fake);
	assert_int_equal(client_write(client, 0x40, 1, &error), STATUS_OK);
	assert_int_equal(fake.writes, 3);
	assert_true(fake_milliseconds(&fake) - begin < 25);
	client_close(client);
}

/* What was asked for in vain is answered late: not with what the memory was then. */
TEST(a_late_answer_is_not_taken_for_a_new_one)
{
	for (unsigned i = 0; i < 20; i++) {
		fake_init(&fake);
		fake.memory_size = 0x400;
		struct client *client = fake_open_client(&fake);
		fake.pauses = (uint64_t)1 << (fake.answers_sent + i % 3);
		for (unsigned round = 0; round < 30; round++) {
			for (unsigned word = 0; word < 0x100; word++)
				fake.memory[4 * word] = (uint8_t)(round + 1);
			read_some(client, 0, fake.memory_size);
		}
		client_close(client);
	}
}

/* What was asked for twice is not waited for twice: 4 KB would take 4 seconds. */
TEST(a_read_does_not_wait_for_what_the_one_before_gave_up)
{
	fake_init(&fake);
	fake.baud = 9600;
	struct client *client = fake_open_client(&fake);
	fake.pauses = (uint64_t)1 << (fake.answers_sent + 2);
	read_some(client, 0, 0x1000);
	assert_true(client_traffic(client).repeats > 0);
	uint64_t begin = fake_milliseconds(&fake);
	read_some(client, 0x100, 4);
	assert_true(fake_milliseconds(&fake) - begin < 600);
	client_close(client);
}

/* Shorter frames are asked for at once: the target is made to end what it sends in long ones. */
TEST(a_damaged_frame_that_was_long_ends_what_is_under_way)
{
	fake_init(&fake);
	fake.frame = 1024;
	fake.memory_size = 0x1000; /* one read */
	fake.damaged_answers = 0x22;
	struct client_traffic traffic = read_all();
	assert_int_equal(fake.identifies, 3);
	assert_int_equal(fake.frame_shortest_asked, 256);
	assert_int_equal(traffic.frames_damaged, 2);
	assert_int_equal(traffic.repeats, fake.reads - 1);
	assert_true(traffic.payload_bytes <= fake.memory_size);
}

/* The target's own sending in the middle is no answer to anything. */
TEST(what_is_sent_unasked_is_not_taken_for_an_answer)
{
	static uint8_t memory[FAKE_MEMORY_MAX];
	fake_init(&fake);
	struct client *client = fake_open_client(&fake);
	memcpy(memory, fake.memory, sizeof memory);
	for (size_t i = 0; i < sizeof fake.memory; i++)
		fake.memory[i] = (uint8_t)~fake.memory[i];
	fake_send_identity(&fake, 0);
	for (uint32_t offset = 0; offset < fake.memory_size;)
		offset = fake_send_data(&fake, 0, offset, fake.memory_size, 128);
	memcpy(fake.memory, memory, sizeof memory);
	read_some(client, 0, fake.memory_size);
	assert_true(client_can_write(client));
	assert_true(client_traffic(client).frames_unexpected > 100);
	client_close(client);
}

/* One that ended between its identity and its first data, and began with sequence 1, at another time than this. */
TEST(an_identity_for_an_earlier_session_is_not_taken)
{
	uint8_t memory[64];
	for (unsigned later = 1; later < 15; later++) {
		fake_init(&fake);
		fake.now = (15 * 100 + later) * 1000;
		memcpy(memory, fake.memory, sizeof memory);
		memset(fake.memory, 0x77, sizeof memory);
		fake_send_identity(&fake, 1);
		fake_send_data(&fake, 2, 0, sizeof memory, 128);
		fake.lost_answers = 8; /* the right data for that, the first time */
		memcpy(fake.memory, memory, sizeof memory);
		read_all();
	}
}

/* What another session asked for is still coming: every sequence, and other data. */
TEST(answers_to_an_earlier_session_are_not_taken)
{
	uint8_t memory[64];
	for (unsigned ahead = 0; ahead < 15; ahead++) {
		fake_init(&fake);
		fake.now += 1000 * ahead;
		memcpy(memory, fake.memory, sizeof memory);
		for (unsigned i = 0; i < sizeof memory; i++)
			fake.memory[i] = (uint8_t)~memory[i];
		for (unsigned sequence = 1; sequence <= 15; sequence++) {
			for (uint32_t offset = 0; offset < sizeof memory;)
				offset = fake_send_data(&fake, sequence, offset, sizeof memory, 64);
			fake_send_frame(&fake, (const uint8_t[]){(uint8_t)(0xA0 | sequence)}, 1);
		}
		fake.read = (struct fake_read){3, 0, 0x4000, 128};
		memcpy(fake.memory, memory, sizeof memory);
		struct client_traffic traffic = read_all();
		assert_true(traffic.frames_unexpected > 15);
	}
}

TEST(a_control_word_is_written_once_it_is_acknowledged)
{
	struct error error;
	unsigned more = 0;
	for (unsigned i = 0; i < 40; i++) {
		fake_init(&fake);
		fake.seed = i;
		fake.to_host.faults.flipped = fake.to_target.faults.dropped = i < 4 ? 0 : 10000;
		fake.lost_answers = i < 4 ? (uint64_t)i << 1 : 0;
		struct client *client = fake_open_client(&fake);
		for (uint32_t value = 1; value <= 20; value++) {
			if (client_write(client, 0x40, 0x01020304 * value, &error) != STATUS_OK)
				fail_msg("%s", error.message);
			for (unsigned byte = 0; byte < 4; byte++)
				assert_int_equal(fake.memory[0x40 + byte], (4 - byte) * value & 0xFF);
		}
		if (i < 4)
			assert_int_equal(fake.writes, i == 3 ? 22 : i == 0 ? 20 : 21);
		more += fake.writes - 20;
		assert_true(client_traffic(client).repeats + 20 >= fake.writes);
		client_close(client);
	}
	assert_true(more > 20);
}

TEST(text_between_frames_reaches_the_observer)
{
	fake_init(&fake);
	fake.chatter = "tick\n";
	struct client_traffic traffic = read_all();
	assert_int_equal(traffic.repeats + traffic.noise_bytes, 0);
	assert_int_equal(traffic.text_bytes, fake.text_size);
	assert_true(fake.text_size >= 5 * (fake.answers_sent - 1));
	for (size_t i = 0; i < fake.text_size; i++)
		assert_int_equal(fake.text[i], "tick\n"[i % 5]);
}

static bool says_more(struct fake *speaker)
{
	char line[32];
	snprintf(line, sizeof line, "line %u of text\n", (unsigned)speaker->counter++);
	fake_send_bytes(speaker, line, strlen(line));
	return true;
}

/* Noise of a frame without end, in which silence never lasts. */
static bool trickles(struct fake *speaker)
{
	fake_send_bytes(speaker, "\xFF", 1);
	speaker->to_host.free_at += 20000;
	return true;
}

/* While nothing else is sent, and a request in so many does not arrive. */
TEST(noise_without_end_hides_no_loss)
{
	static bool (*const says[])(struct fake *) = {fake_says_noise, fake_says_zeros, trickles};
	static const uint32_t bauds[] = {9600, 115200, 3000000};
	for (unsigned i = 0; i < 9; i++) {
		fake_init(&fake);
		fake.baud = bauds[i / 3];
		fake.says = says[i % 3];
		fake.lost_requests = 0x9249249249249249; /* one in 3 */
		uint64_t begin = fake_milliseconds(&fake);
		read_all();
		uint64_t most = fake.baud == 9600 ? 13500 : fake.baud == 115200 ? 1500 : 300;
		assert_true(fake_milliseconds(&fake) - begin < (fake.says == trickles ? 15000 : most));
	}
}

TEST(waiting_passes_text_on_and_takes_its_time)
{
	struct error error;
	fake_init(&fake);
	struct client *client = fake_open_client(&fake);
	fake.says = says_more;
	uint64_t begin = fake_milliseconds(&fake);
	unsigned requests = fake.requests;
	assert_int_equal(client_wait(client, 30000, &error), STATUS_OK);
	assert_int_equal(fake_milliseconds(&fake) - begin, 30000);
	assert_int_equal(fake.requests, requests);
	assert_memory_equal(fake.text, "line 0 of text\nline 1 of text\n", 30);
	assert_true(client_traffic(client).seconds < 1);
	read_some(client, 0, 100);
	client_close(client);
}
