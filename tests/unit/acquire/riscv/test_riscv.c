/* SPDX-License-Identifier: MIT */
/* Memory and control of a RISC-V target that is modelled clock by clock: despite any fault, the bytes are right or an
 * error says why, and there are few more scans than words. */
#include "../dap/bench.h"
#include "../dap/fake.h"
#include "acquire/riscv/dtm.h"
#include "acquire/riscv/riscv.h"
#include "base/wait.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static struct access *access;
static struct riscv *riscv; /* its probe */

static enum status try_connect(const char *const *options, struct error *error)
{
	/* Longer than a busy computer takes between two clocks. */
	const struct target_setup setup = {.speed = 4000000,
	                                   .core = -1,
	                                   .cancel = -1,
	                                   .timeout = 1000,
	                                   .clock = &clock_system,
	                                   .observer = &target_nobody};

	bench_wires = BENCH_PINS;
	bench_open(options);
	enum status status = riscv_connect(&bench.pins, &setup, &access, error);
	riscv = access != NULL ? access->probe : NULL;
	return status;
}

static void connect_with(const char *option)
{
	const char *const options[] = {"riscv=1", option, NULL};

	assert_success(try_connect(options, &failure), &failure);
	assert_int_equal(bench.speed, 4000000);
}

static void disconnect(void)
{
	access_close(access);
	bench_close();
}

TEST(word_takes_one_request)
{
	static uint8_t bytes[0x10000];
	struct error error;

	connect_with(NULL);
	const uint64_t requests = swd_counts(bench.target)->requests;
	assert_int_equal(access_read(access, BENCH_RAM, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, bench.memory, sizeof bytes);
	assert_in_range(swd_counts(bench.target)->requests - requests, 0x4000, 0x4000 * 11 / 10);
	disconnect();
}

/* Ways to access memory; the hart is halted for those without a system bus. */
static const char *const ways[][3] = {
        {"bus=7"},
        {"bus=4"},
        {"bus-busy=60"},
        {"dmi-busy=30"},
        {"bus=0", "abstract=1"},
        {"bus=0", "abstract=1", "xlen=64"},
        {"bus=0", "progbuf=3"},
        {"bus=0", "progbuf=16", "xlen=64"},
        {"bus=0", "progbuf=3", "command-busy=60"},
};

static void connect_by(const char *const *way)
{
	const char *const options[] = {"riscv=1", way[0], way[1], way[2], NULL};

	assert_success(try_connect(options, &failure), &failure);
	if (way[1] != NULL)
		assert_success(riscv_halt(riscv, &failure), &failure);
}

TEST(any_alignment_and_size_is_read_and_written)
{
	static const uint8_t written[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	uint8_t bytes[16], before[32];
	struct error error;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		connect_by(ways[i]);
		for (size_t skip = 0; skip < 4; skip++)
			for (size_t size = 0; size <= sizeof written; size++) {
				memcpy(before, bench.memory, sizeof before);
				assert_int_equal(access_write(access, BENCH_RAM + 4 + skip, written, size, &error),
				                 STATUS_OK);
				memcpy(before + 4 + skip, written, size);
				assert_memory_equal(bench.memory, before, sizeof before);
				assert_int_equal(access_read(access, BENCH_RAM + 3 + skip, bytes, size, &error),
				                 STATUS_OK);
				assert_memory_equal(bytes, before + 3 + skip, size);
			}
		disconnect();
	}
}

/* A program or command that accesses the word after the last one would fail. */
TEST(memory_is_read_to_its_end)
{
	uint8_t bytes[4096];
	struct error error;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		connect_by(ways[i]);
		for (size_t size = 1; size <= sizeof bytes; size = 2 * size + 3) {
			const size_t at = BENCH_RAM_SIZE - size;

			assert_int_equal(access_read(access, BENCH_RAM + at, bytes, size, &error), STATUS_OK);
			assert_memory_equal(bytes, bench.memory + at, size);
		}
		disconnect();
	}
}

TEST(registers_of_a_halted_hart_are_restored)
{
	uint8_t bytes[64];
	struct error error;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		connect_by(ways[i]);
		assert_int_equal(access_read(access, BENCH_RAM, bytes, sizeof bytes, &error), STATUS_OK);
		assert_int_equal(access_write(access, BENCH_RAM, bytes, sizeof bytes, &error), STATUS_OK);
		assert_int_equal(riscv_resume(riscv, &error), STATUS_OK);
		assert_int_equal(swd_counts(bench.target)->changed_registers, 0);
		disconnect();
	}
}

TEST(lost_registers_keep_the_hart_halted)
{
	static const char *const program[] = {"bus=0", "progbuf=3", NULL};
	struct error error;

	connect_by(program);
	assert_int_equal(riscv_halt(riscv, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "reset the target"));
	disconnect();
}

/* Another device is bypassed only by an instruction of ones alone. */
TEST(other_device_may_have_long_instructions)
{
	static const char *const lengths[] = {"boundary=3", "boundary=5", "boundary=32"};
	uint8_t bytes[64];
	struct error error;

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		connect_with(lengths[i]);
		assert_int_equal(access_read(access, BENCH_RAM, bytes, sizeof bytes, &error), STATUS_OK);
		assert_memory_equal(bytes, bench.memory, sizeof bytes);
		disconnect();
	}
}

TEST(chain_with_an_arm_debug_port_is_not_searched)
{
	static const char *const options[] = {"boundary=6", NULL};
	static struct dtm dtm;
	struct error error;

	bench_wires = BENCH_PINS;
	bench_open(options);
	dtm_init(&dtm, &bench.pins);
	assert_int_equal(dtm_connect(&dtm, false, &error), STATUS_OK);
	assert_int_equal(dtm.idcode, 0);
	assert_int_equal(dtm.jtag.device_count, 2);
	assert_int_equal(swd_counts(bench.target)->other_scans, 0);
	bench.pins.ops->close(&bench.pins);
	bench_close();
}

/* The chain has no devices then. */
TEST(lost_target_stays_lost)
{
	static const char *const program[] = {"bus=0", "progbuf=3", "unplug=400"};
	uint8_t bytes[4000];
	struct error error;
	uint64_t pc;

	connect_by(program);
	assert_int_equal(access_read(access, BENCH_RAM, bytes, sizeof bytes, &error), STATUS_FAILED);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(riscv_read_pc(riscv, &pc, &error), STATUS_FAILED);
		assert_non_null(strstr(error.message, "the target does not answer"));
	}
	assert_int_equal(riscv_resume(riscv, &error), STATUS_FAILED);
	disconnect();
}

TEST(bytes_are_right_despite_random_faults)
{
	static const char *const names[] = {"bus-busy", "dmi-busy", "dmi-idle", "dmi-fault",
	                                    "fault",    "silent",   "reset"};
	static uint8_t bytes[3000];
	uint64_t seed = 9;
	unsigned failed = 0;
	time_t start = time(NULL);

	for (unsigned round = 0; round < 60; round++) {
		char text[2][32];
		const char *const *way = ways[fake_random(&seed, sizeof ways / sizeof *ways)];
		const char *options[] = {"riscv=1", text[0], text[1], way[0], way[1], way[2], NULL};
		struct error error;

		for (unsigned i = 0; i < 2; i++) {
			const unsigned name = fake_random(&seed, 7), limit = name < 3 ? 7 : 400;

			snprintf(text[i], sizeof text[i], "%s=%u", names[name],
			         (name < 3 ? 1 : 40) + fake_random(&seed, limit));
		}
		enum status status = try_connect(options, &error);
		size_t offset = fake_random(&seed, 1000), size = fake_random(&seed, 3000);
		if (status == STATUS_OK && way[1] != NULL)
			status = riscv_halt(riscv, &error);
		if (status == STATUS_OK)
			status = access_read(access, BENCH_RAM + offset, bytes, size, &error);
		if (status == STATUS_OK)
			assert_memory_equal(bytes, bench.memory + offset, size);
		else
			assert_true(++failed && strncmp(error.message, "lab:wire: ", 10) == 0);
		disconnect();
	}
	assert_true(failed < 20);
	assert_true(time(NULL) - start < 120);
}

TEST(hart_is_halted_and_resumed)
{
	bool is_halted;
	struct error error;

	connect_with(NULL);
	assert_int_equal(riscv_is_halted(riscv, &is_halted, &error), STATUS_OK);
	assert_false(is_halted);
	assert_int_equal(riscv_halt(riscv, &error), STATUS_OK);
	assert_int_equal(riscv_is_halted(riscv, &is_halted, &error), STATUS_OK);
	assert_true(is_halted);
	uint64_t pc;
	assert_int_equal(riscv_read_pc(riscv, &pc, &error), STATUS_OK);
	assert_int_equal(riscv_resume(riscv, &error), STATUS_OK);
	assert_int_equal(riscv_is_halted(riscv, &is_halted, &error), STATUS_OK);
	assert_false(is_halted);
	assert_int_equal(riscv_read_pc(riscv, &pc, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the registers of the hart cannot be accessed"));
	assert_int_equal(riscv_halt(riscv, &error), STATUS_OK);
	assert_int_equal(riscv_read_pc(riscv, &pc, &error), STATUS_OK);
	assert_int_equal(riscv_reset(riscv, &error), STATUS_OK);
	assert_int_equal(swd_counts(bench.target)->resets, 1);
	disconnect();
}

/* Each byte of a register of the model is its number. */
TEST(general_registers_are_read)
{
	const char *const widths[] = {"xlen=32", "xlen=64"};

	for (unsigned i = 0; i < 2; i++) {
		struct error error;
		uint64_t value;

		connect_with(widths[i]);
		assert_int_equal(riscv_halt(riscv, &error), STATUS_OK);
		for (unsigned number = 1; number < 32; number++) {
			assert_int_equal(riscv_read_register(riscv, number, &value, &error), STATUS_OK);
			assert_int_equal(value, number * (i == 0 ? 0x01010101u : UINT64_C(0x0101010101010101)));
		}
		disconnect();
	}
}

TEST(errors_state_their_cause)
{
	static const struct {
		const char *option;
		const char *message;
	} cases[] = {
	        {"dm=1", "of a version that is not supported"},
	        {"unplug=1", "the target does not answer; is it powered, and are TCK"},
	        {"dmi-busy=1000000", "debug module stays busy"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const options[] = {"riscv=1", cases[i].option, NULL};
		struct error error;

		assert_int_equal(try_connect(options, &error), STATUS_FAILED);
		if (strstr(error.message, cases[i].message) == NULL)
			fail_msg("%s: %s", cases[i].option, error.message);
		bench_close();
	}
}

TEST(memory_outside_the_bus_is_refused)
{
	uint8_t byte;
	struct error error;

	connect_with(NULL);
	assert_int_equal(access_read(access, UINT64_C(0x100000000), &byte, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the system bus of 32 bits reaches no memory at 0x100000000"));
	assert_int_equal(access_read(access, 0x10000000, &byte, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot read memory at 0x10000000: no memory is there"));
	disconnect();
}

/* A hart of 32 bits would read what is at the lower half of the address. */
TEST(memory_outside_a_hart_is_refused)
{
	static const struct {
		const char *way[3];
		const char *message;
	} cases[] = {
	        {{"bus=0", "progbuf=3"}, "the hart of 32 bits reaches no memory at 0x120000000"},
	        {{"bus=0", "abstract=1"}, "the hart of 32 bits reaches no memory at 0x120000000"},
	        {{"bus=0", "progbuf=16", "xlen=64"}, "cannot read memory at 0x120000000: no memory is there"},
	};
	uint8_t byte;
	struct error error;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		connect_by(cases[i].way);
		assert_int_equal(access_read(access, UINT64_C(0x100000000) + BENCH_RAM, &byte, 1, &error),
		                 STATUS_FAILED);
		assert_contains(error.message, cases[i].message);
		disconnect();
	}
}
