/* SPDX-License-Identifier: MIT */
/* A target through the gdb server of QEMU, with GDB as the judge of its memory. */
#include "base/wait.h"
#include "server.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRATCH      0x20010000u
#define SCRATCH_SIZE 0x2345u
#define NOWHERE      0x90000000u

static struct {
	pid_t process;
	unsigned port;
	char source[64], elf[256], scratch[256];
} machine;

static int boot(void **state)
{
	char gdb[64];

	machine.port = server_free_port();
	snprintf(gdb, sizeof gdb, "tcp:127.0.0.1:%u", machine.port);
	snprintf(machine.source, sizeof machine.source, "gdb:127.0.0.1:%u", machine.port);
	snprintf(machine.elf, sizeof machine.elf, "%s/test_gdb_qemu.elf", getenv("BUILD"));
	snprintf(machine.scratch, sizeof machine.scratch, "%s/test_gdb_qemu.bin", getenv("BUILD"));
	server_build_counter(machine.elf);
	machine.process = server_start((const char *const[]){"qemu-system-arm", "-M", "mps2-an385", "-display", "none",
	                                                     "-S", "-gdb", gdb, "-kernel", machine.elf, NULL});
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

/* GDB restores the file of scratch memory, or dumps it. */
static void run_gdb(const char *format)
{
	char command[1024], words[512];

	snprintf(words, sizeof words, format, machine.scratch, SCRATCH, SCRATCH + SCRATCH_SIZE);
	snprintf(command, sizeof command,
	         "gdb-multiarch -nx -batch -ex 'set architecture arm' -ex 'target remote 127.0.0.1:%u' -ex '%s' "
	         "-ex detach >/dev/null 2>&1",
	         machine.port, words);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

/* Random bytes with ranges of zeros, as in most memory. */
static void fill(uint8_t bytes[SCRATCH_SIZE], unsigned seed)
{
	for (size_t i = 0; i < SCRATCH_SIZE; i++) {
		seed = seed * 1103515245u + 12345u;
		bytes[i] = i / 64 % 3 == 0 ? 0 : (uint8_t)(seed >> 16);
	}
}

static size_t access_file(const char *mode, uint8_t *bytes, size_t size)
{
	FILE *file = fopen(machine.scratch, mode);

	assert_non_null(file);
	size_t count = mode[0] == 'r' ? fread(bytes, 1, size, file) : fwrite(bytes, 1, size, file);
	fclose(file);
	return count;
}

ALL_TESTS(boot, stop);

TEST(gdb_reads_the_written_memory)
{
	uint8_t written[SCRATCH_SIZE], dumped[SCRATCH_SIZE + 1];

	fill(written, 1);
	struct target *target = server_await(machine.source);
	assert_success(target_write(target, SCRATCH, written, sizeof written, &failure), &failure);
	server_close(target);
	run_gdb("dump binary memory %s 0x%x 0x%x");
	assert_int_equal(access_file("rb", dumped, sizeof dumped), sizeof written);
	assert_memory_equal(dumped, written, sizeof written);
}

TEST(memory_written_by_gdb_is_read)
{
	uint8_t restored[SCRATCH_SIZE], bytes[SCRATCH_SIZE];

	fill(restored, 2);
	assert_int_equal(access_file("wb", restored, sizeof restored), sizeof restored);
	run_gdb("restore %s binary 0x%x");
	struct target *target = server_await(machine.source);
	assert_success(target_read(target, SCRATCH, bytes, sizeof bytes, &failure), &failure);
	server_close(target);
	assert_memory_equal(bytes, restored, sizeof bytes);
}

TEST(target_runs_only_on_request)
{
	struct target *target = server_await(machine.source);
	uint32_t halted = server_read_counter(target);

	wait_pause(50, -1);
	assert_int_equal(server_read_counter(target), halted);
	for (int i = 0; i < 20; i++) {
		uint32_t before = server_read_counter(target);

		/* On a busy computer QEMU may not have run yet. */
		for (int tries = 0; tries < 500 && server_read_counter(target) == before; tries++)
			assert_success(target_run(target, 10, &failure), &failure);
		assert_int_not_equal(server_read_counter(target), before);
	}
	server_close(target);
}

TEST(unmapped_memory_is_an_error_and_harmless)
{
	struct target *target = server_await(machine.source);
	uint8_t bytes[16];

	assert_failure(target_read(target, NOWHERE, bytes, sizeof bytes, &failure), &failure,
	               "cannot read 16 bytes at 0x90000000: the gdb server answered 'E14'");
	server_read_counter(target);
	server_close(target);
}
