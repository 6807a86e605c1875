/* SPDX-License-Identifier: MIT */
/*
 * Damaged answers of an ST-Link, from a correct model: an input describes how each answer is damaged, in order. Unless
 * an answer was forged, every command is one that the firmware knows, with data of the right size. Nothing is written
 * beyond the room for an answer. Lost or truncated answers never lead to wrong memory. After the last damage a read
 * returns the memory of the target, if nothing was damaged until the connection was established and the host has not
 * given up the probe.
 */
#include "fuzz.h"

#include "acquire/probe/stlink.h"
#include "base/wait.h"

#include "../probe-model/stlink_firmware.h"

#include <stdio.h>
#include <string.h>

#define BASE 0x20000000u
#define SIZE 300u
/* The word there at first. */
#define FIRST_WORD 0x160F0801u

enum damage { KEEP, LOSE, TRUNCATE, LENGTHEN, FLIP, REPLACE, DAMAGES };

static struct bench {
	struct exchange exchange; /* the first field, so that the host gets its address */
	struct stlink_firmware firmware;
	const uint8_t *input;
	size_t left;                 /* of the input */
	bool is_damaging, is_forged; /* forged: with bytes that the probe did not send */
	bool is_closed;
} bench;

static uint8_t next_byte(void)
{
	if (bench.left == 0)
		return 0;
	bench.left--;
	return *bench.input++;
}

static void damage(uint8_t *answer, size_t *size)
{
	switch ((enum damage)(next_byte() % DAMAGES)) {
	case LOSE:
		*size = 0;
		break;
	case TRUNCATE:
		*size = next_byte() % *size;
		break;
	case LENGTHEN:
		*size += next_byte();
		break;
	case FLIP:
		bench.is_forged = true;
		/* Mostly the status. */
		answer[next_byte() % *size] ^= next_byte();
		break;
	case REPLACE:
		bench.is_forged = true;
		for (size_t i = 0; i < *size && i < 64; i++)
			answer[i] = next_byte();
		break;
	default:
		break;
	}
}

static enum status run(struct exchange *exchange, const struct exchange_phases *phases, uint64_t deadline,
                       size_t *received, struct error *error)
{
	static uint8_t answer[STLINK_ANSWER_MAX + 256];
	struct stlink_firmware *firmware = &bench.firmware;

	(void)exchange;
	(void)deadline;
	*received = 0;
	require(phases->command_size == STLINK_COMMAND_SIZE && !bench.is_closed);
	stlink_execute(firmware, phases->command);
	require(bench.is_forged || firmware->expected == phases->out_size);
	if (firmware->expected > 0 && firmware->expected == phases->out_size)
		stlink_take_data(firmware, phases->out);
	require(bench.is_forged || firmware->answer_size == phases->in_size);
	size_t size = firmware->answer_size;
	memcpy(answer, firmware->answer, size);
	if (bench.is_damaging && size > 0)
		damage(answer, &size);
	if (phases->in_size > 0 && size == 0)
		return status_fail(error, "no answer");
	*received = size;
	if (phases->in_size > 0)
		memcpy(phases->in, answer, size < phases->in_size ? size : phases->in_size);
	return STATUS_OK;
}

static void drain(struct exchange *exchange, unsigned milliseconds)
{
	(void)exchange;
	(void)milliseconds;
}

static void close_exchange(struct exchange *exchange)
{
	(void)exchange;
	bench.is_closed = true;
}

static const struct exchange_ops exchange_ops = {.run = run, .drain = drain, .close = close_exchange};

static void plug_in(const uint8_t *data, size_t size)
{
	static const char *const options[] = {"ram=0x20000000,0x1000"};
	static const unsigned versions[][2] = {{2, 37}, {2, 31}, {2, 23}, {2, 15}, {3, 7}, {3, 1}};

	bench = (struct bench){
	        .exchange = {.ops = &exchange_ops, .source = "fuzz", .cancel = -1}, .input = data, .left = size};
	const unsigned *version = versions[next_byte() % 6];
	bench.firmware = (struct stlink_firmware){
	        .hardware = version[0], .release = version[1], .product = 0x374b, .mode = STLINK_MASS};
	bench.firmware.target = swd_open(options, 1);
	require(bench.firmware.target != NULL);
	stlink_start(&bench.firmware);
	uint8_t *memory = swd_memory(bench.firmware.target, BASE, SIZE);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 7 + 1);
}

/* Whether the read succeeded. Its data must be right if nothing was forged, or if is_surely_right. */
static bool read_memory(struct access *stlink, bool is_surely_right)
{
	uint8_t bytes[SIZE - 1];
	struct error error;

	if (access_read(stlink, BASE + 1, bytes, sizeof bytes, &error) != STATUS_OK)
		return false;
	if (is_surely_right || !bench.is_forged)
		require(memcmp(bytes, swd_memory(bench.firmware.target, BASE + 1, sizeof bytes), sizeof bytes) == 0);
	return true;
}

static void use(struct access *stlink, bool was_well)
{
	uint32_t words[3];
	struct error error;

	bench.is_damaging = true;
	read_memory(stlink, false);
	(void)access_read_register(stlink, BASE, words, 3, &error);
	(void)access_write_register(stlink, BASE, FIRST_WORD, &error);
	(void)access_probe(stlink, 0x60000000, words, &error);
	bench.is_damaging = false;
	bool is_lost = *stlink->is_lost;
	require(read_memory(stlink, was_well) || !was_well || is_lost);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct target_setup setup = {.speed = 4000000,
	                                   .access_port = -1,
	                                   .core = -1,
	                                   .cancel = -1,
	                                   .timeout = 20,
	                                   .clock = &clock_system,
	                                   .observer = &target_nobody};
	struct access *stlink;
	struct error error;
	bool comes_back;

	plug_in(data, size);
	const bool was_well = next_byte() % 2 == 0;
	bench.is_damaging = !was_well;
	(void)stlink_leave_dfu(&bench.exchange, &comes_back, &error);
	enum status status = stlink_open(&bench.exchange, &setup, &stlink, &error);
	require(status == STATUS_OK || !was_well);
	if (status == STATUS_OK) {
		use(stlink, was_well);
		access_close(stlink);
	}
	/* A forged version may make the host send commands that this firmware does not know. */
	require(bench.is_closed && (bench.is_forged || bench.firmware.violations == 0));
	swd_close(bench.firmware.target);
	return 0;
}
