/* SPDX-License-Identifier: MIT */
/* The options of `bareprof sample`, which are checked before anything is opened. */
#include "command/command.h"

#include "../sources.h"
#include "test.h"

#include <string.h>
#include <unistd.h>

static void assert_usage(char **argv, const char *part)
{
	struct error error = {.message = ""};
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	assert_int_equal(command_sample.run(argc, argv, &error), STATUS_USAGE);
	assert_contains(error.message, part);
}

#define ARGUMENTS(...) ((char *[]){"sample", __VA_ARGS__, NULL})

TEST(wrong_options_are_named)
{
	assert_usage(ARGUMENTS("-e", "x.elf", "-o", "x.bprof"), "expected one SOURCE, got 0");
	assert_usage(ARGUMENTS("gdb::1", "-o", "x.bprof"), "missing -e FW.elf");
	assert_usage(ARGUMENTS("gdb::1", "-e", "x.elf"), "missing -o FILE");
	assert_usage(ARGUMENTS("gdb::1", "--wait", "3"), "--wait: unknown option");
	static char *const seconds[] = {"0", "-1", "", "long", "nan", "86401", "1s"};
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
		assert_usage(ARGUMENTS("gdb::1", "--seconds", seconds[i]), "expected seconds, more than 0");
	static char *const rates[] = {"0", "-1", "", "+1", "fast", "1000001", "2M", "1m", "99999999999999999999"};
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		assert_usage(ARGUMENTS("gdb::1", "--rate", rates[i]), "expected reads per second, from 1 to 1M");
}

TEST(source_without_registers_is_refused_before_opening)
{
	assert_usage(ARGUMENTS("file:ram.bin", "-e", "x.elf", "-o", "x.bprof"), "file:ram.bin: needs a debug probe");
	assert_int_equal(access("x.bprof", F_OK), -1);
}
