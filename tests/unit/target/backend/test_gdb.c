/* SPDX-License-Identifier: MIT */
/* The GDB protocol against a stub that answers well, badly or not at all: every failure is one clear line, in time. */
#include "../sources.h"
#include "base/clock.h"
#include "stub.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_SECONDS "0.8"
/* Under a sanitizer on a busy machine; a hang would last until the suite ends it. */
#define TIMEOUT_LATEST 20000

static struct target *connect_with(struct stub *stub, const struct client_observer *observer, struct error *error)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	char source[128];
	struct target *target = NULL;

	stub_start(stub);
	snprintf(source, sizeof source, "%s,timeout=" TIMEOUT_SECONDS, stub->source);
	setup.observer = observer;
	enum status status = open_source(source, &setup, &target, error);
	assert_int_equal(status == STATUS_OK, target != NULL);
	return target;
}

static struct target *connect_to(struct stub *stub, struct error *error)
{
	return connect_with(stub, NULL, error);
}

static void assert_one_line(const struct stub *stub, const struct error *error, const char *part)
{
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error->message, part);
	assert_non_null(strstr(error->message, stub->source));
	assert_null(strchr(error->message, '\n'));
}

/* A stub that serves: everything that is read is what its memory holds, and it is left running. */
static void read_whole_memory(struct stub *stub)
{
	static uint8_t bytes[STUB_SIZE];
	struct error error = {.message = ""};

	struct target *target = connect_to(stub, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, stub->memory, sizeof bytes);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(stub);
	assert_int_equal(stub->log[strlen(stub->log) - 1], 'D');
}

TEST(memory_is_read_in_pieces_that_the_stub_accepts)
{
	static const struct {
		const char *packet_size;
		unsigned longest;
	} cases[] = {{"4000", 0x800}, {"1000", 0x7fe}, {"400", 0x1fe}, {"40", 30}, {NULL, 198}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct stub stub = {.packet_size = cases[i].packet_size};
		read_whole_memory(&stub);
		assert_int_equal(stub.longest_read, cases[i].longest);
	}
}

TEST(memory_is_read_from_every_kind_of_stub)
{
	struct stub stubs[] = {
	        {.packet_size = "1000", .announces_stop = true},
	        {.packet_size = "1000", .offers_no_ack = true},
	        {.packet_size = "1000", .run_lengths = true},
	        {.packet_size = "1000", .run_lengths = true, .offers_no_ack = true, .announces_stop = true},
	        {.packet_size = "1000", .prints = true},
	        {.packet_size = "1000", .ipv6 = true},
	        {.packet_size = "1000", .fault = STUB_HALF_THE_BYTES},
	        {.packet_size = "1000", .fault = STUB_BAD_CHECKSUM_ONCE},
	        {.packet_size = "1000", .fault = STUB_REFUSES_ONCE},
	        {.packet_size = "1000", .fault = STUB_BAD_CHECKSUM_ONCE, .announces_stop = true, .prints = true},
	};
	for (size_t i = 0; i < sizeof stubs / sizeof stubs[0]; i++)
		read_whole_memory(&stubs[i]);
}

TEST(memory_is_written_in_order_and_nothing_around_it)
{
	static uint8_t expected[STUB_SIZE];
	uint8_t bytes[0x1003];
	struct stub stub = {.packet_size = "1000"};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	memcpy(expected, stub.memory, sizeof expected);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 31);
	memcpy(expected + 0x123, bytes, sizeof bytes);
	assert_true(target->ops->write != NULL);
	assert_int_equal(target_write(target, STUB_BASE + 0x123, bytes, sizeof bytes, &error), STATUS_OK);
	assert_int_equal(target_write(target, STUB_BASE + STUB_SIZE, bytes, 1, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, "cannot write 1 bytes at 0x20003000: the gdb server answered 'E22'");
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
	assert_memory_equal(stub.memory, expected, sizeof expected);
}

/* What an observer was told. */
struct heard {
	char text[64];
	size_t text_size;
	uint64_t done[8], total;
	size_t count;
};

static void hear_text(void *context, const uint8_t *bytes, size_t size)
{
	struct heard *heard = context;
	assert_true(size < sizeof heard->text - heard->text_size);
	memcpy(heard->text + heard->text_size, bytes, size);
	heard->text_size += size;
}

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
	struct heard *heard = context;
	assert_true(heard->count < 8);
	heard->done[heard->count++] = done;
	heard->total = total;
}

TEST(observer_hears_what_the_target_prints_and_how_far_a_read_is)
{
	static uint8_t bytes[0x1400];
	struct stub stub = {.packet_size = "4000", .prints = true};
	struct error error = {.message = ""};
	struct heard heard = {.count = 0};
	const struct client_observer observer = {.context = &heard, .text = hear_text, .progress = hear_progress};

	struct target *target = connect_with(&stub, &observer, &error);
	assert_string_equal(error.message, "");
	heard.text_size = 0;
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_OK);
	assert_int_equal(heard.text_size, 9);
	assert_memory_equal(heard.text, "Hi\nHi\nHi\n", 9);
	assert_int_equal(heard.count, 3);
	assert_int_equal(heard.done[0], 0x800);
	assert_int_equal(heard.done[1], 0x1000);
	assert_int_equal(heard.done[2], 0x1400);
	assert_int_equal(heard.total, 0x1400);
	heard.text_size = 0;
	assert_int_equal(target_run(target, 20, &error), STATUS_OK);
	assert_true(heard.text_size > 0);
	assert_memory_equal(heard.text, "Hi\n", 3);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
}

struct broken_read {
	enum stub_fault fault;
	const char *message;
};

static void check_broken_read(const struct broken_read *broken, bool no_ack)
{
	uint8_t bytes[0x20];
	struct stub stub = {.packet_size = "1000", .fault = broken->fault, .offers_no_ack = no_ack};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	assert_non_null(target);
	uint64_t begin = clock_now();
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, broken->message);
	target_close(target, &error);
	assert_true(clock_now() - begin < TIMEOUT_LATEST);
	stub_join(&stub);
}

TEST(broken_answer_is_one_clear_line_within_the_timeout)
{
	static const struct broken_read cases[] = {
	        {STUB_ERROR, "cannot read 32 bytes at 0x20000000: the gdb server answered 'E01'"},
	        {STUB_SILENCE, "did not answer within " TIMEOUT_SECONDS " s (request 'm20000000')"},
	        {STUB_CLOSES_INSTEAD, "closed the connection"},
	        {STUB_CLOSES_IN_PACKET, "closed the connection"},
	        {STUB_BAD_CHECKSUM_ALWAYS, "wrong checksums"},
	        {STUB_TOO_LONG, "longer than"},
	        {STUB_EXPLODING_RUN, "longer than"},
	        {STUB_BROKEN_RUN, "broken run length"},
	        {STUB_GARBAGE, "did not answer within " TIMEOUT_SECONDS " s"},
	        {STUB_OUTPUT_FOREVER, "did not answer within " TIMEOUT_SECONDS " s"},
	        {STUB_TOO_MANY_BYTES, "which is no answer to that"},
	        {STUB_ODD_DIGITS, "which is no answer to that"},
	        {STUB_NO_DIGITS, "answered 'zz', which is no answer to that"},
	        {STUB_EMPTY, "not supported"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		check_broken_read(&cases[i], false);
		check_broken_read(&cases[i], true);
	}
	check_broken_read(&(struct broken_read){STUB_REFUSES_ALWAYS, "wrong checksums"}, false);
}

TEST(broken_greeting_is_one_clear_line_within_the_timeout)
{
	static const struct broken_read cases[] = {
	        {STUB_SILENCE, "did not answer within " TIMEOUT_SECONDS " s (request 'qSupported')"},
	        {STUB_CLOSES_INSTEAD, "closed the connection"},
	        {STUB_BAD_CHECKSUM_ALWAYS, "wrong checksums"},
	        {STUB_TOO_LONG, "longer than"},
	        {STUB_GARBAGE, "what answers there is no gdb server: is it a serial line, tcp:127.0.0.1:"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct stub stub = {.fault = cases[i].fault, .fault_at = 'q'};
		struct error error;
		uint64_t begin = clock_now();
		assert_null(connect_to(&stub, &error));
		assert_true(clock_now() - begin < TIMEOUT_LATEST);
		assert_one_line(&stub, &error, cases[i].message);
		stub_join(&stub);
	}
}

/* It halts the target as soon as somebody connects. */
TEST(stub_that_is_lost_in_the_greeting_may_have_halted_the_target)
{
	static const struct broken_read cases[] = {
	        {STUB_SILENCE, " s (request 'qSupported'); gdb:"},
	        {STUB_SILENCE, " s (request 'qRcmd'); gdb:"},
	        {STUB_CLOSES_INSTEAD, "(request '?'); gdb:"},
	};
	static const char letters[] = "qr?";
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct stub stub = {.fault = cases[i].fault, .fault_at = letters[i]};
		struct error error;
		assert_null(connect_to(&stub, &error));
		assert_one_line(&stub, &error, cases[i].message);
		assert_one_line(&stub, &error, ": the target may have been left halted");
		stub_join(&stub);
	}
}

TEST(what_is_no_gdb_server_halts_nothing)
{
	struct stub stub = {.fault = STUB_GARBAGE, .fault_at = 'q'};
	struct error error;
	assert_null(connect_to(&stub, &error));
	assert_null(strstr(error.message, "halted"));
	stub_join(&stub);
}

TEST(stub_without_a_target_is_refused)
{
	struct stub stub = {.packet_size = "1000", .fault = STUB_ERROR, .fault_at = '?'};
	struct error error;
	assert_null(connect_to(&stub, &error));
	assert_one_line(&stub, &error, "has no target (it answered 'E01' to '?')");
	stub_join(&stub);
}

static struct stub refusing;

static void refuse_from_the_target_on(const struct stub *stub)
{
	const char *next = strchr("?Dc", stub->request[0]);

	if (next != NULL && next[0] && next[1])
		refusing.fault_at = next[1];
}

TEST(stub_without_a_target_and_without_detaching_halts_nothing)
{
	struct error error;
	refusing = (struct stub){.fault = STUB_ERROR, .fault_at = '?', .on_request = refuse_from_the_target_on};
	assert_null(connect_to(&refusing, &error));
	assert_one_line(&refusing, &error, "has no target");
	assert_null(strstr(error.message, "halted"));
	stub_join(&refusing);
	assert_string_equal(refusing.log, "qr?Dc");
}

TEST(stub_with_tiny_packets_is_refused)
{
	struct stub stub = {.packet_size = "10"};
	struct error error;
	assert_null(connect_to(&stub, &error));
	assert_one_line(&stub, &error, "packets of 16 bytes only");
	assert_null(strstr(error.message, "halted"));
	stub_join(&stub);
	/* It has a target all the same, which connecting may have halted. */
	struct stub silent = {.packet_size = "10", .fault = STUB_SILENCE, .fault_at = 'D'};
	assert_null(connect_to(&silent, &error));
	assert_one_line(&silent, &error, "packets of 16 bytes only");
	assert_one_line(&silent, &error, "the target may have been left halted");
	stub_join(&silent);
}

TEST(failed_read_leaves_the_session_usable)
{
	uint8_t bytes[16];
	struct stub stub = {.packet_size = "1000"};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	assert_int_equal(target_read(target, 0x1000, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, "0x00001000: the gdb server answered 'E14'");
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, stub.memory, sizeof bytes);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
}

TEST(dead_session_fails_at_once_ever_after)
{
	uint8_t bytes[16];
	struct stub stub = {.packet_size = "1000", .fault = STUB_SILENCE};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_true(target->is_lost);
	uint64_t begin = clock_now();
	for (int i = 0; i < 20; i++)
		assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_true(clock_now() - begin < 200);
	assert_one_line(&stub, &error, "given up");
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, "may have been left halted");
	stub_join(&stub);
	assert_string_equal(stub.log, "qr?mD");
}

TEST(write_without_an_answer_is_a_dead_session)
{
	static const uint8_t bytes[4];
	struct stub stub = {.packet_size = "1000", .fault = STUB_SILENCE, .fault_at = 'M'};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	assert_int_equal(target_write(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_true(target->is_lost);
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	stub_join(&stub);
}

TEST(target_runs_for_a_while_and_stops_again)
{
	struct stub stub = {.packet_size = "1000", .announces_stop = true};
	struct error error;

	struct target *target = connect_to(&stub, &error);
	uint64_t begin = clock_now();
	assert_int_equal(target_run(target, 50, &error), STATUS_OK);
	assert_true(clock_now() - begin >= 49);
	assert_int_equal(target_run(target, 0, &error), STATUS_OK);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
	assert_string_equal(stub.log, "qr?c^c^D");
}

TEST(target_that_does_not_run_as_told_is_reported)
{
	static const struct broken_read cases[] = {
	        {STUB_STOPS_BY_ITSELF, "stopped by itself (T05)"},
	        {STUB_EXITS, "has exited"},
	        {STUB_IGNORES_INTERRUPT, "did not stop when it was told to"},
	        {STUB_ERROR, "cannot let the target run"},
	        {STUB_EMPTY, "cannot let the target run"},
	        {STUB_CLOSES_INSTEAD, "closed the connection"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct stub stub = {.packet_size = "1000", .fault = cases[i].fault, .fault_at = 'c'};
		struct error error;
		struct target *target = connect_to(&stub, &error);
		uint64_t begin = clock_now();
		assert_int_equal(target_run(target, 100, &error), STATUS_FAILED);
		assert_one_line(&stub, &error, cases[i].message);
		target_close(target, &error);
		assert_true(clock_now() - begin < TIMEOUT_LATEST);
		stub_join(&stub);
	}
}

TEST(stub_that_cannot_detach_is_left_running)
{
	static const enum stub_fault faults[] = {STUB_ERROR, STUB_EMPTY};
	for (size_t i = 0; i < 2; i++) {
		struct stub stub = {.packet_size = "1000", .fault = faults[i], .fault_at = 'D'};
		struct error error;
		struct target *target = connect_to(&stub, &error);
		assert_int_equal(target_close(target, &error), STATUS_OK);
		stub_join(&stub);
		assert_string_equal(stub.log, "qr?Dc");
	}
}

TEST(stub_that_is_silent_on_detaching_is_reported)
{
	struct stub stub = {.packet_size = "1000", .fault = STUB_SILENCE, .fault_at = 'D'};
	struct error error;
	struct target *target = connect_to(&stub, &error);
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, "(request 'D')");
	stub_join(&stub);
}

TEST(span_beyond_the_address_space_is_refused)
{
	uint8_t bytes[16];
	struct stub stub = {.packet_size = "1000"};
	struct error error;
	struct target *target = connect_to(&stub, &error);
	assert_int_equal(target_read(target, UINT64_MAX - 7, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_one_line(&stub, &error, "do not fit into the address space");
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
}

TEST(bad_source_is_a_usage_error)
{
	static const struct {
		const char *source, *message;
	} cases[] = {
	        {"gdb:", "expected HOST:PORT"},
	        {"gdb:localhost", "expected HOST:PORT"},
	        {"gdb:localhost:", "expected HOST:PORT"},
	        {"gdb:localhost:0", "expected HOST:PORT"},
	        {"gdb:localhost:65536", "expected HOST:PORT"},
	        {"gdb:localhost:99999999999999999999", "expected HOST:PORT"},
	        {"gdb:localhost:12x", "expected HOST:PORT"},
	        {"gdb:localhost:1234,timeout=never", "timeout=never: expected seconds"},
	        {"gdb:localhost:1234,timeout=0", "expected seconds"},
	        {"gdb:localhost:1234,timeout=nan", "expected seconds"},
	        {"gdb:localhost:1234,timeout=3,timeout=3",
	         "gdb:localhost:1234,timeout=3,timeout=3: timeout=3: this option is given twice"},
	        {"gdb:localhost:1234,target=0", "gdb:localhost:1234,target=0: target=0: expected a number"},
	        {"gdb:localhost:1234,speed=1", "no such option; it knows: timeout, target, baud"},
	        {"gdb:localhost:1234,baud=9600", "baud= is for serial ports"},
	        {"gdb:/dev/ttyACM0,target=0", "target=0: expected a number from 1 to 255"},
	        {"gdb:/dev/ttyACM0,target=all", "target=all: expected a number from 1 to 255"},
	        {"telnet:localhost:1234", "no such source; expected one of: "},
	        {"telnet:localhost:1234", " gdb:HOST:PORT"},
	        {"gdb", "gdb: it needs an address: gdb:HOST:PORT|DEVICE"},
	        {"/dev/ttyUSB0,baud=9600", "no such source; did you mean uart:/dev/ttyUSB0,baud=9600?"},
	        {"/dev/pts/0", "no such source; did you mean uart:/dev/pts/0?"},
	        {"Makefile", "Makefile: no such source; did you mean file:Makefile?"},
	        {"", "no such source"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct target *target = NULL;
		struct error error;
		assert_int_equal(open_source(cases[i].source, NULL, &target, &error), STATUS_USAGE);
		if (strstr(error.message, cases[i].message) == NULL)
			fail_msg("%s: %s", cases[i].source, error.message);
		assert_null(target);
	}
}

TEST(nobody_there_is_one_clear_line)
{
	struct target *target = NULL;
	struct error error;
	/* Port 1 of this machine: refused at once. A name under .invalid never resolves (RFC 6761). */
	assert_int_equal(open_source("gdb:127.0.0.1:1", NULL, &target, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "gdb:127.0.0.1:1: cannot connect: Connection refused"));
	assert_int_equal(open_source("gdb:no-such-host.invalid:1", NULL, &target, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot find the host"));
	assert_null(target);
}
