/* SPDX-License-Identifier: MIT */
/* The client and targets that break off, refuse, only send, say nothing or wish it ill: it ends in time and says why.
 */
#include "fake.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fake fake;
static uint8_t bytes[FAKE_MEMORY_MAX];

/* The time-out of a fake, and what it may be late by. */
#define TIMEOUT  5000
#define LATENESS 20

static void assert_says(const struct error *error, const char *part)
{
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error->message, part);
	assert_ptr_equal(strstr(error->message, "fake:target: "), error->message);
	assert_null(strchr(error->message, '\n'));
}

static void assert_reads(struct client *client)
{
	struct error error = {.message = ""};

	memset(bytes, 0x55, sizeof bytes);
	if (client_read(client, 0, bytes, fake.memory_size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(bytes, fake.memory, fake.memory_size);
}

/* Opens, or reads all, and fails, after the time-out and no later. */
static void assert_times_out(const char *message)
{
	struct client *client;
	struct error error;
	uint64_t begin = fake_milliseconds(&fake);

	enum status status = fake_open(&fake, &client, &error);
	if (status == STATUS_OK) {
		begin = fake_milliseconds(&fake);
		status = client_read(client, 0, bytes, fake.memory_size, &error);
	}
	assert_int_equal(status, STATUS_FAILED);
	assert_says(&error, message);
	assert_true(fake_milliseconds(&fake) - begin >= TIMEOUT);
	assert_true(fake_milliseconds(&fake) - begin <= TIMEOUT + LATENESS);
	client_close(client);
	assert_int_equal(fake.closed, fake.opened);
}

TEST(a_dead_target_is_told_by_what_is_heard_of_it)
{
	fake_init(&fake);
	fake.is_dead = true;
	assert_times_out("no answer for 5 s: nothing came: does the firmware run and call bareprof_poll()?");
	/* Asked once a second at least, but not in a hurry. */
	assert_true(fake.requests >= 5 && fake.requests <= 9);
}

static bool says_text(struct fake *speaker)
{
	fake_send_bytes(speaker, "Hello, world\r\n", 14);
	return true;
}

struct speaker {
	bool (*says)(struct fake *speaker);
	const char *message;
};

static void goes_silent_after_the_identity(struct fake *target, const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1)
		fake_answer(target, content, size);
}

/* Each as long as the answer to a write, which it is not. */
static bool says_damaged_answers(struct fake *speaker)
{
	fake_send_bytes(speaker, "\0\x06\xA1garb", 8);
	return true;
}

/* No faster than answers come: the line towards the target is not full of it. */
TEST(noise_in_the_place_of_answers_makes_no_flood_of_requests)
{
	struct error error;
	fake_init(&fake);
	fake.answers = goes_silent_after_the_identity;
	struct client *client = fake_open_client(&fake);
	fake.says = says_damaged_answers;
	assert_int_equal(client_write(client, 0x40, 1, &error), STATUS_FAILED);
	assert_says(&error, "no answer for 5 s: only noise came");
	assert_true(fake.requests < TIMEOUT / 3);
	client_close(client);
}

TEST(an_answer_of_another_version_is_told)
{
	fake_init(&fake);
	struct error error;
	struct client *client;
	const uint8_t identity[] = {0x80, 2, 0, 0};
	fake.only_sends = true;
	fake_send_frame(&fake, identity, sizeof identity);
	assert_int_equal(fake_open(&fake, &client, &error), STATUS_FAILED);
	assert_says(&error, "the firmware speaks version 2 of the link, this bareprof version 1");
	assert_int_equal(fake.closed, 1);
}

static void echoes(struct fake *line, const uint8_t *content, size_t size)
{
	fake_send_frame(line, content, size);
}

/* As a terminal does, which has control characters of its own and shows the others. */
static void echoes_in_carets(struct fake *line, const uint8_t *content, size_t size)
{
	(void)content;
	(void)size;
	fake_send_bytes(line, "^@^F^]T\x83\xb1^@", 12);
}

static void echoes_and_answers(struct fake *line, const uint8_t *content, size_t size)
{
	echoes(line, content, size);
	fake_answer(line, content, size);
}

TEST(an_echo_is_told)
{
	fake_init(&fake);
	fake.answers = echoes;
	assert_times_out("what is sent comes back (echo: a loop-back wire, or a console that echoes)");
	fake_init(&fake);
	fake.answers = echoes_in_carets;
	assert_times_out("what is sent comes back (echo: a loop-back wire, or a console that echoes)");
	/* As on a bus of two wires, where the target is heard beside it. */
	fake_init(&fake);
	fake.answers = echoes_and_answers;
	struct client *client = fake_open_client(&fake);
	assert_reads(client);
	client_close(client);
}

struct bad_identity {
	unsigned blocks, frame;
	uint32_t block_size;
	uint64_t address;
	size_t size;
};

/* Each data frame is wrong in one way, which changes; then comes the right one. */
static void answers_wrongly_first(struct fake *target, const uint8_t *request, size_t size)
{
	unsigned sequence = request[0] & 0xF, other = sequence % 15 + 1;
	uint32_t offset = request[1] | (uint32_t)request[2] << 8,
	         end = offset + (request[4] | (uint32_t)request[5] << 8);
	uint8_t right[1100], wrong[1100];
	uint32_t next;

	if (request[0] >> 4 != 2) {
		fake_answer(target, request, size);
		return;
	}
	for (uint32_t at = offset; at < end; at = next) {
		size_t length = wire_data(right, sequence, target->memory, at, end, 128, &next);
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
				wrong[4] = 0xFF; /* more than there is */
			if (kind == 6)
				wrong[0] = (uint8_t)(0xA0 | sequence);
			if (kind == 7) {
				/* Zeros beyond the end of what was asked for. */
				for (wrong_length = 4; wrong_length < 100; wrong_length++)
					wrong[wrong_length] = wrong_length % 2 ? 0xFC : 0;
			}
			fake_send_frame(target, wrong, wrong_length);
		}
		fake_send_frame(target, right, length);
	}
}

TEST(answers_that_do_not_fit_are_ignored_and_counted)
{
	fake_init(&fake);
	fake.answers = answers_wrongly_first;
	struct client *client = fake_open_client(&fake);
	assert_reads(client);
	struct client_traffic traffic = client_traffic(client);
	assert_true(traffic.frames_unexpected * 9 >= (traffic.frames_received - 1) * 8 - 9);
	assert_int_equal(traffic.frames_damaged, 0);
	client_close(client);
}

TEST(a_refusal_names_its_reason)
{
	static const struct {
		unsigned reason;
		const char *read, *written;
	} cases[] = {
	        {1, "refuses to read 4096 bytes at offset 0x0: it knows no such request (reason 1)",
	         "refuses to write at offset 0x40: it knows no such request (reason 1)"},
	        {2, "the request has a wrong length (reason 2)", "the request has a wrong length (reason 2)"},
	        {3, "not within its memory", "not a word that may be written (reason 3)"},
	        {99, "this bareprof does not know (reason 99)", "this bareprof does not know (reason 99)"},
	};
	for (unsigned i = 0; i < 4; i++) {
		struct error error;
		fake_init(&fake);
		fake.refuses = cases[i].reason;
		struct client *client = fake_open_client(&fake);
		assert_int_equal(client_read(client, 0, bytes, 0x1000, &error), STATUS_FAILED);
		assert_says(&error, cases[i].read);
		assert_int_equal(client_write(client, 0x40, 1, &error), STATUS_FAILED);
		assert_says(&error, cases[i].written);
		assert_true(client_can_write(client));
		client_close(client);
	}
}

static void refuses_to_identify(struct fake *target, const uint8_t *content, size_t size)
{
	(void)size;
	fake_send_frame(target, (const uint8_t[]){(uint8_t)(0xB0 | (content[0] & 0xF)), 1}, 2);
}

TEST(a_refusal_to_identify_is_told)
{
	struct error error;
	struct client *client;
	fake_init(&fake);
	fake.answers = refuses_to_identify;
	assert_int_equal(fake_open(&fake, &client, &error), STATUS_FAILED);
	assert_says(&error, "refuses to say who it is");
}

/* Breaks at every so many bytes, once and again and again. */
TEST(a_broken_channel_is_opened_again)
{
	for (unsigned i = 1; i < 60; i++) {
		fake_init(&fake);
		fake.breaks_after[0] = 1 + (i - 1) * 97;
		if (i % 2)
			fake.breaks_after[1] = fake.breaks_after[2] = 1500;
		fake.away = i % 3 * 1000;
		struct client *client = fake_open_client(&fake);
		assert_reads(client);
		struct client_traffic traffic = client_traffic(client);
		unsigned breaks = i % 2 ? 3 : 1;
		assert_int_equal(fake.opened, 1 + breaks);
		assert_int_equal(traffic.reconnections, breaks);
		assert_int_equal(fake.breaks_told, breaks);
		assert_int_equal(fake.reopenings_told, breaks);
		client_close(client);
		assert_int_equal(fake.closed, fake.opened);
	}
}

/* In the middle of a frame, which does not hide the text that comes then. */
TEST(text_behind_a_broken_channel_is_told)
{
	fake_init(&fake);
	fake.breaks_after[0] = 300;
	fake.greeting = "hello\n";
	struct client *client = fake_open_client(&fake);
	assert_reads(client);
	assert_int_equal(fake.text_size, 6);
	assert_memory_equal(fake.text, "hello\n", 6);
	client_close(client);
}

static void loses_all_but_one_introduction(struct fake *target, const uint8_t *content, size_t size)
{
	if (content[0] >> 4 != 1 || target->counter++ == 0)
		fake_answer(target, content, size);
}

/* It is not tried in a hurry, and what it said is told: that somebody else is there, perhaps. */
TEST(a_channel_that_breaks_whenever_it_is_opened_is_given_up)
{
	fake_init(&fake);
	fake.greeting = "Welcome.\r\nPort already in use\r\n";
	for (unsigned i = 0; i < 8; i++)
		fake.breaks_after[i] = i == 0 ? 10 : strlen(fake.greeting);
	fake.breaks_repeat = true;
	fake.open_takes = 1;
	assert_times_out(" times (the cable was pulled), and nothing new came in between; the last text was \"Port "
	                 "already in use\"");
	assert_true(fake.opened > 30 && fake.opened <= TIMEOUT / 100 + 1);
}

/* The target behind it goes on with what it was asked before, and does not say who it is. */
TEST(a_channel_that_broke_once_and_is_there_again_is_not_blamed)
{
	fake_init(&fake);
	fake.breaks_after[0] = 1000;
	fake.answers = loses_all_but_one_introduction;
	struct client *client = fake_open_client(&fake);
	struct error error;
	assert_int_equal(client_read(client, 0, bytes, fake.memory_size, &error), STATUS_FAILED);
	assert_says(&error, "frames came, but none with anything new");
	client_close(client);
}

/* As by SIGSTOP: what came meanwhile is there. */
TEST(a_host_that_stood_still_hears_what_came)
{
	fake_init(&fake);
	fake.stops_after = 1;
	fake.stops = 2 * TIMEOUT;
	struct client *client = fake_open_client(&fake);
	assert_reads(client);
	client_close(client);
}

TEST(another_target_behind_a_channel_is_not_read_on)
{
	fake_init(&fake);
	fake.breaks_after[0] = 1000;
	struct client *client = fake_open_client(&fake);
	struct error error;
	fake.address += 0x100;
	assert_int_equal(client_read(client, 0, bytes, fake.memory_size, &error), STATUS_FAILED);
	assert_says(&error, "another firmware answers than before");
	client_close(client);
}

TEST(a_channel_may_break_while_nothing_is_asked)
{
	struct error error;
	fake_init(&fake);
	struct client *client = fake_open_client(&fake);
	fake.says = says_text;
	fake.breaks_after[0] = fake.to_host.head + 100000; /* after 9 seconds */
	fake.away = 3000;
	uint64_t begin = fake_milliseconds(&fake);
	assert_int_equal(client_wait(client, 20000, &error), STATUS_OK);
	assert_int_equal(fake_milliseconds(&fake) - begin, 20000);
	assert_int_equal(client_traffic(client).reconnections, 1);
	fake.breaks_after[1] = fake.to_host.head + 1000;
	fake.away = 10000;
	assert_int_equal(client_wait(client, 20000, &error), STATUS_FAILED);
	assert_says(&error, "could not be opened again");
	client_close(client);
}

TEST(interruption_ends_whatever_waits)
{
	for (unsigned reads = 1; reads < 20; reads++) {
		struct error error;
		struct client *client;
		fake_init(&fake);
		fake.cancel_after = reads;
		enum status status = fake_open(&fake, &client, &error);
		if (status == STATUS_OK)
			status = client_read(client, 0, bytes, fake.memory_size, &error);
		assert_int_equal(status, STATUS_FAILED);
		assert_string_equal(error.message, "fake:target: interrupted");
		client_close(client);
	}
	/* Also between attempts to open the channel again. */
	struct error error;
	fake_init(&fake);
	fake.breaks_after[0] = 1000;
	fake.away = 1000;
	fake.pause_cancelled = true;
	struct client *client = fake_open_client(&fake);
	assert_int_equal(client_read(client, 0, bytes, fake.memory_size, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:target: interrupted");
	client_close(client);
}

/* Sends an identity and all of the memory, over and over; it begins anywhere. */
static bool sends_by_itself(struct fake *sender)
{
	uint32_t offset = (uint32_t)sender->counter;
	if (offset >= sender->memory_size) {
		sender->counter = 0;
		fake_send_identity(sender, 0);
	} else {
		sender->counter = fake_send_data(sender, 0, offset, sender->memory_size, sender->frame);
	}
	return true;
}

/* counter: 0 = nothing was sent, else one more than where it is. */
static bool sends_once(struct fake *sender)
{
	if (sender->counter == 0) {
		fake_send_identity(sender, 0);
		sender->counter = 1;
		return true;
	}
	uint32_t offset = (uint32_t)sender->counter - 1;
	if (offset == sender->memory_size)
		return false;
	sender->counter = 1 + fake_send_data(sender, 0, offset, sender->memory_size, sender->frame);
	return true;
}

TEST(a_target_that_only_sends_is_heard_to_the_end)
{
	struct error error;
	for (unsigned begin = 0; begin < 0x4004; begin += 0x1C4) {
		fake_init(&fake);
		fake.only_sends = true;
		fake.says = sends_by_itself;
		fake.counter = begin;
		struct client *client = fake_open_client(&fake);
		assert_false(client_can_write(client));
		assert_int_equal(client_identify(client)->address, fake.address);
		assert_int_equal(client_identify(client)->block_size, fake.memory_size);
		unsigned requests = fake.requests;
		assert_reads(client);
		assert_int_equal(client_read(client, 5, bytes, 100, &error), STATUS_OK);
		assert_memory_equal(bytes, fake.memory + 5, 100);
		assert_int_equal(client_write(client, 0x40, 1, &error), STATUS_FAILED);
		assert_says(&error, "the target only sends, nothing can be written");
		assert_int_equal(client_wait(client, 1000, &error), STATUS_OK);
		assert_int_equal(fake.requests, requests);
		client_close(client);
	}
	fake_init(&fake);
	fake.only_sends = true;
	fake.says = sends_once;
	struct client *client = fake_open_client(&fake);
	assert_reads(client);
	/* Once it has said everything, it may be unplugged. */
	fake.breaks_after[0] = 1;
	fake.away = 30000;
	uint64_t now = fake_milliseconds(&fake);
	assert_int_equal(client_wait(client, 10000, &error), STATUS_OK);
	assert_int_equal(fake_milliseconds(&fake) - now, 10000);
	assert_reads(client);
	client_close(client);
}

TEST(what_is_lost_of_a_sending_is_told_or_comes_with_the_next)
{
	for (unsigned lost = 0; lost < 20; lost++) {
		fake_init(&fake);
		fake.only_sends = true;
		fake.says = sends_once;
		fake.lost_answers = (uint64_t)1 << lost;
		struct client *client;
		struct error error;
		assert_int_equal(fake_open(&fake, &client, &error), STATUS_FAILED);
		assert_says(&error, lost == 0 ? "frames came, but none with anything new"
		                              : "the target only sends, and of its memory 1");

		fake_init(&fake);
		fake.only_sends = true;
		fake.says = sends_by_itself;
		fake.counter = fake.memory_size;
		fake.lost_answers = (uint64_t)1 << lost;
		client = fake_open_client(&fake);
		assert_reads(client);
		client_close(client);
	}
}

static bool changes_each_time(struct fake *sender)
{
	if (sender->counter >= sender->memory_size)
		for (unsigned i = 0; i < sender->memory_size; i++)
			sender->memory[i] = (uint8_t)(sender->memory[i] + 1);
	return sends_by_itself(sender);
}

/* Also where the identity between two of them is lost. */
TEST(two_sendings_are_never_mixed)
{
	for (unsigned i = 0; i < 40; i++) {
		fake_init(&fake);
		fake.only_sends = true;
		fake.memory_size = 0x400;
		fake.says = changes_each_time;
		fake.counter = fake.memory_size;
		for (unsigned k = 0; k < fake.memory_size; k++)
			fake.memory[k] = 0;
		/* The first lacks a frame; the identity of the second is lost, or that of the third. */
		fake.lost_answers = (uint64_t)1 << (1 + i % 10) | (uint64_t)1 << (11 + i / 2);
		struct client *client = fake_open_client(&fake);
		struct error error;
		assert_int_equal(client_read(client, 0, bytes, fake.memory_size, &error), STATUS_OK);
		for (unsigned k = 1; k < fake.memory_size; k++)
			assert_int_equal(bytes[k], bytes[0]);
		client_close(client);
	}
}

/* Each sending breaks off at the same place. */
static bool sends_halves(struct fake *sender)
{
	if (sender->counter >= sender->memory_size / 2)
		sender->counter = sender->memory_size;
	return sends_by_itself(sender);
}

static bool sends_identities(struct fake *sender)
{
	fake_send_identity(sender, 0);
	return true;
}

TEST(sendings_without_an_end_are_not_waited_for_for_ever)
{
	fake_init(&fake);
	fake.only_sends = true;
	fake.says = sends_identities;
	assert_times_out("the target only sends, and of its memory 0 of 16384 bytes came");

	struct client *client;
	struct error error;
	fake_init(&fake);
	fake.only_sends = true;
	fake.says = sends_halves;
	uint64_t begin = fake_milliseconds(&fake);
	assert_int_equal(fake_open(&fake, &client, &error), STATUS_FAILED);
	assert_says(&error, "the target only sends, and of its memory 8");
	assert_true(fake_milliseconds(&fake) - begin < TIMEOUT + 1500);
}

/* While it sends by itself it does not answer; then it does, and that counts. */
TEST(a_target_that_sends_and_then_answers_is_asked)
{
	fake_init(&fake);
	fake.says = sends_once;
	fake.lost_requests = 0x3;
	fake.lost_answers = 0x10;
	struct client *client = fake_open_client(&fake);
	assert_true(client_can_write(client));
	assert_reads(client);
	client_close(client);
}
