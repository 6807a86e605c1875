/* SPDX-License-Identifier: MIT */
/*
 * Targets through OpenOCD's Tcl server. The real OpenOCD serves targets that are Tcl commands with a list as memory, so
 * that its own Tcl runs all of our commands. Then servers that misbehave.
 */
#include "../sources.h"
#include "base/clock.h"
#include "server.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BASE 0x20000000u
#define SIZE 0x4100u /* more than one request reads */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* a.cpu is little-endian and runs, b.cpu is big-endian and halted, c.cpu was not examined. Each element of the list is
 * a byte of [BASE, BASE + SIZE). Other memory cannot be read, except a register at BASE - 4 that counts its reads. */
static const char script[] =
        "adapter driver dummy; transport select jtag; gdb_port disabled; telnet_port disabled\n"
        "jtag newtap a cpu -irlen 4; jtag newtap b cpu -irlen 4; jtag newtap c cpu -irlen 4\n"
        "target create a.cpu testee -endian little -chain-position a.cpu\n"
        "target create b.cpu testee -endian big -chain-position b.cpu\n"
        "target create c.cpu testee -chain-position c.cpu\n"
        "targets a.cpu; init\n"
        "set reads 0\n"
        "for {set i 0} {$i < 16640} {incr i} {lappend memory [expr {($i * 7 + ($i >> 8)) & 255}]}\n"
        "proc access {name write address width values} {\n"
        "  global memory reads\n"
        "  set bytes [expr {$width / 8}]\n"
        "  set result {}\n"
        "  if {$address == 0x1ffffffc} {incr reads; return $reads}\n"
        "  foreach value $values {\n"
        "    set number 0\n"
        "    for {set i 0} {$i < $bytes} {incr i} {\n"
        "      set at [expr {$address - 0x20000000 + $i}]\n"
        "      if {$at < 0 || $at >= 16640} {error {read_memory: failed to read memory}}\n"
        "      set shift [expr {8 * ($name eq {b.cpu} ? $bytes - 1 - $i : $i)}]\n"
        "      if {$write} {lset memory $at [expr {($value >> $shift) & 255}]}\n"
        "      set number [expr {$number | [lindex $memory $at] << $shift}]\n"
        "    }\n"
        "    lappend result [format 0x%x $number]\n"
        "    incr address $bytes\n"
        "  }\n"
        "  return $result\n"
        "}\n"
        "proc model {name sub args} {\n"
        "  switch $sub {\n"
        "    read_memory {lassign $args address width count\n"
        "      return [access $name 0 $address $width [lrepeat $count 0]]}\n"
        "    write_memory {access $name 1 {*}$args; return}\n"
        "    was_examined {return [expr {$name ne {c.cpu}}]}\n"
        "    curstate {return [expr {$name eq {b.cpu} ? {halted} : {running}}]}\n"
        "    cget {return [expr {$name eq {b.cpu} ? {big} : {little}}]}\n"
        "  }\n"
        "}\n"
        "foreach name {a.cpu b.cpu c.cpu} {\n"
        "  rename $name real.$name\n"
        "  eval [list proc $name {sub args} \"tailcall model $name \\$sub {*}\\$args\"]\n"
        "}\n";

static struct {
	pid_t process;
	unsigned port;
	char script[64];
} server;

/* Valid until the next call. */
static const char *name_source(const char *options)
{
	static char source[128];

	snprintf(source, sizeof source, "openocd:127.0.0.1:%u%s", server.port, options);
	return source;
}

static struct target *open_server(const char *options)
{
	return server_await(name_source(options));
}

static int start_server(void **state)
{
	char port[32];

	server.port = server_free_port();
	snprintf(server.script, sizeof server.script, "/tmp/test-openocd-XXXXXX");
	int file = mkstemp(server.script);
	assert_int_equal(write(file, script, sizeof script - 1), sizeof script - 1);
	close(file);
	snprintf(port, sizeof port, "tcl_port %u", server.port);
	server.process = server_start((const char *const[]){"openocd", "-c", port, "-f", server.script, NULL});
	server_close(open_server(""));
	return 0;
}

static int end_server(void **state)
{
	server_stop(server.process);
	unlink(server.script);
	return 0;
}

static uint8_t byte_at(size_t offset)
{
	return (uint8_t)(offset * 7 + (offset >> 8));
}

ALL_TESTS(start_server, end_server);

TEST(memory_is_read_in_its_byte_order)
{
	static const struct {
		size_t offset, size;
	} ranges[] = {{0, SIZE}, {0, 1}, {1, 2}, {3, 2}, {1, SIZE - 2}, {4093, 7}, {5, 4096}, {SIZE - 1, 1}};
	static uint8_t bytes[SIZE];

	for (size_t i = 0; i < 2 * COUNT(ranges); i++) {
		size_t offset = ranges[i / 2].offset, size = ranges[i / 2].size;
		struct target *target = open_server(i % 2 ? ",target=b.cpu" : "");

		assert_success(target_read(target, BASE + offset, bytes, size, &failure), &failure);
		for (size_t at = 0; at < size; at++)
			assert_int_equal(bytes[at], byte_at(offset + at));
		server_close(target);
	}
}

TEST(written_memory_is_read_back)
{
	static const size_t offsets[] = {0x100, 0x203, 0x301}, sizes[] = {4, 600, 3};
	uint8_t bytes[600], read[602];

	for (size_t i = 0; i < 6; i++) {
		struct target *target = open_server(i % 2 ? ",target=b.cpu" : "");
		size_t offset = offsets[i / 2], size = sizes[i / 2];

		for (size_t at = 0; at < size; at++)
			bytes[at] = (uint8_t)(byte_at(offset + at) ^ 0xff);
		assert_success(target_write(target, BASE + offset, bytes, size, &failure), &failure);
		assert_success(target_read(target, BASE + offset - 1, read, size + 2, &failure), &failure);
		assert_memory_equal(read + 1, bytes, size);
		assert_int_equal(read[0], byte_at(offset - 1));
		assert_int_equal(read[size + 1], byte_at(offset + size));
		for (size_t at = 0; at < size; at++)
			bytes[at] ^= 0xff;
		assert_success(target_write(target, BASE + offset, bytes, size, &failure), &failure);
		server_close(target);
	}
}

TEST(register_is_read_repeatedly)
{
	static uint32_t words[2500];

	struct target *target = open_server("");
	assert_success(target_read_register(target, BASE - 4, words, 2500, &failure), &failure);
	for (uint32_t i = 0; i < 2500; i++)
		assert_int_equal(words[i], i + 1);
	server_close(target);
}

TEST(failed_read_is_an_error_and_not_zeros)
{
	uint8_t bytes[8];

	struct target *target = open_server("");
	assert_failure(target_read(target, BASE + SIZE - 4, bytes, 8, &failure), &failure,
	               "OpenOCD says to 'a.cpu read_memory 0x200040fc 32 2': read_memory: failed");
	assert_success(target_read(target, BASE, bytes, 8, &failure), &failure);
	assert_false(target->is_lost);
	server_close(target);
}

TEST(run_waits_for_a_running_target_and_reports_a_halted_one)
{
	struct target *target = open_server("");
	uint64_t begin = clock_now();

	assert_success(target_run(target, 50, &failure), &failure);
	assert_true(clock_now() - begin >= 50);
	server_close(target);
	target = open_server(",target=b.cpu");
	assert_failure(target_run(target, 1, &failure), &failure, "the target b.cpu is in the state 'halted'");
	server_close(target);
}

TEST(cancelling_ends_a_wait)
{
	server_check_cancelling(name_source(""));
}

TEST(source_that_cannot_be_opened_is_reported)
{
	const struct {
		const char *source, *part;
		enum status status;
	} cases[] = {
	        {",target=c.cpu", "OpenOCD has not reached the target c.cpu yet", STATUS_FAILED},
	        {",target=d.cpu", "OpenOCD has no target d.cpu; it has: a.cpu b.cpu c.cpu", STATUS_FAILED},
	        {",target=[exit]", ",target=[exit]: target=[exit]: expected the name of a target", STATUS_USAGE},
	        {",timeout=0", "expected seconds", STATUS_USAGE},
	        {"openocd:localhost:1,target=0123456789012345678901234567890123456789012345678901234567890123",
	         "the value is too long", STATUS_USAGE},
	        {"openocdx", "no such source", STATUS_USAGE},
	        {"openocd:127.0.0.1:1,timeout=3",
	         "openocd:127.0.0.1:1,timeout=3: cannot connect: Connection refused; is OpenOCD running, with its Tcl "
	         "server there (tcl_port)?",
	         STATUS_FAILED},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool is_whole = cases[i].source[0] != ',';
		struct target *target;

		assert_int_equal(
		        open_source(is_whole ? cases[i].source : name_source(cases[i].source), NULL, &target, &failure),
		        cases[i].status);
		assert_says(&failure, cases[i].part);
	}
}

TEST(scheme_alone_means_the_default_port)
{
	static const char *const sources[] = {"openocd", "openocd,target=x", "openocd:host:1"};
	static const char where[] = "openocd:localhost:6666: ";
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct target *target;
	int ends[2];

	for (size_t i = 0; i < COUNT(sources); i++)
		assert_string_equal(resolved_source(sources[i])->backend->syntax.scheme, "openocd");
	/* Cancelled, so that it fails even if OpenOCD runs there. */
	open_cancel_pipe(ends);
	cancel_by(ends);
	setup.cancel = ends[0];
	assert_int_equal(open_source("openocd,timeout=3", &setup, &target, &failure), STATUS_FAILED);
	assert_memory_equal(failure.message, where, sizeof where - 1);
}

/* --- Servers that misbehave */

struct fault {
	const char *request; /* is answered wrongly if it contains this */
	const char *answer;  /* without its end; "": none, NULL: the connection is closed */
	bool is_endless;
	const char *message;
};

static bool say(const struct speaker *speaker, const char *text)
{
	return speaker_say(speaker, text) && speaker_say(speaker, "\x1a");
}

static bool answer(struct speaker *speaker, const char *request)
{
	const struct fault *fault = speaker->context;

	if (strstr(request, fault->request) != NULL) {
		if (fault->is_endless)
			return speaker_flood(speaker, fault->answer);
		return fault->answer != NULL && (fault->answer[0] == 0 || say(speaker, fault->answer));
	}
	if (strstr(request, "target current") != NULL)
		return say(speaker, "0 cpu");
	if (strstr(request, "was_examined") != NULL)
		return say(speaker, "0 1");
	return say(speaker, strstr(request, "cget") != NULL ? "0 little" : "0 0x1 0x2 0x3 0x4");
}

TEST(wrong_answers_are_reported_in_time)
{
	static const struct fault faults[] = {
	        {"target current", "", false, "OpenOCD did not answer within 0.5 s: is it the port of its Tcl"},
	        {"target current", "Open On-Chip Debugger\r\n> ", true, "more than 65,536 characters"},
	        {"target current", "+$#00", false, "the peer is not the Tcl server of OpenOCD"},
	        {"target current", "0 ", false, "OpenOCD has no current target"},
	        {"target current", "0 [shutdown]", false, "OpenOCD has no current target"},
	        {"target current", "1 invalid command name \"target\"\nmore", false,
	         "says to 'target current': invalid command name \"target\""},
	        {"read_memory", "", false, "OpenOCD did not answer within 0.5 s"},
	        {"read_memory", "0x1 ", true, "more than 65,536 characters"},
	        {"read_memory", NULL, false, "OpenOCD closed the connection"},
	        {"read_memory", "1 invalid command name \"cpu\"", false, "invalid command name \"cpu\""},
	        {"read_memory", "0 0x1 0x2 0x3", false, "did not return 4 words of memory, but '0x1 0x2 0x3'"},
	        {"read_memory", "0 0x1 0x2 0x3 0x4 0x5", false, "did not return 4 words of memory"},
	        {"read_memory", "0 0x1 0x2 0x3 0x100000000", false, "did not return 4 words of memory"},
	        {"read_memory", "0 0x1 0x2 0x3 -1", false, "did not return 4 words of memory"},
	        {"read_memory", "0 0x1 0x2 0x3 0x4z", false, "did not return 4 words of memory"},
	};

	for (size_t i = 0; i < COUNT(faults); i++) {
		struct fault fault = faults[i];
		struct speaker speaker = {.end = '\x1a', .answer = answer, .context = &fault};
		uint8_t bytes[16];

		server_read_from(&speaker, "openocd", bytes, &failure);
		assert_says(&failure, fault.message);
	}
}
