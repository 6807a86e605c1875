/* SPDX-License-Identifier: MIT */
/* Target access against QEMU's gdb server, an emulated Cortex-M3, and GDB itself as the judge of its memory. */
#include "counter.h"
#include "server.h"
#include "target/backend/target.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SCRATCH      0x20010000u
#define SCRATCH_SIZE 0x2345u
#define NOWHERE      0x90000000u

struct machine {
	pid_t process;
	unsigned port;
	char source[64];
	char elf[256], scratch[256];
};

static void run_command(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run_command(const char *format, ...)
{
	char command[2048];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

static void pause_milliseconds(unsigned milliseconds)
{
	struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
	nanosleep(&time, NULL);
}

static void start_qemu(struct machine *machine)
{
	char gdb[64];
	machine->port = server_free_port();
	snprintf(gdb, sizeof gdb, "tcp:127.0.0.1:%u", machine->port);
	snprintf(machine->source, sizeof machine->source, "gdb:127.0.0.1:%u", machine->port);
	machine->process = fork();
	assert_true(machine->process >= 0);
	if (machine->process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execlp("qemu-system-arm", "qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none",
		       "-serial", "none", "-S", "-gdb", gdb, "-kernel", machine->elf, (char *)NULL);
		_exit(127);
	}
}

static int stop_qemu(void **state)
{
	struct machine *machine = *state;
	kill(machine->process, SIGKILL);
	waitpid(machine->process, NULL, 0);
	unlink(machine->elf);
	unlink(machine->scratch);
	free(machine);
	return 0;
}

static struct target *open_machine(const struct machine *machine)
{
	return server_open(machine->source);
}

static int boot(void **state)
{
	const char *folder = getenv("BUILD") != NULL ? getenv("BUILD") : "build";
	struct machine *machine = calloc(1, sizeof *machine);
	struct error error;

	*state = machine;
	snprintf(machine->elf, sizeof machine->elf, "%s/test_gdb_qemu.%d.elf", folder, (int)getpid());
	snprintf(machine->scratch, sizeof machine->scratch, "%s/test_gdb_qemu.%d.bin", folder, (int)getpid());
	counter_build(machine->elf);
	start_qemu(machine);
	assert_int_equal(target_close(server_await(machine->source), &error), STATUS_OK);
	return 0;
}

static void fill(uint8_t *bytes, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245u + 12345u;
		/* Stretches of zeros too, as most memory is. */
		bytes[i] = i / 64 % 3 == 0 ? 0 : (uint8_t)(seed >> 16);
	}
}

static void gdb(const struct machine *machine, const char *command)
{
	run_command("gdb-multiarch -nx -batch -ex 'set architecture arm' -ex 'target remote 127.0.0.1:%u' -ex '%s' "
	            "-ex detach >/dev/null 2>&1",
	            machine->port, command);
}

ALL_TESTS(boot, stop_qemu);

TEST(written_memory_is_what_gdb_reads)
{
	struct machine *machine = *state;
	uint8_t written[SCRATCH_SIZE], dumped[SCRATCH_SIZE + 1];
	char command[512];
	struct error error;

	fill(written, sizeof written, 1);
	struct target *target = open_machine(machine);
	assert_int_equal(target_write(target, SCRATCH, written, sizeof written, &error), STATUS_OK);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	snprintf(command, sizeof command, "dump binary memory %s 0x%x 0x%x", machine->scratch, SCRATCH,
	         SCRATCH + SCRATCH_SIZE);
	gdb(machine, command);
	FILE *file = fopen(machine->scratch, "rb");
	assert_non_null(file);
	assert_int_equal(fread(dumped, 1, sizeof dumped, file), sizeof written);
	fclose(file);
	assert_memory_equal(dumped, written, sizeof written);
}

TEST(read_memory_is_what_gdb_wrote)
{
	struct machine *machine = *state;
	uint8_t restored[SCRATCH_SIZE], read[SCRATCH_SIZE];
	char command[512];
	struct error error;

	fill(restored, sizeof restored, 2);
	FILE *file = fopen(machine->scratch, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(restored, 1, sizeof restored, file), sizeof restored);
	fclose(file);
	snprintf(command, sizeof command, "restore %s binary 0x%x", machine->scratch, SCRATCH);
	gdb(machine, command);
	struct target *target = open_machine(machine);
	assert_int_equal(target_read(target, SCRATCH, read, sizeof read, &error), STATUS_OK);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	assert_memory_equal(read, restored, sizeof read);
}

TEST(target_runs_after_the_connection_ends)
{
	struct machine *machine = *state;
	struct error error;

	struct target *target = open_machine(machine);
	uint32_t before = counter_read(target);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	pause_milliseconds(100);
	target = open_machine(machine);
	uint32_t after = counter_read(target);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	assert_true(after - before > 1000);
}

TEST(target_runs_only_while_it_is_told_to)
{
	struct machine *machine = *state;
	struct error error;

	struct target *target = open_machine(machine);
	uint32_t halted = counter_read(target);
	pause_milliseconds(50);
	assert_int_equal(counter_read(target), halted);
	for (int i = 0; i < 20; i++) {
		uint32_t before = counter_read(target);
		assert_int_equal(target_run(target, 10, &error), STATUS_OK);
		assert_int_not_equal(counter_read(target), before);
	}
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(unmapped_memory_is_one_clear_line_and_does_no_harm)
{
	struct machine *machine = *state;
	uint8_t bytes[16];
	struct error error;

	struct target *target = open_machine(machine);
	assert_int_equal(target_read(target, NOWHERE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot read 16 bytes at 0x90000000: the gdb server answered 'E14'"));
	counter_read(target);
	assert_int_equal(target_close(target, &error), STATUS_OK);
}
