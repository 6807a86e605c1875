/* SPDX-License-Identifier: MIT */
/* The firmware's own table of calls, and its output on the console. */
#include "count.h"

/* A power of two; each takes four words of RAM. */
#ifndef CALL_COUNTS
#define CALL_COUNTS 64u
#endif

struct call_count {
	const char *name;
	const void *call_site;
	uintptr_t pc;
	uint32_t count;
};

static struct call_count call_counts[CALL_COUNTS];
static uint32_t calls_lost;
static uint32_t counting;

/* The entry of this call, or an empty one; 0 if the table is full. */
__attribute__((no_instrument_function)) static struct call_count *find_entry(const void *call_site, uintptr_t pc)
{
	uint32_t hash = (uint32_t)((uintptr_t)call_site >> 1 ^ pc >> 2);

	for (uint32_t i = 0; i < CALL_COUNTS; i++) {
		struct call_count *entry = &call_counts[(hash + i) % CALL_COUNTS];

		if (entry->count == 0 || (entry->call_site == call_site && entry->pc == pc))
			return entry;
	}
	return 0;
}

/* Interrupts are masked, so that no increment is lost. */
__attribute__((no_instrument_function)) void count_call(const char *name, const void *call_site, uintptr_t pc)
{
	unsigned long state = core_interrupts_save();
	struct call_count *entry = find_entry(call_site, pc);

	if (entry == 0) {
		calls_lost += counting;
	} else if (counting) {
		entry->name = name;
		entry->call_site = call_site;
		entry->pc = pc;
		entry->count++;
	}
	core_interrupts_restore(state);
}

__attribute__((no_instrument_function)) void call_counts_begin(void)
{
	counting = 1;
}

__attribute__((no_instrument_function)) void call_counts_end(void)
{
	counting = 0;
}

static void write_number(uintptr_t number, unsigned base)
{
	board_console_write(" ");
	board_console_write_number(number, base);
}

void call_counts_write(void)
{
	for (const struct call_count *entry = call_counts; entry < call_counts + CALL_COUNTS; entry++) {
		if (entry->count == 0)
			continue;
		board_console_write("calls ");
		board_console_write(entry->name);
		write_number((uintptr_t)entry->call_site, 16);
		write_number(entry->pc, 16);
		write_number(entry->count, 10);
		board_console_write("\n");
	}
	if (calls_lost != 0)
		board_console_write("calls were lost: the firmware's own table is full\n");
}
