/* SPDX-License-Identifier: MIT */
/*
 * Links everything that the recorder has for one store of samples: arcs by -pg, samples from the timer of the core,
 * init, start and stop, reset, control words, trigger, dither, changes of the clock, and with LINK the link, with
 * BAREPROF_PATHS a path tree. Only its size is measured; it is not run.
 */
#include "board.h"

#include <bareprof/link.h>

#if defined GRANULES
#define SAMPLES BAREPROF_GRANULES(GRANULES, 16, COARSE)
#elif defined BINS
#define SAMPLES BAREPROF_BINS(BINS)
#else
#define SAMPLES BAREPROF_WIDE_BINS(WIDE_BINS)
#endif

#if defined __arm__
#include <bareprof/timer_systick.h>

BAREPROF_TIMER_SYSTICK(SysTick_Handler);
#define sampling_start bareprof_timer_set
#else
#define MTIME    ((volatile uint32_t *)0x0200BFF8u)
#define MTIMECMP ((volatile uint32_t *)0x02004000u)

static void sampling_start(uint32_t period)
{
	bareprof_mtimer_start(MTIME, MTIMECMP, period);
}

static void next_sample(uint32_t clock_units)
{
	bareprof_mtimer_set(MTIME, MTIMECMP, clock_units);
}
BAREPROF_TIMER_ISR(mtimer_interrupt, next_sample)
#endif

BAREPROF_DEFINE(ARCS, SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .set_period = sampling_start);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(4096);
#endif

#ifdef LINK
static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	(void)bytes;
	return size;
}

static size_t pipe_read(uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return 0;
}

BAREPROF_LINK(LINK, .write = pipe_write, .read = pipe_read);
#endif

void work_interrupt(void)
{
	board_work_acknowledge();
}

int main(void)
{
	board_init();
	bareprof_init();
	sampling_start(BOARD_SAMPLING_PERIOD);
	bareprof_arm((const void *)(uintptr_t)main, 24, 1000);
	bareprof_start();
	bareprof_stop();
	bareprof_reset();
	bareprof_clock_changed(BOARD_SAMPLING_CLOCK_HZ);
#ifdef LINK
	bareprof_poll();
	bareprof_send();
#endif
	board_exit(0);
}
