/* SPDX-License-Identifier: MIT */
/*
 * bareprof for firmware: the functions and macros that an application uses. Include this header, write
 * BAREPROF_DEFINE(...) in one file, link the recorder (bareprof.c and bareprof_entry.S, or libbareprof.a), and compile
 * the code to be profiled with -pg or -finstrument-functions. docs/PORTING.md has the steps.
 *
 * All functions may be called from thread and handler mode on the core that owns the block, before and after
 * bareprof_init(): the recorder does nothing until its gate is open.
 */
#ifndef BAREPROF_BAREPROF_H
#define BAREPROF_BAREPROF_H

#include <bareprof/block.h>
#include <bareprof/code.h>
#include <bareprof/options.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAREPROF_VARIES(name) __asm__(BAREPROF_STRING(BAREPROF_VARIANT(name)))

/* Code to be sampled, or memory of stacks: addresses of linker symbols, start inclusive, end exclusive. */
struct bareprof_range {
	const char *start;
	const char *end;
};

/*
 * The configuration: the arguments of BAREPROF_DEFINE after the tables, as designated initialisers (in C++ in this
 * order). All of it is in flash.
 */
struct bareprof_config {
	/* Name of the board as reports show it, 15 characters at most. Default: empty. */
	char board[BAREPROF_BOARD_CAPACITY];
	/* Frequency of the clock that drives the sampling timer, in Hz. Default 0: reports count samples, not seconds.
	 */
	uint32_t clock_hz;
	/* Samples per second. Default 0: see period. */
	uint32_t rate_hz;
	/* Clock units between two samples, 1 to 3,000,000,000. Default 0: clock_hz / rate_hz or, without a rate,
	 * unknown. A host may request another period, see set_period. */
	uint32_t period;
	/*
	 * Up to four ranges of code to sample, which must not overlap; empty ranges are ignored. All ranges share the
	 * tables. Default, if the first range has no end: with the library, bareprof_text_start to bareprof_text_end,
	 * which the linker fragment defines; with the drop-in files, all code.
	 */
	struct bareprof_range ranges[BAREPROF_RANGE_CAPACITY];
	/* Reprograms the sampling timer when a host requests another period. Default: none, the request is refused. */
	void (*set_period)(uint32_t clock_units);
	/*
	 * For RAM with ECC, where reading a word that was never written is a fault. Returns true if the RAM had lost
	 * power before this start, from the chip's reset-cause register; then bareprof_init() writes the whole block
	 * before it reads any of it. Default: none; init reads the block to recognise it. Instrumented code that runs
	 * before init reads only the gate. So the startup code must write the gate first. If ECC covers more than 32
	 * bits, it must write all of RAM, because a store of 32 bits then reads the rest.
	 */
	bool (*is_cold_start)(void);
	/* Whether the timer calls bareprof_tick_missed(); else reports say that missed ticks are unknown. */
	bool counts_missed_ticks;
	/* Number of the core that records in this block; with BAREPROF_CORES, the number of the first core. Default
	 * 0. */
	uint8_t core;
	/* The shortest and the longest period that a host may request; others are refused. With dither the next tick
	 * comes after three quarters of the period at the earliest, and the handler must have returned by then. Five
	 * quarters of the period must fit the timer. Defaults, 0: 512 and 3,000,000,000. */
	uint32_t period_min;
	uint32_t period_max;
#if BAREPROF_STACKS != 0
	/*
	 * Up to four ranges of RAM that contain the stacks; nothing else is read, so a bad stack pointer cannot make
	 * the handler fault. The first empty range ends the list. Every word of a range must be readable: leave out MPU
	 * or PMP guards above a stack, or return the ends of the stacks from stack_end. Default, if there is no range:
	 * bareprof_stack_start to bareprof_stack_end, two symbols that your linker script may define. Without them
	 * slices contain no stack, and are counted as bad.
	 */
	struct bareprof_range stacks[BAREPROF_RANGE_CAPACITY];
	/*
	 * For tasks whose stacks share a range: returns the end of the stack that contains this stack pointer: the
	 * address after the stack's highest byte. It returns 0 if it does not know the stack, which then ends with its
	 * range. The sampling interrupt calls it, so compile it uninstrumented. Default: none.
	 */
	uintptr_t (*stack_end)(uintptr_t sp);
	/*
	 * Armv8-M, for a sampling interrupt in the Secure state: whether stacks of Secure code are copied. Anyone who
	 * can read captures then sees parts of these stacks. Default: they are withheld. Stacks of Non-secure code are
	 * copied where Non-secure code may read them itself.
	 */
	bool copies_secure_stack;
#endif
};

/*
 * The stores of samples, for BAREPROF_DEFINE. Each expands to: a check of its limits, kind, log2 of the granule, items,
 * bytes of one item, coarse bins, scaled section, function.
 *
 * BAREPROF_GRANULES(granules, bytes, coarse): a hash table of the pieces of code that were sampled, `bytes` of code
 * each (a power of two, 2 to 4,096), so RAM does not grow with the code. granules: a power of two, 8 to 65,536; each
 * costs 8 bytes of RAM (16 on 64-bit; with contexts 12 and 16). If the table is full, samples go to `coarse` bins (4 to
 * 65,536, of 4 bytes), which cover all ranges; reports show these bins as separate rows. BAREPROF_GRANULES(32, 16, 32)
 * takes 384 bytes.
 *
 * BAREPROF_BINS(bins), BAREPROF_WIDE_BINS(bins): the classic histogram, 16 to 1,048,576 counters of 2 or of 4 bytes.
 * init chooses the bytes of code per bin: the smallest power of two (at least 2, which is exact) for which the bins
 * cover all ranges. If several functions share a bin, its samples are divided by the functions' sizes, and every report
 * states how many samples were divided. Not available with contexts.
 */
#define BAREPROF_BINS_HOLD(bins) ((bins) >= 16 && (bins) <= 1048576 && BAREPROF_CONTEXTS == 0)
#define BAREPROF_BINS(bins) \
	(BAREPROF_BINS_HOLD(bins), BAREPROF_SECTION_BINS, 0, bins, 2, 0, BAREPROF_DIRECTORY_SAMPLES, bareprof_bins_tick)
#define BAREPROF_WIDE_BINS(bins)                                                                     \
	(BAREPROF_BINS_HOLD(bins), BAREPROF_SECTION_BINS, 0, bins, 4, 0, BAREPROF_DIRECTORY_SAMPLES, \
	 bareprof_wide_bins_tick)
#define BAREPROF_GRANULES(granules, bytes, coarse)                                                       \
	((granules) >= 8 && (granules) <= 65536 && BAREPROF_IS_POWER_OF_2(granules) && (bytes) >= 2 &&   \
	         (bytes) <= 4096 && BAREPROF_IS_POWER_OF_2(bytes) && (coarse) >= 4 && (coarse) <= 65536, \
	 BAREPROF_SECTION_GRANULES, __builtin_ctz(bytes), granules, BAREPROF_GRANULE_SIZE, coarse,       \
	 BAREPROF_DIRECTORY_COARSE, bareprof_granules_tick)

/*
 * Sizes and defines the profile block. Write it once, at file scope, with members of struct bareprof_config:
 *
 *	BAREPROF_DEFINE(.board = "my-board", .clock_hz = 16000000, .rate_hz = 1000);
 *
 * The sizes of the tables are then those of <bareprof/options.h>, BAREPROF_ARCS and BAREPROF_STORE; or they come first:
 *
 *	BAREPROF_DEFINE(256, BAREPROF_GRANULES(512, 8, 64), .board = "my-board", .clock_hz = 16000000, .rate_hz = 1000);
 *
 * arcs     slots for distinct caller->callee pairs; a power of two, 8 to 65,536. Each costs 12 bytes of RAM (24 on
 *          64-bit; with contexts 16 and 24). Calls that find the table full are counted as dropped, and every report
 *          says so. Twice the number of executed call sites is a good size.
 * samples  one of the stores above.
 *
 * Beyond these tables the block takes 256 bytes (288 on 64-bit; with contexts 44 more, and 20 for each; with stacks 88
 * more, and the slices or nodes).
 */
#define BAREPROF_DEFINE(...) BAREPROF_LAYOUT_FORM(__VA_ARGS__, , )(__VA_ARGS__)

#if BAREPROF_PATHS != 0
/*
 * Reserves flash for the unwind table, which objcopy fills in after the link. `bareprof unwind-table` prints how many
 * bytes it needs; round them up to a multiple of 8. Write it once, at file scope:
 *
 *	BAREPROF_UNWIND_TABLE(2048);
 */
#define BAREPROF_UNWIND_TABLE(bytes)                                                       \
	__attribute__((section(".bareprof_unwind"), aligned(8), used))                     \
	const uint64_t bareprof_unwind_table[(bytes) / 8] = {0};                           \
	__attribute__((used)) const struct bareprof_unwind_place bareprof_unwind_place = { \
	        bareprof_unwind_table, sizeof bareprof_unwind_table};                      \
	BAREPROF_STATIC_ASSERT((bytes) >= 32 && (bytes) % 8 == 0,                          \
	                       "bareprof: the size of the unwind table is a multiple of 8, and at least 32")

/* Emitted by BAREPROF_UNWIND_TABLE and read by the recorder; not for applications. */
struct bareprof_unwind_place {
	const uint64_t *table;
	uint32_t size;
};
extern const uint64_t bareprof_unwind_table[];
extern const struct bareprof_unwind_place bareprof_unwind_place;
#else
#define BAREPROF_UNWIND_TABLE(bytes) BAREPROF_STATIC_ASSERT(0, "bareprof: BAREPROF_UNWIND_TABLE needs -DBAREPROF_PATHS")
#endif

/*
 * Prepares the block. Call it once, early in main(), on the core that records and before the sampling timer runs. After
 * a warm reset, a valid block is kept and the reset is counted, if it belongs to the same build (by build-id or code
 * hash; without either, never) and was sampled at the same rate. Otherwise the whole block is written. The profile is
 * stopped afterwards. For RAM with ECC see is_cold_start above.
 */
void bareprof_init(void) BAREPROF_VARIES(bareprof_init);

/* Open and close the gate. Both are idempotent. While a reset is under way, they set the state in which it ends. */
void bareprof_start(void);
void bareprof_stop(void);

/*
 * Stops the profile and arms it: it starts at the next recorded call of the function whose code begins at `function`
 * and has `size` bytes, and stops after `ticks` samples, or never if that is 0. Starting or stopping it by hand cancels
 * the window; a reset keeps the rest of it. The hook of -pg is called some bytes after the start of the function: if
 * you do not know the size, pass one that is smaller than any function with its hook, such as 24.
 */
void bareprof_arm(const void *function, uint32_t size, uint32_t ticks);

/*
 * Clears all counts and begins a new epoch. The gate closes at once. From the second tick on, the tables are cleared,
 * 256 bytes per tick. Then the profile returns to its state (running, armed or stopped). Calls in between are not
 * recorded. The sampling timer must be running.
 */
void bareprof_reset(void);

/*
 * Handles one tick of the sampling timer: calls acknowledge(clock_units), see BAREPROF_TIMER_ISR, and files one sample.
 * Call it only from the timer's interrupt, with the interrupted PC. Call it also while the profile is stopped, because
 * it reads the requests of the host. A handler defined by BAREPROF_TIMER_ISR does so.
 */
void bareprof_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units));

/*
 * bareprof_tick() for a handler that has already acknowledged the interrupt, because its timer has a fixed period or it
 * has set the distance from bareprof_dither() itself. The cost of a tick is measured only with a fixed period.
 */
void bareprof_sample(uintptr_t interrupted_pc);

/* Registers of interrupted code, as the entry of the sampling interrupt saved them; <bareprof/isa/> defines it. */
struct bareprof_interrupted;

#if BAREPROF_STACKS != 0
/*
 * bareprof_tick() and bareprof_sample() with the registers that the interrupt's entry saved, so that a slice may be
 * kept or a path counted. Handlers defined by BAREPROF_TIMER_ISR and BAREPROF_FIXED_TIMER_ISR, and the library's own,
 * call them. A handler of your own in C cannot, and samples only the PC. interrupted may be NULL.
 */
void bareprof_stack_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units),
                         const struct bareprof_interrupted *interrupted);
void bareprof_stack_sample(uintptr_t interrupted_pc, const struct bareprof_interrupted *interrupted);
#endif

/*
 * Draws a distance to the next sample: pseudo-random, from three quarters to five quarters of the period, independent
 * of the firmware's work, with the period as its mean. So samples need no weights, and cannot lock to work that repeats
 * at the period. A period below 512 is returned unchanged. bareprof_tick() draws distances itself.
 */
uint32_t bareprof_dither(uint32_t period);

/*
 * The clock units until the sampling timer fires next. Optional: define it yourself, uninstrumented, if the timer can
 * be read. Every 64th tick the recorder uses it to measure the cost of a tick, which reports subtract from the times of
 * functions. Without it the cost is unknown. The headers of timers define it. One line is enough:
 *
 * 	counts down        return TIMER->VALUE;
 * 	counts up          return TIMER->RELOAD - TIMER->COUNT;
 * 	compares           return TIMER->COMPARE - TIMER->COUNT;
 */
uint32_t bareprof_timer_remaining(void);

/*
 * Adds ticks that the hardware merged while interrupts were masked. Call it from the timer's handler, if the timer
 * shows how many there were.
 */
void bareprof_tick_missed(uint32_t ticks);

/*
 * The sampling clock now runs at hz. Samples of two rates must not be mixed, so this clears the profile as
 * bareprof_reset() does and begins a new epoch.
 */
void bareprof_clock_changed(uint32_t hz);

/* Files one call. For ports and languages whose compiler calls neither mcount nor the -finstrument-functions hooks.
 * call_site: return address in the caller. callee: any address inside the callee, not 0 (counted as dropped). */
void bareprof_arc(uintptr_t call_site, uintptr_t callee);

#ifndef __arm__
/*
 * RISC-V: starts the machine timer as the sampling timer, with a dithered period, for <bareprof/timer_mtimer.h> and for
 * handlers of your own. `period` is in clock units, counts of mtime, and the same as in BAREPROF_DEFINE. Pass the
 * addresses of the registers' low halves, and enable the interrupt yourself. acknowledge must call
 * bareprof_mtimer_set(), which counts missed ticks.
 */
void bareprof_mtimer_start(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t period);
void bareprof_mtimer_set(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t clock_units);
/* Like bareprof_mtimer_set(), but draws the distance itself; for a handler that then calls bareprof_sample(). */
void bareprof_mtimer_next(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp);
#endif

/*
 * RISC-V: called by the sampling interrupt for a trap that is not its own, such as an exception, with interrupts
 * masked. When it returns, execution continues at mepc. The library's version never returns: a debugger finds the core
 * there, with mcause and mepc as the trap left them, and the profile ends with the trap. Define your own version to
 * handle traps, uninstrumented and without floating point.
 */
void bareprof_other_trap(void);

#if BAREPROF_CONTEXTS != 0
/*
 * Files calls and samples from now on under this context, 0 to BAREPROF_CONTEXTS - 1; 0 is the first one. All higher
 * numbers share one more context, BAREPROF_CONTEXTS, which reports call <other tasks>. Call it where an RTOS switches
 * tasks, or at the start of an interrupt. Returns the previous context. While the profile runs, a change of context
 * adds 1 to the switches of the new one.
 */
uint32_t bareprof_context_switch(uint32_t context);
/*
 * Changes the context without counting a switch: for the end of an interrupt, with the value that
 * bareprof_context_switch() returned at its start. The interrupted task merely continues. BAREPROF_IN_CONTEXT does this
 * for you.
 */
uint32_t bareprof_context_restore(uint32_t context);
/* Names a context for reports; the first 15 characters are kept. After bareprof_init(). */
void bareprof_context_name(uint32_t context, const char *name);

/*
 * Returns the context that has this name, compared over the first 15 characters. If there is none, gives the name to
 * the first context from 1 on without a name. If all have other names, returns a number of BAREPROF_CONTEXTS or more.
 * Returns 0 before bareprof_init() and for an empty name. Calls must not interrupt each other.
 */
uint32_t bareprof_context_named(const char *name);

/*
 * For task switchers: switches to `context`, which an earlier call returned for this task, or if it is 0, to the
 * context with the task's name. Returns the number of the context; keep it with the task:
 *
 *	task->context = bareprof_context_enter(task->context, task->name);
 */
uint32_t bareprof_context_enter(uint32_t context, const char *name);

/*
 * The first line of an interrupt handler: the rest of the scope runs in this context, and the end of the scope restores
 * the previous one. If tasks were switched within the scope, as some kernels do in the handler itself, the end keeps
 * the context of the new task.
 *
 *	BAREPROF_IN_CONTEXT(interrupts);
 */
#define BAREPROF_IN_CONTEXT(context)                                                                     \
	__attribute__((cleanup(bareprof_scope_leave), unused)) struct bareprof_scope bareprof_in_scope = \
	        bareprof_scope_enter(context)

/* Used by BAREPROF_IN_CONTEXT only. */
struct bareprof_scope {
	uint32_t before;
	uint32_t entered;
};

BAREPROF_INLINE struct bareprof_scope bareprof_scope_enter(uint32_t context)
{
	struct bareprof_scope scope;

	scope.entered = context < BAREPROF_CONTEXTS ? context : BAREPROF_CONTEXTS;
	scope.before = bareprof_context_switch(context);
	return scope;
}

BAREPROF_INLINE void bareprof_scope_leave(const struct bareprof_scope *scope)
{
	const uint32_t current = bareprof_context_restore(scope->before);

	if (current != scope->entered)
		bareprof_context_restore(current);
}
#endif

#if BAREPROF_CORES > 1
/* Define this yourself, uninstrumented: the number of the core that runs it, 0 to BAREPROF_CORES - 1. */
uint32_t bareprof_core_number(void);
#endif

#include <bareprof/layout.h>

#ifdef __cplusplus
}
#endif

/*
 * BAREPROF_TIMER_ISR(name, acknowledge) defines the interrupt handler `void name(void)`: it fetches the interrupted PC,
 * which a C function cannot, calls `void acknowledge(uint32_t clock_units)`, and files the sample. acknowledge clears
 * the timer's interrupt and sets the timer to fire clock_units after it last fired. If the timer uses a new period only
 * after it next fires, clock_units count from then. Never count from the current time: a late interrupt must not delay
 * later samples. acknowledge may be any C function, static or not; on RISC-V it must not use floating point. Keep it
 * uninstrumented.
 *
 * 	static void next_sample(uint32_t clock_units)
 * 	{
 * 		TIM7->ARR = clock_units - 1;    // preloaded: from the next update on
 * 		TIM7->SR = 0;
 * 	}
 * 	BAREPROF_TIMER_ISR(TIM7_IRQHandler, next_sample);
 *
 * BAREPROF_FIXED_TIMER_ISR(name, acknowledge) is for a timer that cannot be set while it runs: `void acknowledge(void)`
 * clears its interrupt. Most work repeats, and is then sampled at only a few of its phases. Times of functions can be
 * wrong by many times the errors that reports state, however long the profile is.
 */
#include <bareprof/timer_isr.h>

#endif
