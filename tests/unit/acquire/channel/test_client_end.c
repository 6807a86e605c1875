/* SPDX-License-Identifier: MIT */
/* The client and targets that break off, refuse, only send, are silent or malicious: it ends in time and says why. */
#include "fake.h"
#include "test.h"
#include "wire.h"

#include <string.h>

static uint8_t bytes[FAKE_MEMORY_MAX];

/* The time-out of a fake, and by how much it may be late. */
#define TIMEOUT  5000
#define LATENESS 20

static void assert_message(const char *part)
{
	assert_contains(failure.message, part);
	assert_ptr_equal(strstr(failure.message, "fake:target: "), failure.message);
	assert_null(strchr(failure.message, '\n'));
}

static void assert_open_fails(const char *message)
{
	assert_int_equal(fake_open(&failure), STATUS_FAILED);
	assert_message(message);
}

static void assert_read_fails(const char *message)
{
	assert_int_equal(client_read(fake.client, 0, bytes, fake.memory_size, &failure), STATUS_FAILED);
	assert_message(message);
}

static void assert_write_fails(const char *message)
{
	assert_int_equal(client_write(fake.client, 0x40, 1, &failure), STATUS_FAILED);
	assert_message(message);
}

/* Opens and reads, which must fail after the time-out and no later. */
static void assert_times_out(const char *message)
{
	uint64_t begin = fake_milliseconds();

	enum status status = fake_open(&failure);
	if (status == STATUS_OK) {
		begin = fake_milliseconds();
		status = client_read(fake.client, 0, bytes, fake.memory_size, &failure);
	}
	assert_int_equal(status, STATUS_FAILED);
	assert_message(message);
	assert_in_range(fake_milliseconds() - begin, TIMEOUT, TIMEOUT + LATENESS);
}

static void open_and_read(void)
{
	fake_open_client();
	fake_check_memory(0, fake.memory_size);
}

EACH_TEST(fake_set_up, fake_tear_down);

TEST(silent_target_is_asked_several_times)
{
	fake.is_dead = true;
	assert_times_out("no answer for 5 s: nothing arrived: does the firmware run and call bareprof_poll()?");
	assert_in_range(fake.requests, 5, 9);
}

static bool send_text(void)
{
	fake_send_bytes("Hello, world\r\n", 14);
	return true;
}

static void answer_identify_only(const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1)
		fake_answer(content, size);
}

/* Each is as long as the answer to a write. */
static bool send_damaged_answers(void)
{
	fake_send_bytes("\0\x06\xA1garb", 8);
	return true;
}

/* Requests are no more frequent than answers, so they do not fill the line to the target. */
TEST(noise_in_place_of_answers_causes_no_flood_of_requests)
{
	fake.answer = answer_identify_only;
	fake_open_client();
	fake.idle = send_damaged_answers;
	assert_write_fails("no answer for 5 s: only noise arrived");
	assert_true(fake.requests < TIMEOUT / 3);
}

TEST(another_version_of_the_link_is_reported)
{
	fake.only_sends = true;
	fake_send_frame((const uint8_t[]){0x80, 2, 0, 0}, 4);
	assert_open_fails("the firmware speaks version 2 of the link, this bareprof version 1");
}

static void echo(const uint8_t *content, size_t size)
{
	fake_send_frame(content, size);
}

/* Echoes like a terminal that shows control characters. */
static void echo_in_carets(const uint8_t *content, size_t size)
{
	fake_send_bytes("^@^F^]T\x83\xb1^@", 12);
}

/* Like a two-wire bus, on which the host receives its own bytes. */
static void echo_and_answer(const uint8_t *content, size_t size)
{
	echo(content, size);
	fake_answer(content, size);
}

TEST(echo_without_answers_is_reported)
{
	static void (*const echoes[])(const uint8_t *content, size_t size) = {echo, echo_in_carets};

	for (unsigned i = 0; i < 2; i++) {
		fake_init();
		fake.answer = echoes[i];
		assert_times_out("requests come back without an answer (a loop-back wire, or a console that echoes)");
	}
	fake_init();
	fake.answer = echo_and_answer;
	open_and_read();
}

static const char *greeting;

static bool send_greeting(void)
{
	fake_send_bytes(greeting, fake.counter++ == 0 ? strlen(greeting) : 0);
	return fake.counter == 1;
}

/* A gdb server begins with acknowledgements and perhaps a packet with a correct checksum. */
TEST(gdb_server_is_distinguished_from_a_console)
{
	static const char *const gdb[] = {"+", "--", "$T02thread:01;#04", "+$#00", "+$OK#9a+"};
	static const char *const consoles[] = {
	        "$ ", "+1", "Hello", "$T02thread:01;#05", "$T02thread:01;#0", "$T02thread:01;", "$#", "x$#00", "$#0G"};

	fake.timeout = 100;
	for (size_t i = 0; i < sizeof gdb / sizeof gdb[0] + sizeof consoles / sizeof consoles[0]; i++) {
		bool is_gdb = i < sizeof gdb / sizeof gdb[0];

		greeting = is_gdb ? gdb[i] : consoles[i - sizeof gdb / sizeof gdb[0]];
		fake_init();
		fake.is_dead = true;
		fake.idle = send_greeting;
		assert_times_out(is_gdb ? "the other end is a gdb server: type gdb:target" : "only text arrived, ");
	}
}

/* Each data frame is preceded by eight that are wrong in one way each. */
static void answer_wrongly_first(const uint8_t *request, size_t size)
{
	unsigned sequence = request[0] & 0xF, other = sequence % 15 + 1;
	uint32_t offset = request[1] | (uint32_t)request[2] << 8,
	         end = offset + (request[4] | (uint32_t)request[5] << 8);
	uint8_t right[1100], wrong[1100];
	uint32_t next;

	if (request[0] >> 4 != 2) {
		fake_answer(request, size);
		return;
	}
	for (uint32_t at = offset; at < end; at = next) {
		size_t length = wire_data(right, sequence, fake.memory, at, end, 128, &next);

		for (unsigned kind = 0; kind < 8; kind++) {
			uint32_t shifted = kind == 0 ? at + 0x800000 : kind == 1 ? end : kind == 2 ? at + 2 : at;
			size_t wrong_length = length;

			memcpy(wrong, right, length);
			for (unsigned i = 0; i < 3; i++)
				wrong[1 + i] = (uint8_t)(shifted >> 8 * i);
			if (kind == 3)
				wrong[0] = (uint8_t)(0x90 | other);
			if (kind == 4)
				wrong_length = 4;
			if (kind == 5)
				wrong[4] = 0xFF; /* more than the frame holds */
			if (kind == 6)
				wrong[0] = (uint8_t)(0xA0 | sequence);
			if (kind == 7) {
				/* Zeros beyond the end of the request. */
				for (wrong_length = 4; wrong_length < 100; wrong_length++)
					wrong[wrong_length] = wrong_length % 2 ? 0xFC : 0;
			}
			fake_send_frame(wrong, wrong_length);
		}
		fake_send_frame(right, length);
	}
}

TEST(impossible_answers_are_ignored_and_counted)
{
	fake.answer = answer_wrongly_first;
	open_and_read();
	struct link_traffic traffic = client_traffic(fake.client);
	assert_true(traffic.frames_unexpected * 9 >= (traffic.frames_received - 1) * 8 - 9);
	assert_int_equal(traffic.frames_damaged, 0);
}

static void refuse_to_identify(const uint8_t *content, size_t size)
{
	fake_send_frame((const uint8_t[]){(uint8_t)(0xB0 | (content[0] & 0xF)), 1}, 2);
}

TEST(refusal_is_reported_with_its_reason)
{
	static const struct {
		unsigned reason;
		const char *read, *write;
	} cases[] = {
	        {1, "refuses to read 4096 bytes at offset 0x0: it knows no such request (reason 1)",
	         "refuses to write at offset 0x40: it knows no such request (reason 1)"},
	        {2, "the request has a wrong length (reason 2)", "the request has a wrong length (reason 2)"},
	        {3, "not within its memory", "not a word that may be written (reason 3)"},
	        {99, "this bareprof does not know (reason 99)", "this bareprof does not know (reason 99)"},
	};

	for (unsigned i = 0; i < 4; i++) {
		fake_init();
		fake.refuses = cases[i].reason;
		fake.baud = 0;
		fake_open_client();
		assert_read_fails(cases[i].read);
		assert_write_fails(cases[i].write);
		assert_true(client_can_write(fake.client));
	}
	fake_init();
	fake.answer = refuse_to_identify;
	assert_open_fails("refuses to say who it is");
}

/* After any number of bytes, once or repeatedly. */
TEST(broken_channel_is_opened_again)
{
	for (unsigned i = 1; i < 60; i++) {
		fake_init();
		fake.breaks_after[0] = 1 + (i - 1) * 97;
		if (i % 2)
			fake.breaks_after[1] = fake.breaks_after[2] = 1500;
		fake.away = i % 3 * 1000;
		open_and_read();
		unsigned breaks = i % 2 ? 3 : 1;
		assert_int_equal(fake.opened, 1 + breaks);
		assert_int_equal(client_traffic(fake.client).reconnections, breaks);
		assert_int_equal(fake.breaks_reported, breaks);
		assert_int_equal(fake.reopenings_reported, breaks);
	}
}

TEST(text_after_a_break_within_a_frame_is_reported)
{
	fake.breaks_after[0] = 300;
	fake.greeting = "hello\n";
	open_and_read();
	assert_int_equal(fake.text_size, 6);
	assert_memory_equal(fake.text, "hello\n", 6);
}

/* Its last text may show that another client is connected. */
TEST(channel_that_keeps_breaking_is_given_up)
{
	fake.greeting = "Welcome.\r\nPort already in use\r\n";
	for (unsigned i = 0; i < 8; i++)
		fake.breaks_after[i] = i == 0 ? 10 : strlen(fake.greeting);
	fake.breaks_repeat = true;
	fake.open_time = 1;
	assert_times_out(" times (the cable was pulled), and nothing new arrived in between; the last text was \"Port "
	                 "already in use\"");
	assert_in_range(fake.opened, 31, TIMEOUT / 100 + 1);
}

static void identify_once(const uint8_t *content, size_t size)
{
	if (content[0] >> 4 != 1 || fake.counter++ == 0)
		fake_answer(content, size);
}

/* The target continues to answer earlier requests and does not identify itself. */
TEST(single_break_is_not_reported_as_the_cause)
{
	fake.breaks_after[0] = 1000;
	fake.answer = identify_once;
	fake_open_client();
	assert_read_fails("frames arrived, but no new data");
}

/* The host stands still as after SIGSTOP, and data that arrived meanwhile are in its buffers. */
TEST(data_that_arrived_while_the_host_stood_still_count)
{
	fake.stops_after = 1;
	fake.stop_time = 2 * TIMEOUT;
	open_and_read();
}

TEST(another_target_after_a_break_is_an_error)
{
	fake.breaks_after[0] = 1000;
	fake_open_client();
	fake.address += 0x100;
	assert_read_fails("a different firmware answers now");
}

TEST(channel_may_break_between_operations)
{
	fake_open_client();
	fake.idle = send_text;
	fake.breaks_after[0] = fake.to_host.head + 100000; /* after 9 seconds */
	fake.away = 3000;
	uint64_t begin = fake_milliseconds();
	assert_success(client_wait(fake.client, 20000, &failure), &failure);
	assert_int_equal(fake_milliseconds() - begin, 20000);
	assert_int_equal(client_traffic(fake.client).reconnections, 1);
	fake.breaks_after[1] = fake.to_host.head + 1000;
	fake.away = 10000;
	assert_int_equal(client_wait(fake.client, 20000, &failure), STATUS_FAILED);
	assert_message("could not be opened again");
}

TEST(interruption_ends_any_wait)
{
	for (unsigned reads = 1; reads < 20; reads++) {
		fake_init();
		fake.cancel_after = reads;
		enum status status = fake_open(&failure);
		if (status == STATUS_OK)
			status = client_read(fake.client, 0, bytes, fake.memory_size, &failure);
		assert_int_equal(status, STATUS_FAILED);
		assert_string_equal(failure.message, "fake:target: interrupted");
	}
	/* Also between attempts to open the channel again. */
	fake_init();
	fake.breaks_after[0] = 1000;
	fake.away = 1000;
	fake.pause_cancelled = true;
	fake_open_client();
	assert_read_fails("fake:target: interrupted");
}

/* Sends an identity and all of the memory repeatedly, beginning at the offset fake.counter. */
static bool send_repeatedly(void)
{
	uint32_t offset = (uint32_t)fake.counter;

	if (offset >= fake.memory_size) {
		fake.counter = 0;
		fake_send_identity(0);
	} else {
		fake.counter = fake_send_data(0, offset, fake.memory_size, fake.frame);
	}
	return true;
}

/* fake.counter: 0: nothing was sent, else one more than the offset. */
static bool send_once(void)
{
	if (fake.counter == 0) {
		fake_send_identity(0);
		fake.counter = 1;
		return true;
	}
	uint32_t offset = (uint32_t)fake.counter - 1;
	if (offset == fake.memory_size)
		return false;
	fake.counter = 1 + fake_send_data(0, offset, fake.memory_size, fake.frame);
	return true;
}

static void init_sender(bool (*idle)(void))
{
	fake_init();
	fake.only_sends = true;
	fake.idle = idle;
}

TEST(target_that_only_sends_is_received_completely)
{
	for (unsigned begin = 0; begin < 0x4004; begin += 0x1C4) {
		init_sender(send_repeatedly);
		fake.counter = begin;
		fake_open_client();
		assert_false(client_can_write(fake.client));
		assert_int_equal(client_get_identity(fake.client)->address, fake.address);
		assert_int_equal(client_get_identity(fake.client)->block_size, fake.memory_size);
		unsigned requests = fake.requests;
		fake_check_memory(0, fake.memory_size);
		fake_check_memory(5, 100);
		assert_write_fails("the target only sends, nothing can be written");
		assert_success(client_wait(fake.client, 1000, &failure), &failure);
		assert_int_equal(fake.requests, requests);
	}
}

TEST(target_that_has_sent_everything_may_be_unplugged)
{
	init_sender(send_once);
	open_and_read();
	fake.breaks_after[0] = 1;
	fake.away = 30000;
	uint64_t begin = fake_milliseconds();
	assert_success(client_wait(fake.client, 10000, &failure), &failure);
	assert_int_equal(fake_milliseconds() - begin, 10000);
	fake_check_memory(0, fake.memory_size);
}

TEST(lost_data_are_an_error_unless_another_transmission_follows)
{
	for (unsigned lost = 0; lost < 20; lost++) {
		init_sender(send_once);
		fake.lost_answers = (uint64_t)1 << lost;
		assert_open_fails(lost == 0 ? "frames arrived, but no new data" : "the target only sends, and 1");
		init_sender(send_repeatedly);
		fake.counter = fake.memory_size;
		fake.lost_answers = (uint64_t)1 << lost;
		open_and_read();
	}
}

static bool send_changing_memory(void)
{
	if (fake.counter >= fake.memory_size)
		for (unsigned i = 0; i < fake.memory_size; i++)
			fake.memory[i] = (uint8_t)(fake.memory[i] + 1);
	return send_repeatedly();
}

/* This holds even if the identity between them is lost. */
TEST(two_transmissions_are_never_mixed)
{
	for (unsigned i = 0; i < 40; i++) {
		init_sender(send_changing_memory);
		fake.memory_size = 0x400;
		fake.counter = fake.memory_size;
		memset(fake.memory, 0, fake.memory_size);
		/* The first lacks a frame; the identity of the second is lost, or that of the third. */
		fake.lost_answers = (uint64_t)1 << (1 + i % 10) | (uint64_t)1 << (11 + i / 2);
		fake_open_client();
		assert_success(client_read(fake.client, 0, bytes, fake.memory_size, &failure), &failure);
		for (unsigned k = 1; k < fake.memory_size; k++)
			assert_int_equal(bytes[k], bytes[0]);
	}
}

/* Each transmission breaks off at the same place. */
static bool send_halves(void)
{
	if (fake.counter >= fake.memory_size / 2)
		fake.counter = fake.memory_size;
	return send_repeatedly();
}

static bool send_identities(void)
{
	fake_send_identity(0);
	return true;
}

TEST(partial_transmissions_end_at_the_time_out)
{
	init_sender(send_identities);
	assert_times_out("the target only sends, and 0 of 16384 bytes of its memory arrived");
	init_sender(send_halves);
	uint64_t begin = fake_milliseconds();
	assert_open_fails("the target only sends, and 8");
	assert_true(fake_milliseconds() - begin < TIMEOUT + 1500);
}

/* It does not answer while it sends by itself. */
TEST(sender_that_later_answers_is_queried)
{
	fake.idle = send_once;
	fake.lost_requests = 0x3;
	fake.lost_answers = 0x10;
	fake_open_client();
	assert_true(client_can_write(fake.client));
	fake_check_memory(0, fake.memory_size);
}
