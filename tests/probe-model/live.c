/* SPDX-License-Identifier: MIT */
/* The memory of a firmware at work (firmware.sh), read through the model's two wires, equals that of QEMU. */
#include "../unit/probe-model/wire.h"
#include "qemu.h"
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RAM      0x21000000u
#define WORDS    4096u
#define WINDOW   1024u
#define DHCSR    0xe000edf0u
#define HALT     0xa05f0003u
#define CONTINUE 0xa05f0000u

static int connect_to_firmware(void **state)
{
	char options[1024];

	snprintf(options, sizeof options, "power-up=0 %s", getenv("MODEL_TARGET"));
	wire_open(options);
	wire_connect();
	return 0;
}

static int disconnect(void **state)
{
	wire_close();
	return 0;
}

EACH_TEST(connect_to_firmware, disconnect);

static void read_words(uint32_t words[WORDS])
{
	for (uint32_t i = 0; i < WORDS; i++) {
		uint32_t before;

		if (i * 4 % WINDOW == 0) {
			wire_begin_at(RAM + i * 4);
			assert_int_equal(wire_read(READ_DRW, &before), OK);
		}
		bool is_last = (i + 1) * 4 % WINDOW == 0;
		assert_int_equal(wire_read(is_last ? READ_RDBUFF : READ_DRW, &words[i]), OK);
	}
}

static void save_with_qemu(uint32_t words[WORDS])
{
	struct qemu *qemu = qemu_connect(getenv("MODEL_QMP"));
	char path[256], arguments[512];

	assert_non_null(qemu);
	snprintf(path, sizeof path, "%s.memory", getenv("MODEL_QMP"));
	snprintf(arguments, sizeof arguments, "\"val\": %u, \"size\": %u, \"filename\": \"%s\"", RAM, WORDS * 4, path);
	qemu_command(qemu, "pmemsave", arguments);
	qemu_disconnect(qemu);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(words, 4, WORDS, file), WORDS);
	fclose(file);
}

static void pause_briefly(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
}

/* Waits until memory is no longer as before, for a minute at most. */
static bool changes(const uint32_t before[WORDS])
{
	static uint32_t after[WORDS];

	for (unsigned i = 0; i < 300; i++) {
		pause_briefly();
		read_words(after);
		if (memcmp(before, after, sizeof after) != 0)
			return true;
	}
	return false;
}

TEST(memory_of_a_running_firmware_changes)
{
	static uint32_t before[WORDS];

	read_words(before);
	assert_memory_equal(before, "BARE", 4);
	assert_true(changes(before));
}

TEST(memory_of_a_halted_firmware_equals_that_of_qemu)
{
	static uint32_t before[WORDS], after[WORDS], saved[WORDS];

	wire_poke(DHCSR, HALT);
	read_words(before);
	pause_briefly();
	save_with_qemu(saved);
	read_words(after);
	assert_memory_equal(before, saved, sizeof saved);
	assert_memory_equal(after, saved, sizeof saved);
	wire_poke(DHCSR, CONTINUE);
	assert_true(changes(saved));
}

TEST(code_is_read_from_the_elf)
{
	assert_int_equal(wire_peek(0), 0x22000000); /* the stack begins at the end of RAM */
}
