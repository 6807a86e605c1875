/* SPDX-License-Identifier: MIT */
/* The GDB protocol with a stub that answers correctly, wrongly or not at all, and sessions that are interrupted. */
#include "../sources.h"
#include "base/clock.h"
#include "stub.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds that tests of silence wait, and within which a stub on a busy machine must answer. */
#define TIMEOUT "2"
/* Longer than any of these tests waits. */
#define LONG_TIMEOUT "60"
/* Milliseconds: less than LONG_TIMEOUT, and enough for a sanitizer on a busy machine. */
#define LATEST 50000

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The stub, the target that was opened on it, and the last failure. */
static struct stub stub;
static struct target *target;
static int cancel[2];
static uint64_t begin; /* start of the operation that must end before LATEST */

static enum status try_open_with(struct stub wanted, const char *timeout, const struct target_observer *observer)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	char source[128];

	stub = wanted;
	stub_start(&stub);
	snprintf(source, sizeof source, "%s,timeout=%s", stub.source, timeout);
	setup.observer = observer;
	setup.cancel = cancel[0];
	target = NULL;
	failure.message[0] = 0;
	begin = clock_now();
	return open_source(source, &setup, &target, &failure);
}

static void open_stub(struct stub wanted)
{
	assert_success(try_open_with(wanted, TIMEOUT, &target_nobody), &failure);
}

static void expect(const char *part)
{
	assert_says(&failure, part);
	assert_non_null(strstr(failure.message, stub.source));
}

/* Expects the message and the requests; NULL: any. */
static void close_stub(enum status expected, const char *message, const char *log)
{
	assert_int_equal(target_close(target, &failure), expected);
	if (message != NULL)
		expect(message);
	assert_true(clock_now() - begin < LATEST);
	stub_join(&stub);
	if (log != NULL)
		assert_string_equal(stub.log, log);
}

/* Closes a target that may be lost, in time. */
static void end_stub(void)
{
	target_close(target, &failure);
	assert_true(clock_now() - begin < LATEST);
	stub_join(&stub);
}

/* Opening fails with this message, which mentions a target that may be halted, or does not. */
static void fail_to_open(struct stub wanted, const char *message, bool may_be_halted)
{
	assert_int_equal(try_open_with(wanted, TIMEOUT, &target_nobody), STATUS_FAILED);
	assert_null(target);
	expect(message);
	assert_int_equal(strstr(failure.message, ": the target may have been left halted") != NULL, may_be_halted);
	assert_true(clock_now() - begin < LATEST);
	stub_join(&stub);
}

static enum status read_at(uint64_t address)
{
	static uint8_t bytes[STUB_SIZE];

	enum status status = target_read(target, address, bytes, 32, &failure);
	if (status == STATUS_OK && address == STUB_BASE)
		assert_memory_equal(bytes, stub.memory, 32);
	return status;
}

static int set_up(void **state)
{
	open_cancel_pipe(cancel);
	return 0;
}

EACH_TEST(set_up, NULL);

/* The whole memory is read correctly, and the target left running. */
static void read_whole_memory(struct stub wanted)
{
	static uint8_t bytes[STUB_SIZE];

	open_stub(wanted);
	assert_success(target_read(target, STUB_BASE, bytes, sizeof bytes, &failure), &failure);
	assert_memory_equal(bytes, stub.memory, sizeof bytes);
	begin = clock_now();
	close_stub(STATUS_OK, NULL, NULL);
	assert_int_equal(stub.log[strlen(stub.log) - 1], 'D');
}

TEST(memory_is_read_in_pieces_that_the_stub_accepts)
{
	static const struct {
		const char *packet_size;
		unsigned longest;
	} cases[] = {{"4000", 0x800}, {"1000", 0x7fe}, {"400", 0x1fe}, {"40", 30}, {NULL, 198}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		read_whole_memory((struct stub){.packet_size = cases[i].packet_size});
		assert_int_equal(stub.longest_read, cases[i].longest);
	}
}

TEST(memory_is_read_from_every_kind_of_stub)
{
	static const struct stub stubs[] = {
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

	for (size_t i = 0; i < COUNT(stubs); i++)
		read_whole_memory(stubs[i]);
}

TEST(write_changes_exactly_the_given_bytes)
{
	static uint8_t expected[STUB_SIZE];
	uint8_t bytes[0x1003];

	open_stub((struct stub){.packet_size = "1000"});
	memcpy(expected, stub.memory, sizeof expected);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 31);
	memcpy(expected + 0x123, bytes, sizeof bytes);
	assert_success(target_write(target, STUB_BASE + 0x123, bytes, sizeof bytes, &failure), &failure);
	assert_int_equal(target_write(target, STUB_BASE + STUB_SIZE, bytes, 1, &failure), STATUS_FAILED);
	expect("cannot write 1 bytes at 0x20003000: the gdb server answered 'E22'");
	close_stub(STATUS_OK, NULL, NULL);
	assert_memory_equal(stub.memory, expected, sizeof expected);
}

/* Calls of an observer. */
struct observed {
	char text[64];
	size_t text_size;
	uint64_t done[8], total;
	size_t count;
};

static void on_text(void *context, const uint8_t *bytes, size_t size)
{
	struct observed *observed = context;

	assert_true(size < sizeof observed->text - observed->text_size);
	memcpy(observed->text + observed->text_size, bytes, size);
	observed->text_size += size;
}

static void on_progress(void *context, uint64_t done, uint64_t total)
{
	struct observed *observed = context;

	assert_true(observed->count < 8);
	observed->done[observed->count++] = done;
	observed->total = total;
}

TEST(observer_receives_console_output_and_progress)
{
	static const uint64_t done[] = {0x800, 0x1000, 0x1400};
	static uint8_t bytes[0x1400];
	struct observed observed = {.count = 0};
	const struct target_observer observer = {.context = &observed, .text = on_text, .progress = on_progress};
	struct stub printing = {.packet_size = "4000", .prints = true};

	assert_int_equal(try_open_with(printing, TIMEOUT, &observer), STATUS_OK);
	observed.text_size = 0;
	assert_success(target_read(target, STUB_BASE, bytes, sizeof bytes, &failure), &failure);
	assert_int_equal(observed.text_size, 9);
	assert_memory_equal(observed.text, "Hi\nHi\nHi\n", 9);
	assert_int_equal(observed.count, 3);
	assert_memory_equal(observed.done, done, sizeof done);
	assert_int_equal(observed.total, 0x1400);
	observed.text_size = 0;
	assert_success(target_run(target, 20, &failure), &failure);
	assert_true(observed.text_size > 0);
	assert_memory_equal(observed.text, "Hi\n", 3);
	close_stub(STATUS_OK, NULL, NULL);
}

struct fault_case {
	enum stub_fault fault;
	const char *message;
};

TEST(wrong_answer_to_a_read_is_reported_within_the_timeout)
{
	static const struct fault_case cases[] = {
	        {STUB_ERROR, "cannot read 32 bytes at 0x20000000: the gdb server answered 'E01'"},
	        {STUB_SILENCE, "did not answer within " TIMEOUT " s (request 'm20000000')"},
	        {STUB_CLOSES_INSTEAD, "closed the connection"},
	        {STUB_CLOSES_IN_PACKET, "closed the connection"},
	        {STUB_BAD_CHECKSUM_ALWAYS, "wrong checksums"},
	        {STUB_TOO_LONG, "longer than"},
	        {STUB_EXPLODING_RUN, "longer than"},
	        {STUB_BROKEN_RUN, "broken run length"},
	        {STUB_GARBAGE, "did not answer within " TIMEOUT " s"},
	        {STUB_OUTPUT_FOREVER, "did not answer within " TIMEOUT " s"},
	        {STUB_TOO_MANY_BYTES, "which does not answer the request"},
	        {STUB_ODD_DIGITS, "which does not answer the request"},
	        {STUB_NO_DIGITS, "answered 'zz', which does not answer the request"},
	        {STUB_EMPTY, "not supported"},
	        {STUB_REFUSES_ALWAYS, "wrong checksums"},
	};

	for (size_t i = 0; i < 2 * COUNT(cases) - 1; i++) {
		const struct fault_case *one = &cases[i / 2];

		open_stub((struct stub){.packet_size = "1000", .fault = one->fault, .offers_no_ack = i % 2});
		assert_int_equal(read_at(STUB_BASE), STATUS_FAILED);
		expect(one->message);
		end_stub();
	}
}

/* A gdb server halts the target as soon as a client connects. */
TEST(fault_in_the_greeting_is_reported_within_the_timeout)
{
	static const struct {
		struct stub stub;
		const char *message;
		bool may_be_halted;
	} cases[] = {
	        {{.fault = STUB_SILENCE, .fault_at = 'q'},
	         "did not answer within " TIMEOUT " s (request 'qSupported'); gdb:",
	         true},
	        {{.fault = STUB_SILENCE, .fault_at = 'r'}, " s (request 'qRcmd'); gdb:", true},
	        {{.fault = STUB_CLOSES_INSTEAD, .fault_at = 'q'}, "closed the connection", true},
	        {{.fault = STUB_CLOSES_INSTEAD, .fault_at = '?'}, "(request '?'); gdb:", true},
	        {{.fault = STUB_BAD_CHECKSUM_ALWAYS, .fault_at = 'q'}, "wrong checksums", true},
	        {{.fault = STUB_TOO_LONG, .fault_at = 'q'}, "longer than", true},
	        {{.fault = STUB_GARBAGE, .fault_at = 'q'},
	         "the peer is not a gdb server: is it a serial line, tcp:127.0.0.1:",
	         false},
	        {{.fault = STUB_ERROR, .fault_at = '?'}, "has no target (it answered 'E01' to '?')", false},
	        {{.packet_size = "10"}, "packets of 16 bytes", false},
	        {{.packet_size = "10", .fault = STUB_SILENCE, .fault_at = 'D'}, "packets of 16 bytes", true},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		fail_to_open(cases[i].stub, cases[i].message, cases[i].may_be_halted);
}

/* Moves the fault from each request to the next. */
static void refuse_from_the_target_on(const struct stub *serving)
{
	const char *next = strchr("?Dc", serving->request[0]);

	if (next != NULL && next[0] && next[1])
		((struct stub *)serving)->fault_at = next[1];
}

TEST(stub_with_neither_target_nor_detach_halts_nothing)
{
	fail_to_open((struct stub){.fault = STUB_ERROR, .fault_at = '?', .on_request = refuse_from_the_target_on},
	             "has no target", false);
	assert_string_equal(stub.log, "qr?Dc");
}

TEST(failed_read_leaves_the_session_usable)
{
	open_stub((struct stub){.packet_size = "1000"});
	assert_int_equal(read_at(0x1000), STATUS_FAILED);
	expect("0x00001000: the gdb server answered 'E14'");
	assert_int_equal(read_at(UINT64_MAX - 7), STATUS_FAILED);
	expect("do not fit into the address space");
	assert_int_equal(read_at(STUB_BASE), STATUS_OK);
	close_stub(STATUS_OK, NULL, NULL);
}

TEST(lost_session_fails_at_once_afterwards)
{
	open_stub((struct stub){.packet_size = "1000", .fault = STUB_SILENCE});
	assert_int_equal(read_at(STUB_BASE), STATUS_FAILED);
	assert_true(target->is_lost);
	begin = clock_now();
	for (int i = 0; i < 20; i++)
		assert_int_equal(read_at(STUB_BASE), STATUS_FAILED);
	assert_true(clock_now() - begin < 1000);
	expect("given up");
	close_stub(STATUS_FAILED, "may have been left halted", "qr?mD");
}

TEST(write_without_an_answer_loses_the_session)
{
	open_stub((struct stub){.packet_size = "1000", .fault = STUB_SILENCE, .fault_at = 'M'});
	assert_int_equal(target_write(target, STUB_BASE, "1234", 4, &failure), STATUS_FAILED);
	assert_true(target->is_lost);
	close_stub(STATUS_FAILED, NULL, NULL);
}

TEST(target_runs_for_some_time_and_stops_again)
{
	open_stub((struct stub){.packet_size = "1000", .announces_stop = true});
	begin = clock_now();
	assert_success(target_run(target, 50, &failure), &failure);
	assert_true(clock_now() - begin >= 49);
	assert_success(target_run(target, 0, &failure), &failure);
	close_stub(STATUS_OK, NULL, "qr?c^c^D");
}

TEST(target_that_does_not_run_as_requested_is_reported)
{
	static const struct fault_case cases[] = {
	        {STUB_STOPS_BY_ITSELF, "stopped by itself (T05)"},   {STUB_EXITS, "has exited"},
	        {STUB_IGNORES_INTERRUPT, "did not stop on request"}, {STUB_ERROR, "cannot let the target run"},
	        {STUB_EMPTY, "cannot let the target run"},           {STUB_CLOSES_INSTEAD, "closed the connection"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		open_stub((struct stub){.packet_size = "1000", .fault = cases[i].fault, .fault_at = 'c'});
		assert_int_equal(target_run(target, 100, &failure), STATUS_FAILED);
		expect(cases[i].message);
		end_stub();
	}
}

TEST(stub_that_cannot_detach_is_left_running)
{
	static const enum stub_fault faults[] = {STUB_ERROR, STUB_EMPTY};

	for (size_t i = 0; i < COUNT(faults); i++) {
		open_stub((struct stub){.packet_size = "1000", .fault = faults[i], .fault_at = 'D'});
		close_stub(STATUS_OK, NULL, "qr?Dc");
	}
}

TEST(stub_that_fails_to_detach_may_have_left_the_target_halted)
{
	open_stub((struct stub){.packet_size = "1000", .fault = STUB_SILENCE, .fault_at = 'D'});
	close_stub(STATUS_FAILED, "(request 'D')", NULL);
	open_stub((struct stub){.fault = STUB_CLOSES_INSTEAD, .fault_at = 'D'});
	close_stub(STATUS_FAILED, ": the target may have been left halted: the other end closed the connection", NULL);
}

static void interrupt_the_host(const struct stub *serving)
{
	if (strchr("mc", serving->request[0]) != NULL)
		cancel_by(cancel);
}

/* The answer never comes, or after the interruption. */
TEST(interrupted_read_detaches_at_once)
{
	static const enum stub_fault faults[] = {STUB_SILENCE, STUB_NO_FAULT};

	for (size_t i = 0; i < COUNT(faults); i++) {
		struct stub interrupting = {.fault = faults[i], .on_request = interrupt_the_host};
		char byte;

		assert_int_equal(try_open_with(interrupting, LONG_TIMEOUT, &target_nobody), STATUS_OK);
		assert_int_equal(read_at(STUB_BASE), STATUS_FAILED);
		expect("interrupted");
		close_stub(STATUS_OK, NULL, "qr?mD");
		assert_int_equal(read(cancel[0], &byte, 1), 1);
	}
}

TEST(interruption_between_operations_detaches)
{
	open_stub((struct stub){.packet_size = "1000"});
	assert_int_equal(read_at(STUB_BASE), STATUS_OK);
	cancel_by(cancel);
	close_stub(STATUS_OK, NULL, "qr?mD");
}

TEST(interrupted_run_stops_the_target_and_detaches)
{
	struct stub interrupting = {.on_request = interrupt_the_host};

	assert_int_equal(try_open_with(interrupting, LONG_TIMEOUT, &target_nobody), STATUS_OK);
	assert_int_equal(target_run(target, 60000, &failure), STATUS_FAILED);
	expect("interrupted");
	assert_int_equal(target_run(target, 60000, &failure), STATUS_FAILED);
	close_stub(STATUS_OK, NULL, "qr?c^D");
}

static void delay_reads(const struct stub *serving)
{
	if (serving->request[0] == 'm')
		usleep(20000);
}

/* Each answer is in time and has one byte. */
TEST(stub_that_is_too_slow_is_given_up)
{
	static uint8_t bytes[STUB_SIZE];
	struct stub slow = {.fault = STUB_ONE_BYTE, .on_request = delay_reads};

	assert_int_equal(try_open_with(slow, "0.5", &target_nobody), STATUS_OK);
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &failure), STATUS_FAILED);
	expect("the gdb server is too slow: ");
	close_stub(STATUS_OK, NULL, NULL);
}

TEST(source_that_cannot_be_opened_is_reported)
{
	static const struct {
		const char *source, *message;
		enum status status;
	} cases[] = {
	        {"gdb:", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:0", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:65536", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:99999999999999999999", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:12x", "expected HOST:PORT", STATUS_USAGE},
	        {"gdb:localhost:1234,timeout=never", "timeout=never: expected seconds", STATUS_USAGE},
	        {"gdb:localhost:1234,timeout=0", "expected seconds", STATUS_USAGE},
	        {"gdb:localhost:1234,timeout=nan", "expected seconds", STATUS_USAGE},
	        {"gdb:localhost:1234,timeout=3,timeout=3",
	         "gdb:localhost:1234,timeout=3,timeout=3: timeout=3: this option is given twice", STATUS_USAGE},
	        {"gdb:localhost:1234,target=0", "gdb:localhost:1234,target=0: target=0: expected a number",
	         STATUS_USAGE},
	        {"gdb:localhost:1234,speed=1", "no such option; it knows: timeout, target, baud", STATUS_USAGE},
	        {"gdb:localhost:1234,baud=9600", "baud= is for serial ports", STATUS_USAGE},
	        {"gdb:/dev/ttyACM0,target=0", "target=0: expected a number from 1 to 255", STATUS_USAGE},
	        {"gdb:/dev/ttyACM0,target=all", "target=all: expected a number from 1 to 255", STATUS_USAGE},
	        {"telnet:localhost:1234", "no such source; expected one of: ", STATUS_USAGE},
	        {"telnet:localhost:1234", " gdb:HOST:PORT", STATUS_USAGE},
	        {"gdb", "gdb: it needs an address: gdb:HOST:PORT|DEVICE", STATUS_USAGE},
	        {"/dev/ttyUSB0,baud=9600", "no such source; did you mean uart:/dev/ttyUSB0,baud=9600?", STATUS_USAGE},
	        {"/dev/pts/0", "no such source; did you mean uart:/dev/pts/0?", STATUS_USAGE},
	        {"Makefile", "Makefile: no such source; did you mean file:Makefile?", STATUS_USAGE},
	        {"localhost:3333", "localhost:3333: no such source; did you mean gdb:localhost:3333?", STATUS_USAGE},
	        {"localhost:", "localhost:: no such source; expected one of: ", STATUS_USAGE},
	        {"10.0.0.1:3333", "10.0.0.1:3333: no such source; did you mean gdb:10.0.0.1:3333?", STATUS_USAGE},
	        {"gbd:3333", "gbd:3333: no such source; expected one of: ", STATUS_USAGE},
	        {":3333", ":3333: no such source; expected one of: ", STATUS_USAGE},
	        {"", "no such source", STATUS_USAGE},
	        /* Nothing listens on port 1, and names in .invalid never resolve (RFC 6761). */
	        {"gdb:127.0.0.1:1",
	         "gdb:127.0.0.1:1: cannot connect: Connection refused; is the gdb server running there?",
	         STATUS_FAILED},
	        {"gdb:no-such-host.invalid:1", "cannot find the host", STATUS_FAILED},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		target = NULL;
		assert_int_equal(open_source(cases[i].source, NULL, &target, &failure), cases[i].status);
		assert_says(&failure, cases[i].message);
		assert_null(target);
	}
}
