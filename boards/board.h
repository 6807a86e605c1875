/* SPDX-License-Identifier: MIT */
/*
 * The services of every board: a console, a sampling timer, a second periodic interrupt to work in, and a way to
 * end. Each board's folder implements it.
 */
#ifndef BOARDS_BOARD_H
#define BOARDS_BOARD_H

#include <stddef.h>
#include <stdint.h>

/* boards/<board>/settings.h: the constants of this board. BOARD_CORES only if the board can start more than one
 * core. */
#include "settings.h"
#ifndef BOARD_CORES
#define BOARD_CORES 1
#endif
/* boards/families/isa/<isa>/core.h: core_interrupts_save(), core_interrupts_restore(), core_wait(). */
#include "core.h"

/* For functions that must not call the recorder, such as those that switch tasks. */
#define UNINSTRUMENTED __attribute__((no_instrument_function))

/* Members of the configuration for stacks. Secure images of these boards have no secrets, so their stacks may be
 * copied. */
#if defined(BAREPROF_STACKS) && BAREPROF_STACKS != 0
#define BOARD_STACKS .copies_secure_stack = true
#else
#define BOARD_STACKS
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Starts clocks, console and interrupt controller. Called once, before any other function. */
void board_init(void);

/* Queues NUL-terminated text for the console. Returns when the UART has accepted all of it, which may be before it is
 * sent. */
void board_console_write(const char *text);
/* Queues a number, base 2 to 16, without a prefix; at most 23 digits. */
void board_console_write_number(uintptr_t number, unsigned base);

/*
 * The console's UART as the pipe of a link (struct bareprof_pipe in bareprof/link.h). Neither function waits. An
 * interrupt keeps up to BOARD_PIPE_BYTES of input, enough for several requests, until it is read. The caller must keep
 * bytes that were not written and offer them first in its next call, as the link does: console text is sent after them.
 * Call these and board_console_write() from one context only.
 */
#define BOARD_PIPE_BYTES 64u
size_t board_pipe_write(const uint8_t *bytes, size_t size);
size_t board_pipe_read(uint8_t *bytes, size_t size);

/*
 * Starts the sampling timer, or gives it another period: every period units of BOARD_SAMPLING_CLOCK_HZ on average, the
 * interrupt of highest priority files one sample. period is at least 2 and should be longer than the handler.
 */
void board_sampling_start(uint32_t period);

/* The board also defines bareprof_timer_remaining() for its sampling timer, as a weak function, because firmware may
 * sample with another timer. */

/*
 * Starts the second interrupt, below the sampling timer in priority: the board calls the firmware's work_interrupt() at
 * this interval in microseconds (at most 60,000).
 */
void board_work_start(uint32_t microseconds);

/* The firmware's handler. It must call board_work_acknowledge() first. */
void work_interrupt(void);
void board_work_acknowledge(void);

#if BOARD_CORES > 1
/*
 * Makes the second core run function, which does not return, on its own stack. The first core calls this once, after
 * board_init(). On the second core, board_sampling_start() starts that core's own timer.
 */
void board_second_core_start(void (*function)(void));
/* The number of the core that calls this, from 0. The recorder calls it in firmware with BAREPROF_CORES. */
uint32_t bareprof_core_number(void);
#endif

/* Ends the emulator with this exit status, through semihosting, for tests. A core without a debugger stops here. */
__attribute__((noreturn)) void board_exit(int status);

/* Sleeps forever; interrupts are still served. */
__attribute__((noreturn)) void board_idle(void);

/* Runs first after reset, on the stack, before .data and .bss are initialised. The default does nothing; tests of
 * uninitialised memory define their own. */
void board_startup_hook(void);

#ifdef __cplusplus
}
#endif

#endif
