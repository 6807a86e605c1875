/* SPDX-License-Identifier: MIT */
/*
 * bareprof for firmware: what an application calls. Include it, write BAREPROF_DEFINE(...) in one file, link
 * libbareprof.a, compile the code to be profiled with -pg or -finstrument-functions. docs/PORTING.md has the steps.
 *
 * Everything here may be called from thread and handler mode on the core that owns the block, before as well as after
 * bareprof_init(): the recorder does nothing until its gate is open.
 */
#ifndef BAREPROF_BAREPROF_H
#define BAREPROF_BAREPROF_H

#include <bareprof/block.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Code to be sampled: addresses of linker symbols, start inclusive, end exclusive. */
struct bareprof_range {
	const char *start;
	const char *end;
};

/* What BAREPROF_DEFINE takes besides the two sizes, as designated initialisers. All of it lies in flash. */
struct bareprof_config {
	/* Name of the board as reports show it; the first 15 characters are kept. Default: empty. Costs no RAM. */
	const char *board;
	/* Frequency of the clock that drives the sampling timer, in Hz. Default 0: reports count samples, not seconds.
	 */
	uint32_t clock_hz;
	/* Clock units between two samples, 1 to 2^32 - 1. Default 0: unknown. A host may ask for another one, see
	 * below. */
	uint32_t period;
	/* Up to four ranges of code, in any order, none overlapping another. Default: bareprof_text_start to
	 * bareprof_text_end, which the linker fragment defines. All ranges share the bins. */
	struct bareprof_range ranges[BAREPROF_RANGE_CAPACITY];
	/* Reprograms the sampling timer when a host asks for another period. Default: none, the request is refused. */
	void (*set_period)(uint32_t clock_units);
	/* Nonzero where the timer calls bareprof_tick_missed(); else reports say that missed ticks are unknown. */
	uint8_t counts_missed_ticks;
	/* Number of the core that records here. Default 0. */
	uint8_t core;
};

/* Emitted by BAREPROF_DEFINE and read by the recorder; not for applications. */
struct bareprof_layout {
	uint32_t arc_capacity;
	uint32_t bin_capacity;
	uint32_t block_size;
	void (*count_sample)(uintptr_t pc);
	struct bareprof_config config;
};

extern uint64_t bareprof_block[];
extern const struct bareprof_layout bareprof_layout;
extern const char bareprof_text_start[];
extern const char bareprof_text_end[];
void bareprof_dense_count(uintptr_t pc);

#ifdef __cplusplus
#define BAREPROF_STATIC_ASSERT static_assert
#else
#define BAREPROF_STATIC_ASSERT _Static_assert
#endif

#define BAREPROF_ARC_SIZE (sizeof(uintptr_t) * 3)
#define BAREPROF_BLOCK_BYTES(arcs, bins) \
	((BAREPROF_HEADER_SIZE(sizeof(uintptr_t)) + (arcs)*BAREPROF_ARC_SIZE + (bins)*2u + 7u) / 8u * 8u)

/*
 * Sizes and defines the profile block. Write it once, at file scope:
 *
 *	BAREPROF_DEFINE(256, 1024, .board = "my-board", .clock_hz = 16000000, .period = 16007);
 *
 * arcs  slots for distinct caller->callee pairs; a power of two, 8 to 65,536. Each costs 12 bytes of RAM (24 on
 *       64-bit). Calls that find the table full are counted as dropped, and every report says so. Twice the number of
 *       call sites that really run is comfortable.
 * bins  counters of samples, 16 to 1,048,576; each costs 2 bytes of RAM. init picks the smallest power of two of bytes
 *       of code per bin (at least 2, which is exact) with which all ranges fit. Functions that share a bin share its
 *       samples by size, and every report says how many.
 *
 * Beyond these tables the block takes 256 bytes (288 on 64-bit).
 */
#define BAREPROF_DEFINE(arcs, bins, ...)                                                                          \
	BAREPROF_STATIC_ASSERT((arcs) >= 8 && (arcs) <= 65536 && ((arcs) & ((arcs)-1)) == 0,                      \
	                       "bareprof: arcs must be a power of two from 8 to 65,536");                         \
	BAREPROF_STATIC_ASSERT((bins) >= 16 && (bins) <= 1048576, "bareprof: bins must be from 16 to 1,048,576"); \
	__attribute__((section(".bareprof"), aligned(8), used))                                                   \
	uint64_t bareprof_block[BAREPROF_BLOCK_BYTES(arcs, bins) / 8];                                            \
	__attribute__((used)) const struct bareprof_layout bareprof_layout = {                                    \
	        .arc_capacity = (arcs),                                                                           \
	        .bin_capacity = (bins),                                                                           \
	        .block_size = BAREPROF_BLOCK_BYTES(arcs, bins),                                                   \
	        .count_sample = bareprof_dense_count,                                                             \
	        .config = {__VA_ARGS__},                                                                          \
	}

/*
 * Prepares the block: call it once, early in main(), on the core that records and before the sampling timer runs. After
 * a warm reset a valid block of the same build (by build-id, or by its layout and ranges where there is none), sampled
 * at the same rate, is kept and the reset counted; else the whole block is written. The profile is stopped afterwards.
 * RAM with ECC has to be written once by the start-up code, before any instrumented code runs: the gate is read.
 */
void bareprof_init(void);

/* Open and close the gate. Both are idempotent, and may be called while a reset is under way: it then ends as told. */
void bareprof_start(void);
void bareprof_stop(void);

/*
 * Clears all counts and begins a new epoch. The gate closes at once, the tables are cleared 256 bytes per tick from the
 * second tick on, then the profile goes on as it was (running or stopped). Calls made meanwhile are not recorded. The
 * sampling timer must be running.
 */
void bareprof_reset(void);

/*
 * Files one sample; call it from the sampling interrupt, and from no other place, with the PC that was interrupted,
 * also while the profile is stopped, because this is where requests of the host are read. BAREPROF_TIMER_ISR does so
 * for you.
 */
void bareprof_sample(uintptr_t pc);

/* Adds ticks that the hardware merged while interrupts were masked, where the timer can tell. Call it from its ISR. */
void bareprof_tick_missed(uint32_t ticks);

/*
 * The sampling clock now runs at hz. Samples of two rates must not be mixed, so this clears the profile as
 * bareprof_reset() does and begins a new epoch.
 */
void bareprof_clock_changed(uint32_t hz);

/* Files one call. For ports and languages whose compiler calls neither mcount nor the -finstrument-functions hooks.
 * call_site: return address in the caller. callee: any address inside the callee, not 0 (counted as dropped). */
void bareprof_arc(uintptr_t call_site, uintptr_t callee);

/*
 * BAREPROF_TIMER_ISR(name, acknowledge) defines the interrupt handler `void name(void)`: it fetches the interrupted PC,
 * which a C function cannot, calls `void acknowledge(void)` to clear the interrupt of the timer, and files the sample.
 * It is emitted for the ISA at hand. acknowledge may be any C function, static or not; on RISC-V it must not use
 * floating point. Keep it uninstrumented.
 *
 *	BAREPROF_TIMER_ISR(TIM7_IRQHandler, clear_tim7)
 */
#include <bareprof/timer_isr.h>

#ifdef __cplusplus
}
#endif

#endif
