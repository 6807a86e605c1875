/* SPDX-License-Identifier: MIT */
/* The options of `bareprof pull`, which are checked before anything is opened. */
#include "command/command.h"

#include "../sources.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_usage(char **argv, const char *part)
{
	struct error error = {.message = ""};
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	assert_int_equal(command_pull.run(argc, argv, &error), STATUS_USAGE);
	assert_contains(error.message, part);
	assert_null(strchr(error.message, '\n'));
}

#define ARGUMENTS(...) ((char *[]){"pull", __VA_ARGS__, NULL})

TEST(wrong_options_are_named)
{
	assert_usage(ARGUMENTS("-o", "x.bprof"), "expected one SOURCE, got 0");
	assert_usage(ARGUMENTS("gdb::1", "gdb::2", "-o", "x.bprof"), "expected one SOURCE, got 2");
	assert_usage(ARGUMENTS("gdb::1", "-e", "x.elf"), "missing -o FILE");
	assert_usage(ARGUMENTS("gdb::1", "-o"), "-o needs a value");
	assert_usage(ARGUMENTS("gdb::1", "-x"), "-x: unknown option");
	assert_usage(ARGUMENTS("gdb::1", "--fast"), "--fast: unknown option");
	assert_usage(ARGUMENTS("-ze", "gdb::1"), "pull: -z: unknown option");
	assert_usage(ARGUMENTS("--force", "-fze", "gdb::1"), "pull: -z: unknown option");
	assert_usage(ARGUMENTS("gdb::1", "-fo"), "pull: -o needs a value");
	assert_usage(ARGUMENTS("gdb::1", "--elf"), "pull: --elf needs a value");
	assert_usage(ARGUMENTS("--force=x", "gdb::1"), "pull: --force=x: takes no value");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof"), "needs the firmware: -e FW.elf");
	assert_usage(ARGUMENTS("file:x", "-o", "x.bprof", "--start"), "need a live target");
	assert_usage(ARGUMENTS("file:x", "-o", "x.bprof", "--arm", "main"), "need a live target");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof", "--start", "--arm", "main"), "--start or --arm, not both");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof", "--ticks", "5"), "--ticks goes with --arm");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof", "--arm="), "--arm= needs the name of a function");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof", "--count", "5"), "--count goes with --watch");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof", "--watch=1", "--stop"), "--watch or --stop, not both");
	assert_usage(ARGUMENTS("gdb::1", "-o", "-", "--watch=1"), "--watch writes several files");
	assert_usage(ARGUMENTS("file:x", "-o", "x.bprof", "--watch=1"), "file:x: --watch needs a live target");
}

TEST(ticks_are_a_number_that_is_not_0)
{
	static char *const wrong[] = {"0", "", "-1", " 1", "+1", "1k", "many", "4294967296", "99999999999999999999"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_usage(ARGUMENTS("gdb::1", "--arm", "main", "--ticks", wrong[i]),
		             "expected a number, from 1 to 4294967295");
}

TEST(wait_takes_seconds_only)
{
	assert_usage(ARGUMENTS("gdb::1", "--wait", "soon"), "--wait soon: expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--wait", "-1"), "expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--wait", "1s"), "expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--wait", "nan"), "expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--wait", "1e9"), "expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--wait="), "expected seconds");
	assert_usage(ARGUMENTS("gdb::1", "--watch", "soon"), "--watch soon: expected seconds");
}

/* As do all commands that write binary files. */
TEST(capture_is_not_written_to_a_terminal)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDOUT_FILENO);
	assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
	int other_side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	fflush(stdout);
	dup2(other_side, STDOUT_FILENO);
	struct error error;
	enum status status = command_pull.run(4, ARGUMENTS("file:x", "-o", "-"), &error);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(other_side);
	close(terminal);
	assert_int_equal(status, STATUS_USAGE);
	assert_contains(error.message, "pull: a capture cannot be written to a terminal; use -o FILE (usage: ");
}
