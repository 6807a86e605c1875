/* SPDX-License-Identifier: MIT */
/*
 * The table that gprof came with (Graham, Kessler and McKusick, "gprof: a Call Graph Execution Profiler", 1982, 3.1;
 * the sizes are those of 4.4BSD): a word per 4 bytes of text leads from the call site to a list of callees, the last
 * that was called first. A call that comes while another is being counted is lost. For comparison; the hook is
 * c_entry.S.
 */
#include "recorder.h"

#define TEXT_MAX 0x20000u

struct callee {
	uintptr_t address;
	uint32_t count;
	uint16_t next;
};

static uint16_t froms[TEXT_MAX / 4u];
struct callee gmon_callees[TABLE + 1];
static uint16_t used;
static volatile bool is_busy;

/* For whoever measures. */
uint32_t greatest_arc_count(void);
void gmon_clear(void);

static uint16_t callee_add(uintptr_t address, uint16_t next)
{
	if (used == TABLE)
		return 0;
	gmon_callees[++used] = (struct callee){address, 1, next};
	return used;
}

/* Not the first of the list: found or added, it becomes the first. */
static void count_behind_first(uint16_t *from, uintptr_t address)
{
	uint16_t previous = *from;
	uint16_t place = gmon_callees[previous].next;

	for (; place != 0; previous = place, place = gmon_callees[place].next) {
		if (gmon_callees[place].address != address)
			continue;
		gmon_callees[place].count++;
		gmon_callees[previous].next = gmon_callees[place].next;
		gmon_callees[place].next = *from;
		*from = place;
		return;
	}
	place = callee_add(address, *from);
	if (place != 0)
		*from = place;
}

static void count(uintptr_t caller, uintptr_t callee)
{
	const uintptr_t offset = caller - (uintptr_t)bareprof_text_start;

	if (offset >= TEXT_MAX)
		return;
	uint16_t *from = &froms[offset / 4u];
	if (*from == 0)
		*from = callee_add(callee, 0);
	else if (gmon_callees[*from].address == callee)
		gmon_callees[*from].count++;
	else
		count_behind_first(from, callee);
}

void bareprof_arc(uintptr_t caller, uintptr_t callee)
{
	const volatile struct header *header = block_header();

	if (block_state(header) != BAREPROF_STATE_RUNNING || is_busy)
		return;
	is_busy = true;
	count(caller, callee);
	is_busy = false;
}

void gmon_clear(void)
{
	used = 0;
	for (uint32_t i = 0; i < TEXT_MAX / 4u; i++)
		froms[i] = 0;
}

uint32_t greatest_arc_count(void)
{
	uint32_t greatest = 0;

	for (uint16_t i = 1; i <= used; i++)
		if (gmon_callees[i].count > greatest)
			greatest = gmon_callees[i].count;
	return greatest;
}
