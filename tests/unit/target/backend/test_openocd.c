/* SPDX-License-Identifier: MIT */
/*
 * Target access through OpenOCD's Tcl server. The real OpenOCD has no target here: to it, a target is a command of Tcl
 * with memory that is a list, so that all that we say is carried out by its own Tcl. Then servers that misbehave.
 */
#include "../sources.h"
#include "base/clock.h"
#include "server.h"
#include "speaker.h"
#include "target/backend/tcl_answer.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE    0x20000000u
#define SIZE    0x4100u /* more than is asked for at once */
#define TIMEOUT ",timeout=0.5"
/* Under a sanitizer on a busy machine; a hang would last until the suite ends it. */
#define TIMEOUT_LATEST 20000

/* One that runs and one of the other byte order that is halted; memory outside of [BASE, BASE + SIZE) cannot be read, a
 * register at BASE - 4 counts its reads. Elements are bytes, in a list for each target. */
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

struct server {
	pid_t process;
	unsigned port;
	char script[64];
};

/* Good until the next one is named. */
static const char *name_source(const struct server *server, const char *options)
{
	static char source[128];

	snprintf(source, sizeof source, "openocd:127.0.0.1:%u%s", server->port, options);
	return source;
}

static struct target *open_server(const struct server *server, const char *options)
{
	return server_open(name_source(server, options));
}

static void run_openocd(const struct server *server)
{
	char port[32];
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	snprintf(port, sizeof port, "tcl_port %u", server->port);
	execlp("openocd", "openocd", "-c", port, "-f", server->script, (char *)NULL);
	_exit(127);
}

static int start_server(void **state)
{
	struct server *server = calloc(1, sizeof *server);
	struct error error;

	*state = server;
	server->port = server_free_port();
	snprintf(server->script, sizeof server->script, "/tmp/test-openocd-XXXXXX");
	int file = mkstemp(server->script);
	assert_int_equal(write(file, script, sizeof script - 1), sizeof script - 1);
	close(file);
	server->process = fork();
	if (server->process == 0)
		run_openocd(server);
	return target_close(server_await(name_source(server, "")), &error) ? -1 : 0;
}

static int end_server(void **state)
{
	struct server *server = *state;

	kill(server->process, SIGKILL);
	waitpid(server->process, NULL, 0);
	unlink(server->script);
	free(server);
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
	} stretches[] = {{0, SIZE}, {0, 1}, {1, 2}, {3, 2}, {1, SIZE - 2}, {4093, 7}, {5, 4096}, {SIZE - 1, 1}};
	static uint8_t bytes[SIZE];
	const char *const targets[] = {"", ",target=b.cpu"};
	struct error error;

	for (size_t i = 0; i < 2; i++) {
		struct target *target = open_server(*state, targets[i]);
		for (size_t k = 0; k < sizeof stretches / sizeof stretches[0]; k++) {
			if (target_read(target, BASE + stretches[k].offset, bytes, stretches[k].size, &error) !=
			    STATUS_OK)
				fail_msg("%s", error.message);
			for (size_t at = 0; at < stretches[k].size; at++)
				assert_int_equal(bytes[at], byte_at(stretches[k].offset + at));
		}
		assert_int_equal(target_close(target, &error), STATUS_OK);
	}
}

TEST(what_is_written_is_read)
{
	static const size_t offsets[] = {0x100, 0x203, 0x301}, sizes[] = {4, 600, 3};
	const char *const targets[] = {"", ",target=b.cpu"};
	uint8_t bytes[600], read[602];
	struct error error;

	for (size_t i = 0; i < 6; i++) {
		struct target *target = open_server(*state, targets[i % 2]);
		size_t offset = offsets[i / 2], size = sizes[i / 2];
		for (size_t at = 0; at < size; at++)
			bytes[at] = (uint8_t)(byte_at(offset + at) ^ 0xff);
		assert_int_equal(target_write(target, BASE + offset, bytes, size, &error), STATUS_OK);
		assert_int_equal(target_read(target, BASE + offset - 1, read, size + 2, &error), STATUS_OK);
		assert_memory_equal(read + 1, bytes, size);
		assert_int_equal(read[0], byte_at(offset - 1));
		assert_int_equal(read[size + 1], byte_at(offset + size));
		for (size_t at = 0; at < size; at++)
			bytes[at] ^= 0xff;
		assert_int_equal(target_write(target, BASE + offset, bytes, size, &error), STATUS_OK);
		assert_int_equal(target_close(target, &error), STATUS_OK);
	}
}

TEST(register_is_read_so_many_times)
{
	static uint32_t words[2500];
	struct error error;

	struct target *target = open_server(*state, "");
	assert_int_equal(target_read_register(target, BASE - 4, words, 2500, &error), STATUS_OK);
	for (uint32_t i = 0; i < 2500; i++)
		assert_int_equal(words[i], i + 1);
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(failed_read_is_an_error_and_not_zeros)
{
	uint8_t bytes[8];
	struct error error;

	struct target *target = open_server(*state, "");
	assert_int_equal(target_read(target, BASE + SIZE - 4, bytes, 8, &error), STATUS_FAILED);
	assert_non_null(
	        strstr(error.message, "OpenOCD says to 'a.cpu read_memory 0x200040fc 32 2': read_memory: failed"));
	assert_int_equal(target_read(target, BASE, bytes, 8, &error), STATUS_OK);
	assert_false(target->is_lost);
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(target_that_cannot_be_used_is_told)
{
	static const struct {
		const char *options, *part;
	} cases[] = {
	        {",target=c.cpu", "OpenOCD has not reached the target c.cpu yet"},
	        {",target=d.cpu", "OpenOCD has no target d.cpu; it has: a.cpu b.cpu c.cpu"},
	        {",target=[exit]", ",target=[exit]: target=[exit]: expected the name of a target"},
	        {",timeout=0", "expected seconds"},
	};
	struct error error;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_null(server_try_open(name_source(*state, cases[i].options), &error));
		if (strstr(error.message, cases[i].part) == NULL)
			fail_msg("'%s' does not say '%s'", error.message, cases[i].part);
	}
}

TEST(running_target_is_waited_for_and_a_halted_one_is_told)
{
	struct error error;

	struct target *target = open_server(*state, "");
	uint64_t begin = clock_now();
	assert_int_equal(target_run(target, 50, &error), STATUS_OK);
	assert_true(clock_now() - begin >= 50);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	target = open_server(*state, ",target=b.cpu");
	assert_int_equal(target_run(target, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the target b.cpu is in the state 'halted'"));
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(cancelling_ends_a_wait)
{
	server_check_cancelling(name_source(*state, ""));
}

/* What is cut off would be an option, or a part of one. */
TEST(source_is_not_cut)
{
	char source[400];
	struct target *target;
	struct error error;

	snprintf(source, sizeof source, "openocd:localhost:1,target=%0300d", 0);
	assert_int_equal(open_source(source, NULL, &target, &error), STATUS_USAGE);
	assert_non_null(strstr(error.message, "the value is too long"));
}

TEST(scheme_alone_is_the_usual_port)
{
	static const char *const sources[] = {"openocd", "openocd,target=x", "openocd:host:1"};
	struct source source;
	struct error error;

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		assert_string_equal(resolved_source(sources[i])->backend->scheme, "openocd");
	assert_int_equal(backends_resolve("openocdx", &source, &error), STATUS_USAGE);
}

TEST(nobody_there_is_asked_after)
{
	struct error error;

	assert_null(server_try_open("openocd:127.0.0.1:1,timeout=3", &error));
	assert_string_equal(error.message, "openocd:127.0.0.1:1,timeout=3: cannot connect: Connection refused; is "
	                                   "OpenOCD running, with its Tcl server there (tcl_port)?");
}

/* Whether somebody is there or not. */
TEST(usual_port_is_told)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	static const char told[] = "openocd:localhost:6666: ";
	struct target *target = NULL;
	struct error error;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	setup.cancel = ends[0];
	assert_int_equal(open_source("openocd,timeout=3", &setup, &target, &error), STATUS_FAILED);
	assert_memory_equal(error.message, told, sizeof told - 1);
	close(ends[0]);
	close(ends[1]);
}

/* --- Servers of ours */

struct liar {
	const char *at;     /* in a request that holds this ... */
	const char *answer; /* ... this comes, without what ends it; NULL = the connection is closed */
	bool is_endless;
};

static bool say(struct speaker *speaker, const char *text)
{
	return speaker_say(speaker, text, strlen(text)) && speaker_say(speaker, "\x1a", 1);
}

static bool lie(struct speaker *speaker, const char *request)
{
	const struct liar *liar = speaker->context;

	if (strstr(request, liar->at) != NULL) {
		if (liar->is_endless)
			return speaker_flood(speaker, liar->answer);
		return liar->answer != NULL && (liar->answer[0] == 0 || say(speaker, liar->answer));
	}
	if (strstr(request, "target current") != NULL)
		return say(speaker, "0 cpu");
	if (strstr(request, "was_examined") != NULL)
		return say(speaker, "0 1");
	return say(speaker, strstr(request, "cget") != NULL ? "0 little" : "0 0x1 0x2 0x3 0x4");
}

TEST(every_lie_is_one_clear_line)
{
	static const struct {
		struct liar liar;
		const char *part;
	} cases[] = {
	        {{"target current", "", false}, "OpenOCD did not answer within 0.5 s: is it the port of its Tcl"},
	        {{"target current", "Open On-Chip Debugger\r\n> ", true}, "more than 65,536 characters"},
	        {{"target current", "+$#00", false}, "what answers there is no Tcl server of OpenOCD"},
	        {{"target current", "0 ", false}, "OpenOCD has no current target"},
	        {{"target current", "0 [shutdown]", false}, "OpenOCD has no current target"},
	        {{"target current", "1 invalid command name \"target\"\nmore", false},
	         "says to 'target current': invalid command name \"target\""},
	        {{"read_memory", "", false}, "OpenOCD did not answer within 0.5 s"},
	        {{"read_memory", "0x1 ", true}, "more than 65,536 characters"},
	        {{"read_memory", NULL, false}, "OpenOCD closed the connection"},
	        {{"read_memory", "1 invalid command name \"cpu\"", false}, "invalid command name \"cpu\""},
	        {{"read_memory", "0 0x1 0x2 0x3", false}, "gives no 4 words of memory, but '0x1 0x2 0x3'"},
	        {{"read_memory", "0 0x1 0x2 0x3 0x4 0x5", false}, "gives no 4 words of memory"},
	        {{"read_memory", "0 0x1 0x2 0x3 0x100000000", false}, "gives no 4 words of memory"},
	        {{"read_memory", "0 0x1 0x2 0x3 -1", false}, "gives no 4 words of memory"},
	        {{"read_memory", "0 0x1 0x2 0x3 0x4z", false}, "gives no 4 words of memory"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct liar liar = cases[i].liar;
		struct speaker speaker = {.end = '\x1a', .answer = lie, .context = &liar};
		struct error error = {.message = ""}, ignored;
		char source[64], bytes[16];
		uint64_t begin = clock_now();

		speaker_start(&speaker);
		snprintf(source, sizeof source, "openocd:%s" TIMEOUT, speaker.address);
		struct target *target = server_try_open(source, &error);
		if (target != NULL)
			assert_int_equal(target_read(target, BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
		target_close(target, &ignored);
		speaker_join(&speaker);
		assert_true(clock_now() - begin < TIMEOUT_LATEST);
		assert_null(strchr(error.message, '\n'));
		if (strstr(error.message, cases[i].part) == NULL)
			fail_msg("%zu: '%s' does not say '%s'", i, error.message, cases[i].part);
	}
}
