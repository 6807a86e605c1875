/* SPDX-License-Identifier: MIT */
/*
 * Sessions over a serial port with servers that do not run here, as their sources and documentation describe them. The
 * scripts are not checked against the servers. tests/probe-model/gdb.sh uses the real OpenOCD and pyOCD.
 */
#include "../sources.h"
#include "stub.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define HELLO       "qSupported:vContSupported+"
#define IF_HALTED   "monitor if {[[target current] curstate] eq \"halted\"} {resume}"
#define CHECK_WORDS "monitor expr [join [read_memory 0x20000000 32 2] |]"
#define READ        "m20000000,8"
#define COUNTING    "0102030405060708"
#define ZEROS       "0000000000000000"

#define STEPS_MAX 8

/* The requests of each session before those of a test, and after them. */
struct server {
	struct exchange hello[5], leave[3];
};

/* Black Magic Probe: src/gdb_main.c, src/command.c. */
static const struct server black_magic = {
        {{HELLO, {"PacketSize=400;qXfer:memory-map:read+;qXfer:features:read+;vContSupported+;QStartNoAckMode+"}},
         {"QStartNoAckMode", {"OK"}},
         {"monitor version", {"says Black Magic Probe v1.10.0, Hardware Version 3\n", "OK"}},
         {"?", {"W00"}}},
        {{"D", {"OK"}}},
};

/* st-util: src/st-util/gdb-server.c. It cannot detach. */
static const struct server st_util = {
        {{HELLO, {"PacketSize=3fff;qXfer:memory-map:read+;qXfer:features:read+"}},
         {"monitor version", {""}},
         {"?", {"S05"}}},
        {{"D", {""}}, {"c", {NULL}}},
};

/* pyOCD offers non-stop mode, in which it answers a continue at once. */
static const struct server pyocd = {
        {{HELLO, {"qXfer:features:read+;QNonStop+;PacketSize=800"}},
         {"monitor version", {"result Invalid Command: \"b'version'\"\n"}},
         {"?", {"T1107:00000000;thread:1;"}}},
        {{"QNonStop:1", {"OK"}}, {"vCont;c", {"OK"}}, {"D", {"OK"}}},
};

/* OpenOCD: src/server/gdb_server.c. */
static const struct server openocd = {
        {{HELLO, {"PacketSize=4000;qXfer:memory-map:read-;qXfer:features:read+;vContSupported+"}},
         {"monitor version", {"result Open On-Chip Debugger 0.12.0\n"}},
         {"?", {"S02"}}},
        {{IF_HALTED, {"OK"}}, {"D", {"OK"}}},
};

static struct stub stub;
static struct target *target;
static int cancel = -1; /* see target_setup */

static size_t append(struct exchange *script, size_t size, const struct exchange *steps, size_t max)
{
	for (size_t i = 0; i < max && steps[i].request != NULL; i++)
		script[size++] = steps[i];
	return size;
}

static enum status open_script(const struct server *server, const struct exchange *steps, const char *options)
{
	static const struct target_observer observer = {.note = take_note};
	static struct exchange script[20];
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	char source[128];

	size_t size = append(script, 0, server->hello, 5);
	size = append(script, size, steps, STEPS_MAX);
	size = append(script, size, server->leave, 3);
	script[size].request = NULL;
	noted[0] = 0;
	stub = (struct stub){.script = script};
	stub_start(&stub);
	setup.observer = &observer;
	setup.cancel = cancel;
	snprintf(source, sizeof source, "%s,timeout=20%s", stub.source, options);
	return open_source(source, &setup, &target, &failure);
}

static void end_script(void)
{
	stub_join(&stub);
	assert_string_equal(stub.unexpected, "");
	assert_null(stub.script[stub.done].request);
}

static void expect_read(const char *message, const char *digits)
{
	uint8_t bytes[8];
	char text[17];

	enum status status = target_read(target, 0x20000000, bytes, sizeof bytes, &failure);
	assert_int_equal(status, message != NULL ? STATUS_FAILED : STATUS_OK);
	if (message != NULL) {
		assert_says(&failure, message);
		return;
	}
	for (size_t i = 0; i < sizeof bytes; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	assert_string_equal(text, digits);
}

/* A session that reads eight bytes and detaches. */
struct session {
	const char *name;
	const struct server *server;
	const char *options;
	const char *no_target, *failure; /* messages if opening or reading fails; NULL: it succeeds */
	const char *digits;              /* of the bytes read */
	const char *note;
	struct exchange steps[STEPS_MAX];
};

static void run_session(const struct session *session)
{
	enum status status =
	        open_script(session->server, session->steps, session->options != NULL ? session->options : "");

	assert_int_equal(status, session->no_target != NULL ? STATUS_FAILED : STATUS_OK);
	if (session->no_target != NULL) {
		assert_says(&failure, session->no_target);
	} else {
		expect_read(session->failure, session->digits);
		assert_success(target_close(target, &failure), &failure);
	}
	end_script();
	assert_true(session->note != NULL ? strstr(noted, session->note) != NULL : noted[0] == 0);
}

static const struct session sessions[] = {
        {.name = "a probe scans for its target and leaves it running",
         .server = &black_magic,
         .digits = COUNTING,
         .steps = {{"monitor swdp_scan",
                    {"says Target voltage: 3.3V\n", "says Available Targets:\n", "says  1    STM32F40x M4\n", "OK"}},
                   {"vAttach;1", {"T05"}},
                   {READ, {COUNTING}}}},
        {.name = "a probe scans by JTAG if SWD finds nothing",
         .server = &black_magic,
         .options = ",target=2",
         .digits = COUNTING,
         .steps = {{"monitor swdp_scan", {"says SWD scan failed!\n", "result Failed\n"}},
                   {"monitor jtag_scan", {"says Available Targets:\n", "OK"}},
                   {"vAttach;2", {"T05"}},
                   {READ, {COUNTING}}}},
        {.name = "a probe without a target is reported in its words",
         .server = &black_magic,
         .no_target = "finds no target: JTAG device scan failed!",
         .steps = {{"monitor swdp_scan", {"says SWD scan failed!\n", "result Failed\n"}},
                   {"monitor jtag_scan", {"says JTAG device scan failed!\n", "result Failed\n"}}}},
        {.name = "a probe that cannot attach is reported",
         .server = &black_magic,
         .options = ",target=17",
         .no_target = "cannot attach to target 17 (it answered 'E01')",
         .steps = {{"monitor swdp_scan", {"OK"}}, {"vAttach;11", {"E01"}}}},
        {.name = "st-util is left running", .server = &st_util, .digits = COUNTING, .steps = {{READ, {COUNTING}}}},
        {.name = "a server with a single target offers no choice",
         .server = &st_util,
         .options = ",target=2",
         .no_target = "has no targets to choose from",
         .steps = {{"monitor swdp_scan", {""}}, {"monitor jtag_scan", {""}}}},
        {.name = "a server with non-stop mode is left running",
         .server = &pyocd,
         .digits = COUNTING,
         .steps = {{READ, {COUNTING}}}},
        {.name = "zeros are accepted after a check",
         .server = &openocd,
         .digits = ZEROS,
         .steps = {{READ, {ZEROS}}, {CHECK_WORDS, {"result 0\n"}}}},
        {.name = "zeros that are not in memory are read again",
         .server = &openocd,
         .digits = COUNTING,
         .steps = {{READ, {ZEROS}}, {CHECK_WORDS, {"result 117835012\n"}}, {READ, {COUNTING}}}},
        {.name = "zeros that are never in memory are a failure",
         .server = &openocd,
         .failure = "cannot read 8 bytes at 0x20000000: the gdb server answers with zeros",
         .steps = {{READ, {ZEROS}},
                   {CHECK_WORDS, {"result 1\n"}},
                   {READ, {ZEROS}},
                   {CHECK_WORDS, {"result 1\n"}},
                   {READ, {ZEROS}},
                   {CHECK_WORDS, {"result 1\n"}}}},
        {.name = "a failure hidden by zeros is reported",
         .server = &openocd,
         .failure = "cannot read 8 bytes at 0x20000000: the gdb server says 'read_memory: failed to read memory'",
         .steps = {{READ, {ZEROS}},
                   {CHECK_WORDS,
                    {"says Failed to read memory at 0x20000000\n", "says read_memory: failed to read memory\n",
                     "E01"}}}},
        {.name = "an OpenOCD that cannot check zeros causes a note",
         .server = &openocd,
         .digits = ZEROS,
         .note = "put 'gdb_report_data_abort enable' into its configuration, or use openocd:",
         .steps = {{READ, {ZEROS}}, {CHECK_WORDS, {"says invalid command name \"read_memory\"\n", "E01"}}}},
};

TEST(each_server_is_read_and_left_running)
{
	for (size_t i = 0; i < sizeof sessions / sizeof sessions[0]; i++) {
		print_message("%s\n", sessions[i].name);
		run_session(&sessions[i]);
	}
}

TEST(target_that_is_not_resumed_is_reported)
{
	struct server stuck = openocd;

	stuck.leave[0].answers[0] = "says Error: cannot resume\n";
	stuck.leave[0].answers[1] = "E01";
	stuck.leave[1].request = NULL;
	assert_int_equal(open_script(&stuck, &(struct exchange){0}, ""), STATUS_OK);
	assert_failure(target_close(target, &failure), &failure,
	               "may have been left halted: the gdb server does not resume the target");
	end_script();
}

TEST(interrupted_read_detaches_over_a_serial_port_too)
{
	static const struct exchange steps[STEPS_MAX] = {
	        {"monitor swdp_scan", {"OK"}}, {"vAttach;1", {"T05"}}, {READ, {NULL}}};
	int ends[2];

	open_cancel_pipe(ends);
	cancel = ends[0];
	assert_int_equal(open_script(&black_magic, steps, ""), STATUS_OK);
	cancel_by(ends);
	expect_read("interrupted", NULL);
	assert_success(target_close(target, &failure), &failure);
	end_script();
	cancel = -1;
}

TEST(serial_port_that_cannot_be_opened_is_reported)
{
	assert_failure(open_source("gdb:/dev/no-such-probe", NULL, &target, &failure), &failure,
	               "/dev/no-such-probe: no such device");
	assert_int_equal(open_source("gdb:/dev/null,baud=none", NULL, &target, &failure), STATUS_USAGE);
	assert_says(&failure, "baud=none: expected a number");
}
