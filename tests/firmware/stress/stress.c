/* SPDX-License-Identifier: MIT */
/*
 * Calls under two nested interrupts that call the same functions: the thread, an interrupt, and the sampling interrupt
 * that interrupts both. Time is divided into epochs, each of which fills an empty table; at the end of each, the
 * profile must agree with the firmware's own counts. Prints the work done and where interrupts came, and ends the
 * emulator.
 *
 * Only the thread starts and stops the profile, so its state is the same for all calls of an interrupt. Macros: CALLS,
 * the minimum of recorded calls.
 */
#include "board.h"
#include "check.h"
#include "landings.h"
#include "print.h"

#include <bareprof/bareprof.h>

#ifndef CALLS
#define CALLS 5000000u
#endif

/* Small tables: claims, which an epoch begins with, are many, and both tables are soon full. */
#define ARC_SLOTS (BAREPROF_CONTEXTS != 0 ? 64u : 32u)
#define SAMPLES   BAREPROF_GRANULES(16, 16, 16)

/*
 * The periods of the interrupts are drawn between these for each epoch: that of sampling in clock units, the other in
 * us. An emulated instruction takes 32 ns. Handlers take about half of a period, depending on their random numbers, so
 * the code they interrupt runs for a random time: 0 to some 400 instructions.
 */
#define SAMPLING_PERIOD(microseconds) (BOARD_SAMPLING_CLOCK_HZ / 1000000u * (microseconds))
#define SAMPLING_PERIOD_MIN           SAMPLING_PERIOD(24u)
#define SAMPLING_PERIOD_MAX           SAMPLING_PERIOD(32u)
#define WORK_PERIOD_MIN               90u
#define WORK_PERIOD_MAX               140u

#define HANDLER_MOVES_MAX    4u
#define EPOCH_MOVES          64u
#define UNRECORDED_MOVES_MIN 4u
#define UNRECORDED_MOVES_MAX 19u

BAREPROF_DEFINE(ARC_SLOTS, SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLING_PERIOD_MAX, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

/* Epochs take these kinds in turn. */
static const struct epoch_kind {
	uint32_t moves; /* whose arcs the table must hold */
	bool saturates;
} epoch_kinds[] = {{MOVES_FEW, false}, {MOVES_FEW, true}, {MOVES_FEW, false}, {MOVES, false}};

static struct level levels[LEVELS] = {{.random = 1}, {.random = 2}, {.random = 3}};
static volatile uint32_t moves;
static volatile uint32_t ticks;
static const struct level *volatile interrupted_by_sampling = &levels[THREAD];

void stress_work(uintptr_t pc);
void __real_bareprof_tick(uintptr_t pc, void (*acknowledge)(uint32_t clock_units));
void __wrap_bareprof_tick(uintptr_t pc, void (*acknowledge)(uint32_t clock_units));

UNINSTRUMENTED static uint32_t random_between(uint32_t *random, uint32_t minimum, uint32_t maximum)
{
	return minimum + random_next(random) % (maximum - minimum + 1u);
}

UNINSTRUMENTED static void make_random_moves(struct level *level, uint32_t count)
{
	for (; count != 0; count--)
		calls_make(level, random_next(&level->random) % moves);
}

/* Returns the context before. */
UNINSTRUMENTED static uint32_t context_switch(uint32_t context)
{
#if BAREPROF_CONTEXTS != 0
	return bareprof_context_switch(context);
#else
	return context;
#endif
}

/*
 * The calls of each interrupt. It begins with the function that it interrupted, or with its neighbour: calls of the
 * very arc that is being recorded are the hard case. It makes only one call for each step of the levels below, so that
 * they make progress: a handler that takes longer than its period is entered again at once.
 */
UNINSTRUMENTED static void interrupt(struct level *level, const struct level *interrupted, uint32_t moves_below)
{
	if (level->moves_below == moves_below)
		return;
	level->moves_below = moves_below;
	calls_make(level, interrupted->move ^ (random_next(&level->random) & 1u));
	make_random_moves(level, random_next(&level->random) % HANDLER_MOVES_MAX);
}

/*
 * The sampling interrupt: the linker uses it in place of bareprof_tick(). It returns in one place, after all calls:
 * landings.sh looks for it.
 */
UNINSTRUMENTED void __wrap_bareprof_tick(uintptr_t pc, void (*acknowledge)(uint32_t clock_units))
{
	landing_count(LANDING_SAMPLING, pc);
	if (profile_state() == BAREPROF_STATE_RUNNING)
		ticks++;
	__real_bareprof_tick(pc, acknowledge);
	const uint32_t context = context_switch(CONTEXT_OF_SAMPLING);
	interrupt(&levels[SAMPLING], interrupted_by_sampling, levels[THREAD].moves + levels[WORK].moves);
	context_switch(context);
	__asm volatile("");
}

/* The interrupt below it, entered through work_interrupt in work_ISA.S. */
UNINSTRUMENTED void stress_work(uintptr_t pc)
{
	board_work_acknowledge();
	landing_count(LANDING_WORK, pc);
	interrupted_by_sampling = &levels[WORK];
	interrupt(&levels[WORK], &levels[THREAD], levels[THREAD].moves);
	interrupted_by_sampling = &levels[THREAD];
}

UNINSTRUMENTED static void start_interrupts(uint32_t *random)
{
	unsigned long interrupts = core_interrupts_save();

	board_sampling_start(random_between(random, SAMPLING_PERIOD_MIN, SAMPLING_PERIOD_MAX));
	board_work_start(random_between(random, WORK_PERIOD_MIN, WORK_PERIOD_MAX));
	core_interrupts_restore(interrupts);
}

UNINSTRUMENTED static void raise_counts(void)
{
	unsigned long interrupts = core_interrupts_save();

	counts_raise();
	core_interrupts_restore(interrupts);
}

/* Made while the profile is stopped, a random number of them, so that interrupts hit any of the following moves. */
UNINSTRUMENTED static void make_unrecorded_moves(struct level *level)
{
	make_random_moves(level, random_between(&level->random, UNRECORDED_MOVES_MIN, UNRECORDED_MOVES_MAX));
}

UNINSTRUMENTED static void run_epoch(const struct epoch_kind *kind)
{
	struct level *level = &levels[THREAD];

	moves = kind->moves;
	start_interrupts(&level->random);
	make_unrecorded_moves(level);
	/* For a call that never comes. */
	bareprof_arm(&levels, 0, 0);
	make_unrecorded_moves(level);
	bareprof_start();
	make_random_moves(level, EPOCH_MOVES / 2u);
	if (kind->saturates)
		raise_counts();
	make_random_moves(level, EPOCH_MOVES / 2u);
	bareprof_stop();
}

UNINSTRUMENTED static bool check_epoch(const struct epoch_kind *kind, struct tally *tally)
{
	const struct expectation expected = {levels, ticks, kind->moves > MOVES_FEW, kind->saturates};

	unsigned long interrupts = core_interrupts_save();
	bool holds = profile_check(&expected, tally);

	for (uint32_t level = 0; level < LEVELS; level++)
		for (uint32_t arc = 0; arc < ARCS; arc++)
			levels[level].made[arc] = 0;
	ticks = 0;
	core_interrupts_restore(interrupts);
	return holds;
}

UNINSTRUMENTED static void clear_profile(void)
{
	bareprof_reset();
	while (profile_state() != BAREPROF_STATE_STOPPED)
		;
}

UNINSTRUMENTED static void print_tally(const struct tally *tally)
{
	print_decimal("# ", tally->calls);
	print_decimal(" calls, epochs: ", tally->epochs);
	print_decimal(", slots claimed: ", tally->claims);
	print_decimal(", of an arc that had one: ", tally->twins);
	print_decimal(", dropped: ", tally->dropped);
	print_decimal(", saturated: ", tally->saturated);
	print_decimal(", ticks: ", tally->ticks);
	print_decimal(", in coarse bins: ", tally->coarse);
	board_console_write("\n");
}

UNINSTRUMENTED static bool hard_cases_happened(const struct tally *tally)
{
	return tally->twins != 0 && tally->dropped != 0 && tally->saturated != 0 && tally->coarse != 0;
}

UNINSTRUMENTED int main(void)
{
	struct tally tally = {0};
	bool holds = true;

	board_init();
	bareprof_init();
	for (uint32_t epoch = 0; holds && tally.calls < CALLS; epoch++) {
		const struct epoch_kind *kind = &epoch_kinds[epoch % (sizeof epoch_kinds / sizeof *epoch_kinds)];

		run_epoch(kind);
		holds = check_epoch(kind, &tally);
		clear_profile();
	}
	core_interrupts_save();
	landings_write();
	print_tally(&tally);
	if (holds)
		board_console_write("ok calls and ticks are what the firmware counted\n");
	if (holds && !hard_cases_happened(&tally))
		board_console_write("not ok twins, full tables and full counters happen: not all did\n");
	board_exit(!holds || !hard_cases_happened(&tally));
}
