/* SPDX-License-Identifier: MIT */
/* Reading, writing and running an emulated Cortex-M3 through QEMU's gdb server. GDB checks the memory. */
#include "../sources.h"
#include "base/wait.h"
#include "counter.h"
#include "server.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRATCH      0x20010000u
#define SCRATCH_SIZE 0x2345u

static struct {
	pid_t process;
	unsigned port;
	char source[64];
	char elf[256], scratch[256];
} machine;

static uint8_t expected[SCRATCH_SIZE], found[SCRATCH_SIZE + 1];
static struct error error;

static int boot(void **state)
{
	const char *folder = getenv("BUILD") != NULL ? getenv("BUILD") : "build";
	char gdb[64];

	snprintf(machine.elf, sizeof machine.elf, "%s/test_gdb_qemu.%d.elf", folder, (int)getpid());
	snprintf(machine.scratch, sizeof machine.scratch, "%s/test_gdb_qemu.%d.bin", folder, (int)getpid());
	counter_build(machine.elf);
	machine.port = server_free_port();
	snprintf(gdb, sizeof gdb, "tcp:127.0.0.1:%u", machine.port);
	snprintf(machine.source, sizeof machine.source, "gdb:127.0.0.1:%u", machine.port);
	const char *const qemu[] = {"qemu-system-arm",
	                            "-M",
	                            "mps2-an385",
	                            "-display",
	                            "none",
	                            "-monitor",
	                            "none",
	                            "-serial",
	                            "none",
	                            "-S",
	                            "-gdb",
	                            gdb,
	                            "-kernel",
	                            machine.elf,
	                            NULL};
	machine.process = server_start(qemu);
	server_close(server_await(machine.source));
	return 0;
}

static int stop(void **state)
{
	server_stop(machine.process);
	unlink(machine.elf);
	unlink(machine.scratch);
	return 0;
}

/* Runs GDB with a command that copies the scratch file to or from memory. */
static void run_gdb(const char *format)
{
	char command[512], line[1024];

	snprintf(command, sizeof command, format, machine.scratch, SCRATCH, SCRATCH + SCRATCH_SIZE);
	snprintf(line, sizeof line,
	         "gdb-multiarch -nx -batch -ex 'set architecture arm' -ex 'target remote 127.0.0.1:%u' -ex '%s' "
	         "-ex detach >/dev/null 2>&1",
	         machine.port, command);
	if (system(line) != 0)
		fail_msg("failed: %s", line);
}

/* With ranges of zeros, as in most memory. */
static void fill(unsigned seed)
{
	for (size_t i = 0; i < SCRATCH_SIZE; i++) {
		seed = seed * 1103515245u + 12345u;
		expected[i] = i / 64 % 3 == 0 ? 0 : (uint8_t)(seed >> 16);
	}
}

ALL_TESTS(boot, stop);

TEST(written_memory_is_what_gdb_reads)
{
	fill(1);
	struct target *target = server_await(machine.source);
	assert_int_equal(target_write(target, SCRATCH, expected, SCRATCH_SIZE, &error), STATUS_OK);
	server_close(target);
	run_gdb("dump binary memory %s 0x%x 0x%x");
	FILE *file = fopen(machine.scratch, "rb");
	assert_non_null(file);
	assert_int_equal(fread(found, 1, sizeof found, file), SCRATCH_SIZE);
	fclose(file);
	assert_memory_equal(found, expected, SCRATCH_SIZE);
}

TEST(read_memory_is_what_gdb_wrote)
{
	fill(2);
	FILE *file = fopen(machine.scratch, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(expected, 1, SCRATCH_SIZE, file), SCRATCH_SIZE);
	fclose(file);
	run_gdb("restore %s binary 0x%x");
	struct target *target = server_await(machine.source);
	assert_int_equal(target_read(target, SCRATCH, found, SCRATCH_SIZE, &error), STATUS_OK);
	server_close(target);
	assert_memory_equal(found, expected, SCRATCH_SIZE);
}

TEST(target_runs_after_the_connection_ends)
{
	struct target *target = server_await(machine.source);
	uint32_t before = counter_read(target);
	server_close(target);
	wait_pause(100, -1);
	target = server_await(machine.source);
	assert_true(counter_read(target) - before > 1000);
	server_close(target);
}

TEST(target_runs_only_on_request)
{
	struct target *target = server_await(machine.source);
	uint32_t halted = counter_read(target);
	wait_pause(50, -1);
	assert_int_equal(counter_read(target), halted);
	for (int i = 0; i < 20; i++) {
		uint32_t before = counter_read(target);
		assert_int_equal(target_run(target, 10, &error), STATUS_OK);
		assert_int_not_equal(counter_read(target), before);
	}
	server_close(target);
}

TEST(read_of_unmapped_memory_fails_and_changes_nothing)
{
	struct target *target = server_await(machine.source);
	assert_int_equal(target_read(target, 0x90000000, found, 16, &error), STATUS_FAILED);
	assert_says(&error, "cannot read 16 bytes at 0x90000000: the gdb server answered 'E14'");
	counter_read(target);
	server_close(target);
}
