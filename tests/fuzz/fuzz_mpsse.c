/* SPDX-License-Identifier: MIT */
/*
 * Streams of bits as commands of an MPSSE: a model of the chip moves the wires of a target as the stream does, bit by
 * bit, and the samples are the same. The first byte of an input selects the wiring, the rest are three rows of bits:
 * SWDIO and its direction, or TMS and TDI. Then the input is the chip's answer, which never makes the host read or
 * write outside its buffers.
 */
#include "fuzz.h"

#include "acquire/probe/mpsse.h"

#include "../probe-model/ftdi_chip.h"

#include <stdlib.h>
#include <string.h>

enum { IS_JTAG = 1, HAS_BUFFER = 2, HAS_RESISTOR = 4, IGNORES_TDO = 8 };

static struct ftdi_board board;
static struct mpsse mpsse;
static struct ftdi_chip chip;

static bool bit_of(const uint8_t *bits, size_t index)
{
	return bits[index / 8] >> index % 8 & 1;
}

static struct swd_target *open_target(void)
{
	const char *const options[] = {"ram=0x20000000,0x1000"};
	struct swd_target *target = swd_open(options, 1);

	require(target != NULL);
	return target;
}

/* The samples that the wires themselves have. Where the host drives SWDIO, the stream has no sample. */
static void move_wires(struct swd_target *target, bool is_jtag, const uint8_t *first, const uint8_t *second,
                       uint8_t *samples, size_t count)
{
	memset(samples, 0, (count + 7) / 8);
	for (size_t i = 0; i < count; i++) {
		const bool bit = bit_of(first, i), other = bit_of(second, i);
		const bool drives = other && !(chip.has_resistor && swd_drives(target));
		bool level = is_jtag ? swd_clock_jtag(target, bit, other) : swd_clock(target, drives, bit);

		if (!is_jtag && other)
			level = bit;
		samples[i / 8] |= (uint8_t)(level << i % 8);
	}
}

static void execute(void)
{
	for (size_t i = 0; i < mpsse.count; i++)
		require(ftdi_chip_receive(&chip, mpsse.commands[i]));
	require(chip.answer_count == mpsse.answer_size && chip.violations == 0);
}

/* Sends the stream in as many lists of commands as it takes. */
static void move_by_commands(bool is_jtag, bool ignores_tdo, const uint8_t *first, const uint8_t *second,
                             uint8_t *samples, size_t count)
{
	memset(samples, 0, (count + 7) / 8);
	if (!is_jtag)
		memcpy(samples, first, (count + 7) / 8);
	for (size_t done = 0, part; done < count; done += part) {
		mpsse_begin(&mpsse);
		part = is_jtag ? mpsse_add_jtag(&mpsse, first, second, !ignores_tdo, done, count)
		               : mpsse_add_swd(&mpsse, first, second, done, count);
		require(part > 0 && mpsse.count <= MPSSE_COMMANDS_MAX - 2);
		execute();
		mpsse_take(&mpsse, chip.answers, samples);
		chip.answer_count = 0;
	}
}

static void start(uint8_t kind)
{
	const bool has_buffer = (kind & (IS_JTAG | HAS_BUFFER)) == HAS_BUFFER;
	const char *name = has_buffer ? "olimex-swd" : "ft2232h";

	memset(&chip, 0, sizeof chip);
	memset(&mpsse, 0, sizeof mpsse);
	board = *ftdi_board_find(name);
	board.buffer = FTDI_ANSWERS_MAX; /* nobody reads meanwhile */
	chip.board = &board;
	chip.is_swd = !(kind & IS_JTAG);
	chip.has_resistor = (kind & (HAS_RESISTOR | HAS_BUFFER)) == HAS_RESISTOR;
	chip.target = open_target();
	ftdi_chip_set_mode(&chip, true);
	mpsse.layout = ftdi_layout_find(name, (unsigned)strlen(name));
	mpsse.level = mpsse.layout->level;
	mpsse.outputs = mpsse.layout->outputs;
	mpsse_add_pins(&mpsse);
	execute();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	const size_t bytes = (size - 1) / 2, count = 8 * bytes - data[0] / 32u;
	const uint8_t *first = data + 1, *second = first + bytes;
	const bool is_jtag = data[0] & IS_JTAG, ignores_tdo = is_jtag && data[0] & IGNORES_TDO;
	uint8_t *expected = malloc(bytes), *samples = malloc(bytes);
	struct swd_target *target = open_target();

	require(expected != NULL && samples != NULL);
	start(data[0]);
	move_wires(target, is_jtag, first, second, expected, count);
	move_by_commands(is_jtag, ignores_tdo, first, second, samples, count);
	for (size_t i = 0; i < count; i++)
		require(ignores_tdo || bit_of(samples, i) == bit_of(expected, i));
	require(swd_counts(target)->clocks == swd_counts(chip.target)->clocks);
	require(swd_counts(target)->oks == swd_counts(chip.target)->oks);
	/* Any answer of the right size. */
	uint8_t *answer = calloc(1, mpsse.answer_size + 1);
	require(answer != NULL);
	memcpy(answer, data, size < mpsse.answer_size ? size : mpsse.answer_size);
	mpsse_take(&mpsse, answer, samples);
	free(answer);
	swd_close(target);
	swd_close(chip.target);
	free(expected);
	free(samples);
	return 0;
}
