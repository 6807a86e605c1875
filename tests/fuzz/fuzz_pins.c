/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary levels of SWDIO or TDO: the chain, a debug port and a debug module never make the host read or write
 * outside its buffers. The first byte of an input selects what is at the pins: a model of a debug port over SWD or
 * JTAG, perhaps one that answers WAIT, or of a debug module, perhaps without a system bus, perhaps with another device,
 * or nothing but noise. Of a model, each following byte above KEEP inverts the samples where the next two say. Noise is
 * the input, then the pins fail. An undamaged model returns the memory of the target. So does one whose streams on
 * SWDIO have one wrong sample each, which acknowledge or parity reveals, unless reading fails.
 */
#include "fuzz.h"

#include "acquire/dap/arm_debug.h"
#include "acquire/dap/jtag_dp.h"
#include "acquire/dap/swd.h"
#include "acquire/riscv/riscv.h"
#include "base/wait.h"

#include "../probe-model/swd.h"

#define BASE 0x20000000u
#define SIZE 600u

enum { IS_RISCV = 1, HAS_NEIGHBOUR = 2, IS_NOISE = 4, IS_SWD = 8, WAITS = 16, HAS_PROGRAM = 32, HAS_COMMANDS = 64 };
#define KEEP 0x7f

static struct bench {
	struct pins pins; /* the first field, so that the host gets its address */
	struct swd_target *target;
	const uint8_t *input;
	size_t left; /* of the input */
	bool is_swd, is_noise, may_fail, may_mislead;
	unsigned closed;
} bench;

static uint8_t next_byte(void)
{
	if (bench.left == 0)
		return 0;
	bench.left--;
	return *bench.input++;
}

static void put(uint8_t *bits, size_t i, bool is_high)
{
	bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)is_high << i % 8);
}

static bool get(const uint8_t *bits, size_t i)
{
	return (bits[i / 8] >> i % 8 & 1) != 0;
}

static void damage(uint8_t *samples, size_t count)
{
	if (next_byte() <= KEEP)
		return;
	const size_t first = count * next_byte() / 256;
	const uint8_t mask = next_byte();

	for (size_t i = 0; i < 8 && first + i < count; i++)
		put(samples, first + i, get(samples, first + i) != ((mask >> i & 1) != 0));
	bench.may_fail |= mask != 0;
	bench.may_mislead |= bench.is_swd ? (mask & (mask - 1)) != 0 : mask != 0;
}

static enum status sample_noise(uint8_t *samples, size_t count, struct error *error)
{
	if (bench.left == 0)
		return status_fail(error, "%s: no more noise", bench.pins.source);
	for (size_t i = 0; i < (count + 7) / 8; i++)
		samples[i] = next_byte();
	return STATUS_OK;
}

static enum status shift_swd(struct pins *pins, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
                             size_t count, struct error *error)
{
	(void)pins;
	if (bench.is_noise)
		return sample_noise(in, count, error);
	for (size_t i = 0; i < count; i++)
		put(in, i, swd_clock(bench.target, get(direction, i), get(bits, i)));
	damage(in, count);
	return STATUS_OK;
}

static enum status shift_jtag(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo, size_t count,
                              struct error *error)
{
	(void)pins;
	if (bench.is_noise)
		return sample_noise(tdo, count, error);
	for (size_t i = 0; i < count; i++)
		put(tdo, i, swd_clock_jtag(bench.target, get(tms, i), get(tdi, i)));
	damage(tdo, count);
	return STATUS_OK;
}

static enum status set_speed(struct pins *pins, uint32_t *speed, struct error *error)
{
	(void)pins, (void)speed, (void)error;
	return STATUS_OK;
}

static void finish(struct pins *pins)
{
	(void)pins;
}

static void close_pins(struct pins *pins)
{
	(void)pins;
	bench.closed++;
}

static const struct pins_ops pins_ops = {.shift_swd = shift_swd,
                                         .shift_jtag = shift_jtag,
                                         .set_speed = set_speed,
                                         .finish = finish,
                                         .close = close_pins};

static void plug_in(const uint8_t *data, size_t size, uint8_t kind)
{
	const char *const options[] = {"ram=0x20000000,0x1000",
	                               kind & IS_RISCV && !(kind & IS_SWD) ? "riscv=1" : "riscv=0",
	                               kind & HAS_NEIGHBOUR ? "boundary=5" : "boundary=0",
	                               kind & WAITS ? "wait=3" : "wait=0",
	                               kind & (HAS_PROGRAM | HAS_COMMANDS) ? "bus=0" : "bus=7",
	                               kind & HAS_PROGRAM ? "progbuf=3" : "abstract=1"};

	bench = (struct bench){
	        .pins = {.ops = &pins_ops, .source = "fuzz"},
	        .target = swd_open(options, sizeof options / sizeof options[0]),
	        .input = data,
	        .left = size,
	        .is_swd = (kind & IS_SWD) != 0,
	        .is_noise = (kind & IS_NOISE) != 0,
	        /* The time-out is short. */
	        .may_fail = (kind & (IS_NOISE | WAITS)) != 0,
	        .may_mislead = (kind & IS_NOISE) != 0,
	};
	require(bench.target != NULL);
	uint8_t *memory = swd_memory(bench.target, BASE, SIZE);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 7 + 1);
}

static void check(enum status status, const uint8_t *bytes)
{
	require(status == STATUS_OK || bench.may_fail);
	require(status != STATUS_OK || bench.may_mislead ||
	        memcmp(bytes, swd_memory(bench.target, BASE, SIZE), SIZE) == 0);
}

static const struct target_setup setup = {.speed = 1000000,
                                          .access_port = -1,
                                          .core = -1,
                                          .cancel = -1,
                                          .timeout = 20,
                                          .clock = &clock_system,
                                          .observer = &target_nobody};

static void read_by_port(uint8_t *bytes)
{
	struct error error;
	struct dap *dap;
	struct access *adi;

	require((bench.is_swd ? swd_dap_open : jtag_dp_open)(&bench.pins, &dap, &error) == STATUS_OK);
	enum status status = arm_debug_connect(dap, &setup, &adi, &error);
	if (status == STATUS_OK) {
		status = access_read(adi, BASE, bytes, SIZE, &error);
		access_close(adi);
	}
	check(status, bytes);
}

static void read_by_module(uint8_t *bytes)
{
	struct access *access;
	struct error error;

	enum status status = riscv_connect(&bench.pins, &setup, &access, &error);
	if (status == STATUS_OK) {
		uint64_t pc;

		status = riscv_halt(access->probe, &error);
		if (status == STATUS_OK)
			status = access_read(access, BASE, bytes, SIZE, &error);
		riscv_read_pc(access->probe, &pc, &error);
		access_close(access);
	}
	check(status, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly as large as the read, so that the sanitizer sees the first byte beyond. */
	uint8_t *bytes = malloc(SIZE);

	require(bytes != NULL);
	if (size > 0) {
		plug_in(data + 1, size - 1, data[0]);
		if (data[0] & IS_RISCV && !bench.is_swd)
			read_by_module(bytes);
		else
			read_by_port(bytes);
		require(bench.closed == 1);
		swd_close(bench.target);
	}
	free(bytes);
	return 0;
}
