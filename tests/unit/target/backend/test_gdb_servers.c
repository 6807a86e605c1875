/* SPDX-License-Identifier: MIT */
/*
 * Conversations with servers that do not run here, over a serial port, as we read their sources and documentation;
 * nobody but us says that they are right. OpenOCD and pyOCD themselves are asked by tests/probe-model/gdb.sh.
 */
#include "../sources.h"
#include "script.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HELLO       "qSupported:vContSupported+"
#define IF_HALTED   "monitor if {[[target current] curstate] eq \"halted\"} {resume}"
#define CHECK_WORDS "monitor expr [join [read_memory 0x20000000 32 2] |]"

static char noted[512];
static int cancel = -1; /* see target_setup */

static void hear_note(void *context, const char *text)
{
	(void)context;
	snprintf(noted, sizeof noted, "%s", text);
}

static enum status open_script(struct script *script, const char *options, struct target **target, struct error *error)
{
	static const struct client_observer observer = {.note = hear_note};
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	char source[128];

	noted[0] = 0;
	script_start(script);
	setup.observer = &observer;
	setup.cancel = cancel;
	snprintf(source, sizeof source, "%s,timeout=2%s", script->source, options);
	return open_source(source, &setup, target, error);
}

static void assert_all_was_said(struct script *script)
{
	script_join(script);
	assert_string_equal(script->strayed, "");
	assert_null(script->exchanges[script->done].request);
}

static void assert_says(const struct error *error, const char *part)
{
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error->message, part);
	assert_null(strchr(error->message, '\n'));
}

/* Reads eight bytes: status and what came, as told. Then it takes leave. */
static void check_read(const struct exchange *exchanges, const char *options, const char *message,
                       const uint8_t *expected)
{
	struct script script = {.exchanges = exchanges};
	struct target *target = NULL;
	struct error error = {.message = ""};
	uint8_t bytes[8];

	if (open_script(&script, options, &target, &error) != STATUS_OK)
		fail_msg("%s (strayed: '%s')", error.message, script.strayed);
	enum status status = target_read(target, 0x20000000, bytes, sizeof bytes, &error);
	assert_int_equal(status, message != NULL ? STATUS_FAILED : STATUS_OK);
	if (message != NULL)
		assert_says(&error, message);
	else
		assert_memory_equal(bytes, expected, sizeof bytes);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	assert_all_was_said(&script);
}

static const uint8_t counting[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t zeros[8];

static void check_no_target(const struct exchange *exchanges, const char *options, const char *message)
{
	struct script script = {.exchanges = exchanges};
	struct target *target = NULL;
	struct error error = {.message = ""};

	assert_int_equal(open_script(&script, options, &target, &error), STATUS_FAILED);
	assert_says(&error, message);
	assert_null(target);
	assert_all_was_said(&script);
}

/* Black Magic Probe: src/gdb_main.c, src/command.c. */
#define BLACK_MAGIC                                                                                               \
	{HELLO, {"PacketSize=400;qXfer:memory-map:read+;qXfer:features:read+;vContSupported+;QStartNoAckMode+"}}, \
	        {"QStartNoAckMode", {"OK"}},                                                                      \
	        {"monitor version", {"says Black Magic Probe v1.10.0, Hardware Version 3\n", "OK"}},              \
	{                                                                                                         \
		"?",                                                                                              \
		{                                                                                                 \
			"W00"                                                                                     \
		}                                                                                                 \
	}

TEST(probe_looks_for_its_target_and_leaves_it_running)
{
	static const struct exchange exchanges[] = {
	        BLACK_MAGIC,
	        {"monitor swdp_scan",
	         {"says Target voltage: 3.3V\n", "says Available Targets:\n", "says  1    STM32F40x M4\n", "OK"}},
	        {"vAttach;1", {"T05"}},
	        {"m20000000,8", {"0102030405060708"}},
	        {"D", {"OK"}},
	        {NULL, {NULL}},
	};
	check_read(exchanges, "", NULL, counting);
}

TEST(probe_looks_by_jtag_where_swd_finds_nothing)
{
	static const struct exchange exchanges[] = {
	        BLACK_MAGIC,
	        {"monitor swdp_scan", {"says SWD scan failed!\n", "result Failed\n"}},
	        {"monitor jtag_scan", {"says Available Targets:\n", "OK"}},
	        {"vAttach;2", {"T05"}},
	        {"m20000000,8", {"0102030405060708"}},
	        {"D", {"OK"}},
	        {NULL, {NULL}},
	};
	check_read(exchanges, ",target=2", NULL, counting);
}

TEST(probe_without_a_target_is_told_in_its_words)
{
	static const struct exchange exchanges[] = {
	        BLACK_MAGIC,
	        {"monitor swdp_scan", {"says SWD scan failed!\n", "result Failed\n"}},
	        {"monitor jtag_scan", {"says JTAG device scan failed!\n", "result Failed\n"}},
	        {"D", {"OK"}},
	        {NULL, {NULL}},
	};
	check_no_target(exchanges, "", "finds no target: JTAG device scan failed!");
}

TEST(probe_that_cannot_attach_is_told)
{
	static const struct exchange exchanges[] = {
	        BLACK_MAGIC, {"monitor swdp_scan", {"OK"}}, {"vAttach;11", {"E01"}}, {"D", {"OK"}}, {NULL, {NULL}},
	};
	check_no_target(exchanges, ",target=17", "cannot attach to target 17 (it answered 'E01')");
}

/* st-util: src/st-util/gdb-server.c. It knows no detaching. */
#define ST_UTIL                                                                                              \
	{HELLO, {"PacketSize=3fff;qXfer:memory-map:read+;qXfer:features:read+"}}, {"monitor version", {""}}, \
	{                                                                                                    \
		"?",                                                                                         \
		{                                                                                            \
			"S05"                                                                                \
		}                                                                                            \
	}

TEST(st_util_is_left_running)
{
	static const struct exchange exchanges[] = {
	        ST_UTIL, {"m20000000,8", {"0102030405060708"}}, {"D", {""}}, {"c", {NULL}}, {NULL, {NULL}},
	};
	check_read(exchanges, "", NULL, counting);
}

TEST(server_that_has_one_target_lets_none_be_chosen)
{
	static const struct exchange exchanges[] = {
	        ST_UTIL,        {"monitor swdp_scan", {""}}, {"monitor jtag_scan", {""}}, {"D", {""}}, {"c", {NULL}},
	        {NULL, {NULL}},
	};
	check_no_target(exchanges, ",target=2", "has no target to choose");
}

/* pyOCD offers non-stop mode; a continue is then answered at once. */
TEST(server_with_non_stop_mode_is_left_running)
{
	static const struct exchange exchanges[] = {
	        {HELLO, {"qXfer:features:read+;QNonStop+;PacketSize=800"}},
	        {"monitor version", {"result Invalid Command: \"b'version'\"\n"}},
	        {"?", {"T1107:00000000;thread:1;"}},
	        {"m20000000,8", {"0102030405060708"}},
	        {"QNonStop:1", {"OK"}},
	        {"vCont;c", {"OK"}},
	        {"D", {"OK"}},
	        {NULL, {NULL}},
	};
	check_read(exchanges, "", NULL, counting);
}

/* OpenOCD: src/server/gdb_server.c. */
#define OPENOCD                                                                                   \
	{HELLO, {"PacketSize=4000;qXfer:memory-map:read-;qXfer:features:read+;vContSupported+"}}, \
	        {"monitor version", {"result Open On-Chip Debugger 0.12.0\n"}},                   \
	{                                                                                         \
		"?",                                                                              \
		{                                                                                 \
			"S02"                                                                     \
		}                                                                                 \
	}
#define NOTHING_BUT_ZEROS                  \
	{                                  \
		"m20000000,8",             \
		{                          \
			"0000000000000000" \
		}                          \
	}
#define OPENOCD_DETACH                      \
	{IF_HALTED, {"OK"}}, {"D", {"OK"}}, \
	{                                   \
		NULL,                       \
		{                           \
			NULL                \
		}                           \
	}

TEST(zeros_are_believed_once_they_were_read_again)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"result 0\n"}},
	        OPENOCD_DETACH,
	};
	check_read(exchanges, "", NULL, zeros);
}

TEST(zeros_in_place_of_a_failure_are_read_again)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"result 117835012\n"}},
	        {"m20000000,8", {"0102030405060708"}},
	        OPENOCD_DETACH,
	};
	check_read(exchanges, "", NULL, counting);
}

TEST(zeros_that_are_never_there_are_a_failure)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"result 1\n"}},
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"result 1\n"}},
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"result 1\n"}},
	        OPENOCD_DETACH,
	};
	check_read(exchanges, "", "cannot read 8 bytes at 0x20000000: the gdb server answers with zeros", NULL);
}

TEST(failure_behind_zeros_is_told)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS,
	         {"says Failed to read memory at 0x20000000\n", "says read_memory: failed to read memory\n", "E01"}},
	        OPENOCD_DETACH,
	};
	check_read(exchanges, "",
	           "cannot read 8 bytes at 0x20000000: the gdb server says 'read_memory: failed to read memory'", NULL);
}

TEST(openocd_that_cannot_be_asked_is_a_note)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        NOTHING_BUT_ZEROS,
	        {CHECK_WORDS, {"says invalid command name \"read_memory\"\n", "E01"}},
	        OPENOCD_DETACH,
	};
	check_read(exchanges, "", NULL, zeros);
	assert_non_null(strstr(noted, "put 'gdb_report_data_abort enable' into its configuration, or use openocd:"));
}

TEST(target_that_does_not_go_on_is_reported)
{
	static const struct exchange exchanges[] = {
	        OPENOCD,
	        {IF_HALTED, {"says Error: cannot resume\n", "E01"}},
	        {NULL, {NULL}},
	};
	struct script script = {.exchanges = exchanges};
	struct target *target = NULL;
	struct error error = {.message = ""};

	assert_int_equal(open_script(&script, "", &target, &error), STATUS_OK);
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	assert_says(&error, "may have been left halted: the gdb server does not let the target go on");
	assert_all_was_said(&script);
}

TEST(interrupted_read_takes_leave_over_a_serial_port_too)
{
	static const struct exchange exchanges[] = {
	        BLACK_MAGIC,
	        {"monitor swdp_scan", {"OK"}},
	        {"vAttach;1", {"T05"}},
	        {"m20000000,8", {NULL}},
	        {"D", {"OK"}},
	        {NULL, {NULL}},
	};
	struct script script = {.exchanges = exchanges};
	struct target *target = NULL;
	struct error error = {.message = ""};
	uint8_t bytes[8];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	cancel = ends[0];
	assert_int_equal(open_script(&script, "", &target, &error), STATUS_OK);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(target_read(target, 0x20000000, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_says(&error, "interrupted");
	assert_int_equal(target_close(target, &error), STATUS_OK);
	assert_all_was_said(&script);
	cancel = -1;
	close(ends[0]);
	close(ends[1]);
}

TEST(port_that_is_not_there_is_one_clear_line)
{
	struct target *target = NULL;
	struct error error = {.message = ""};

	assert_int_equal(open_source("gdb:/dev/no-such-probe", NULL, &target, &error), STATUS_FAILED);
	assert_says(&error, "/dev/no-such-probe: no such device");
	assert_int_equal(open_source("gdb:/dev/null,baud=none", NULL, &target, &error), STATUS_USAGE);
	assert_says(&error, "baud=none: expected a number");
}
