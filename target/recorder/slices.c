/* SPDX-License-Identifier: MIT */
/*
 * The store of slices: registers of interrupted code and a copy of its stack, kept by a reservoir (algorithm R: Knuth,
 * The Art of Computer Programming 2, 3.4.2, exercise 10). Only the sampling interrupt writes it.
 *
 * No load may fault, whatever the stack pointer holds: memory is read only in the ranges of stacks of the
 * configuration, which are in flash.
 */
#include "recorder.h"

#if BAREPROF_STACKS != 0

#include "counter.h"
#include "interrupted.h"
#include "random.h"

/* The main stack, where a linker script names it. */
extern const char bareprof_stack_start[] __attribute__((weak));
extern const char bareprof_stack_end[] __attribute__((weak));
static const struct bareprof_range main_stack[BAREPROF_RANGE_CAPACITY] = {{bareprof_stack_start, bareprof_stack_end}};

#define NOT_IN_STACK UINTPTR_MAX

/* Bytes from the address to the end of the range that it is in. An empty stack's pointer is at the end itself. */
static uintptr_t bytes_to_end(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.stacks;

	if (range->end == NULL)
		range = main_stack;
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY && range->end != NULL; i++, range++) {
		const uintptr_t left = (uintptr_t)range->end - address;

		if (left <= (uintptr_t)range->end - (uintptr_t)range->start)
			return left;
	}
	return NOT_IN_STACK;
}

/* Cuts the bytes that are left at the end of the task's stack. */
static inline uintptr_t bytes_of_task(uintptr_t sp, uintptr_t left)
{
	uintptr_t (*const stack_end)(uintptr_t) = bareprof_layout.config.stack_end;
	uintptr_t of_task;

	if (stack_end == NULL)
		return left;
	of_task = stack_end(sp) - sp;
	return of_task < left ? of_task & ~(sizeof(uintptr_t) - 1) : left;
}

/*
 * Copies the stack from its lowest word on, at most `room` bytes, and writes SP and LR. What the core pushed for the
 * interrupt lies below SP and is checked like the stack, because SP depends on it. Returns the flags of the slice.
 */
static uint16_t stack_copy(volatile struct slice *slice, uintptr_t room, const struct bareprof_interrupted *interrupted)
{
	const uintptr_t bottom = interrupted_stack(interrupted);
	const uintptr_t pushed = interrupted_pushed_size(interrupted);
	const uintptr_t left = bytes_to_end(bottom);

	if (left == NOT_IN_STACK || left < pushed || bottom % sizeof(uintptr_t) != 0 ||
	    !interrupted_may_read(interrupted, bottom))
		return BAREPROF_SLICE_IS_BAD;

	const uintptr_t sp = bottom + pushed + interrupted_padding(interrupted);

	if (left < sp - bottom)
		return BAREPROF_SLICE_IS_BAD;

	const uintptr_t of_task = bytes_of_task(sp, left - (sp - bottom));
	const uintptr_t bytes = of_task < room ? of_task : room;

	if (!interrupted_may_read(interrupted, sp + bytes - 1))
		return BAREPROF_SLICE_IS_BAD;
	slice->lr = interrupted_lr(interrupted);
	slice->sp = sp;
	slice->bytes = (uint16_t)bytes;
	interrupted_copy(slice->words, sp, bytes);
	return of_task <= room ? BAREPROF_SLICE_IS_WHOLE : 0;
}

/* A reader compares the numbers at both ends, so they are written before and after everything else. */
static void slice_write(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted,
                        uint32_t number, uint32_t place)
{
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SLICES];
	const uint32_t size = section->item_size;
	volatile uint8_t *bytes = (volatile uint8_t *)block_section(header, BAREPROF_DIRECTORY_SLICES) + place * size;
	volatile struct slice *slice = (volatile struct slice *)bytes;

	slice->number = 0;
	slice->context = SLICE_CONTEXT(header);
	slice->bytes = 0;
	slice->entry = interrupted_entry(interrupted);
	slice->pc = pc;
	slice->lr = 0;
	slice->sp = interrupted_stack(interrupted);
	slice->fp = interrupted_fp(interrupted);
	if (interrupted_is_withheld(interrupted))
		slice->flags = BAREPROF_SLICE_IS_WITHHELD;
	else
		slice->flags = stack_copy(slice, size - sizeof *slice - sizeof(uintptr_t), interrupted);
	if (slice->flags == BAREPROF_SLICE_IS_BAD)
		counter_increment_alone(&stack_totals(header)[BAREPROF_STACK_TOTAL_BAD]);
	*(volatile uint32_t *)(bytes + BAREPROF_SLICE_NUMBER_AGAIN(size)) = number;
	slice->number = number;
}

/* The first ticks fill the slices in order. Of `number` ticks, each slice then holds any with the same probability. */
void bareprof_stack_offer(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted)
{
	volatile uint32_t *totals = stack_totals(header);
	const uint32_t offered = totals[BAREPROF_STACK_TOTAL_OFFERED];
	const uint32_t capacity = bareprof_layout.sections[BAREPROF_DIRECTORY_SLICES].capacity;
	const uint32_t random = random_next(totals[BAREPROF_STACK_TOTAL_RANDOM]);
	uint32_t place = offered;

	if (offered >= BAREPROF_COUNTER_LIMIT)
		return;
	totals[BAREPROF_STACK_TOTAL_OFFERED] = offered + 1u;
	totals[BAREPROF_STACK_TOTAL_RANDOM] = random;
	if (offered >= capacity)
		place = random_below(offered + 1u, random);
	if (place < capacity)
		slice_write(header, pc, interrupted, offered + 1u, place);
}

void bareprof_stack_cost_add(volatile struct header *header, uint32_t cost)
{
	volatile uint32_t *totals = stack_totals(header);
	const uint32_t sum = totals[BAREPROF_STACK_TOTAL_COST] + cost;

	totals[BAREPROF_STACK_TOTAL_TIMED]++;
	totals[BAREPROF_STACK_TOTAL_COST_HIGH] += sum < cost;
	totals[BAREPROF_STACK_TOTAL_COST] = sum;
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_slices_are_off;

#endif
