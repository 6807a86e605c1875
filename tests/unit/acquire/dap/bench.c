/* SPDX-License-Identifier: MIT */
/* See bench.h. */
#include "bench.h"

#include "fake.h"
#include "test.h"

#include <unistd.h>

#define OPTIONS_MAX 8

struct bench bench;
enum bench_wires bench_wires;

static void cancel(void)
{
	assert_int_equal(write(bench.cancel, "", 1), 1);
}

/* Counts down; true at the end. */
static bool is_due(unsigned *left)
{
	return *left > 0 && --*left == 0;
}

static enum status begin_shift(const struct pins *pins, struct error *error)
{
	if (is_due(&bench.cancels_in))
		cancel();
	bench.is_unplugged |= is_due(&bench.unplugs_in);
	if (is_due(&bench.fails_in) || bench.is_unplugged)
		return status_fail(error, "%s: unplugged", pins->source);
	return STATUS_OK;
}

static void put(uint8_t *bits, size_t i, bool is_high)
{
	const uint8_t mask = (uint8_t)(1u << i % 8);

	bits[i / 8] = (uint8_t)(is_high ? bits[i / 8] | mask : bits[i / 8] & ~mask);
}

static bool get(const uint8_t *bits, size_t i)
{
	return (bits[i / 8] >> i % 8 & 1) != 0;
}

static enum status shift_swd(struct pins *pins, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
                             size_t count, struct error *error)
{
	enum status status = begin_shift(pins, error);

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		put(in, i, swd_clock(bench.target, get(direction, i), get(bits, i)));
	return status;
}

static enum status shift_jtag(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo, size_t count,
                              struct error *error)
{
	enum status status = begin_shift(pins, error);

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		put(tdo, i, swd_clock_jtag(bench.target, get(tms, i), get(tdi, i)));
	return status;
}
static enum status set_speed(struct pins *pins, uint32_t *speed, struct error *error)
{
	bench.speed = *speed;
	return STATUS_OK;
}

static enum status drive_reset(struct pins *pins, bool is_low, struct error *error)
{
	bench.is_reset_low = is_low;
	if (is_low && bench.cancels_in_reset)
		cancel();
	swd_drive_reset(bench.target, is_low);
	return STATUS_OK;
}

static void finish_pins(struct pins *pins)
{
}

static void close_pins(struct pins *pins)
{
	bench.closed++;
}

static const struct pins_ops bench_ops = {.shift_swd = shift_swd,
                                          .shift_jtag = shift_jtag,
                                          .set_speed = set_speed,
                                          .drive_reset = drive_reset,
                                          .finish = finish_pins,
                                          .close = close_pins};

void bench_open_again(void)
{
	struct error error;

	bench.opened++;
	if (bench_wires == BENCH_PINS)
		return;
	enum status status = bench_wires == BENCH_SWD ? swd_dap_open(&bench.pins, &bench.dap, &error)
	                                              : jtag_dp_open(&bench.pins, &bench.dap, &error);
	assert_int_equal(status, STATUS_OK);
}

void bench_open(const char *const *options)
{
	const char *all[OPTIONS_MAX + 1] = {"ram=0x20000000,0x20000"};
	uint64_t seed = 3;
	size_t count = 1;

	for (; *options != NULL; options++)
		all[count++] = *options;
	bench = (struct bench){
	        .pins = {.ops = &bench_ops, .source = "lab:wire"}, .target = swd_open(all, count), .cancel = -1};
	assert_non_null(bench.target);
	bench.memory = swd_memory(bench.target, BENCH_RAM, BENCH_RAM_SIZE);
	for (size_t i = 0; i < BENCH_RAM_SIZE; i++)
		bench.memory[i] = (uint8_t)fake_random(&seed, 256);
	bench_open_again();
}

void bench_close(void)
{
	assert_int_equal(bench.closed, bench.opened);
	assert_int_equal(swd_counts(bench.target)->collisions, 0);
	swd_close(bench.target);
}
