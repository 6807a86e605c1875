/* SPDX-License-Identifier: MIT */
/*
 * Floating point in thread mode and in the second interrupt, sampled: every kind of exception frame holds the PC where
 * the sampling interrupt looks for it, and no result suffers. Macros: PROCESS_STACK for a thread mode on the process
 * stack; EAGER for FPU registers that exception entry pushes at once (Armv7-M ARM B3.2.21, LSPEN), not when the handler
 * first uses the FPU; TREAT_AS_SECURE, in a Secure image for Armv8-M, for frames that hold S16 to S31, too (Armv8-M ARM
 * D1.2, FPCCR.TS).
 */
#include "board.h"
#include "thread.h"
#include "wave.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#ifndef ROUNDS
#define ROUNDS 2000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define WORK_MICROSECONDS 997u

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .set_period = board_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

static const struct tracker tracker_at_start = {0.1f, 0.4f, 0.0f};
static struct tracker tracker;
static volatile uint32_t interrupts;
static volatile uint32_t lazy_entries;
static bool is_right = true;

static void expect(bool holds, const char *what)
{
	if (holds)
		return;
	is_right = false;
	board_console_write("not ok ");
	board_console_write(what);
	board_console_write("\n");
}

#ifdef __ARM_FP
/* Armv7-M ARM B3.2.21, Armv8-M ARM D1.2. */
#define FPCCR        (*(volatile uint32_t *)0xE000EF34u)
#define FPCCR_ASPEN  0x80000000u
#define FPCCR_LSPEN  0x40000000u
#define FPCCR_TS     0x04000000u
#define FPCCR_LSPACT 0x1u

UNINSTRUMENTED static void choose_stacking(void)
{
#ifdef EAGER
	FPCCR = (FPCCR | FPCCR_ASPEN) & ~FPCCR_LSPEN;
#else
	FPCCR |= FPCCR_ASPEN | FPCCR_LSPEN;
#endif
#ifdef TREAT_AS_SECURE
	FPCCR |= FPCCR_TS;
#endif
}

/* Space for FPU registers is reserved on the stack, and they are still in the FPU. */
UNINSTRUMENTED static bool stacking_is_pending(void)
{
	return (FPCCR & FPCCR_LSPACT) != 0;
}

/* The wave passes use the FPU from before the first interrupt on, so each entry has its registers to keep. */
static void check_stacking(void)
{
#ifdef EAGER
	expect(lazy_entries == 0, "no entry leaves the FPU registers for later");
#else
	expect(lazy_entries == interrupts, "every entry leaves the FPU registers for later");
#endif
}
#else
UNINSTRUMENTED static void choose_stacking(void)
{
}

UNINSTRUMENTED static bool stacking_is_pending(void)
{
	return false;
}

static void check_stacking(void)
{
}
#endif

/* Must not use floating point before it has read the state. */
void work_interrupt(void)
{
	board_work_acknowledge();
	lazy_entries += stacking_is_pending();
	interrupts++;
	tracker_step(&tracker);
}

/* Marsaglia's xorshift: the order of passes must not be in step with the sampling timer. */
static uint32_t next_seed(void)
{
	static uint32_t noise = 0x2545F491u;

	noise ^= noise << 13;
	noise ^= noise >> 17;
	noise ^= noise << 5;
	return noise % WAVE_SEEDS;
}

/* The same passes twice: without interrupts, then with both and under the profiler. */
static void work(void)
{
	uint32_t wanted[WAVE_SEEDS];
	uint32_t wrong = 0;

	for (uint32_t seed = 0; seed < WAVE_SEEDS; seed++)
		wanted[seed] = wave_pass(seed);
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const uint32_t seed = next_seed();

		wrong += wave_pass(seed) != wanted[seed];
	}
	bareprof_stop();
	expect(wrong == 0, "passes give the same results under interrupts");
}

/* The results that the interrupt should have, computed again without it. */
static void check_tracker(void)
{
	const unsigned long state = core_interrupts_save();
	struct tracker again = tracker_at_start;

	expect(interrupts >= 50u, "interrupts come");
	for (uint32_t i = 0; i < interrupts; i++)
		tracker_step(&again);
	expect(again.phase == tracker.phase && again.rate == tracker.rate && again.energy == tracker.energy,
	       "the interrupt's results are right");
	check_stacking();
	core_interrupts_restore(state);
}

int main(void)
{
	board_init();
	bareprof_init();
	choose_stacking();
	tracker = tracker_at_start;
	run_thread(work);
	check_tracker();
	board_console_write(is_right ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
