/* SPDX-License-Identifier: MIT */
/* See stack_copies.h. The reservoir is algorithm R (Knuth, The Art of Computer Programming 2, 3.4.2, exercise 10). */
#include "acquire/sample/stack_copies.h"

#include <bareprof/block.h>
#include <stdlib.h>

/* The maximum number of slices, and of bytes of stack in all of them. */
#define SLICES_MAX 65536u
#define MEMORY_MAX (UINT32_C(64) << 20)

/* RAM ends at a multiple of this. */
#define RAM_UNIT 1024u

void stack_copies_begin(struct stack_copies *stacks, unsigned address_size, uint32_t bytes, uint64_t seed)
{
	*stacks = (struct stack_copies){
	        .bytes = bytes,
	        .address_size = address_size,
	        .random = {(unsigned short)(seed >> 48), (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)},
	};
}

void stack_copies_free(struct stack_copies *stacks)
{
	free(stacks->slices);
	free(stacks->memory);
}

static size_t count_max(const struct stack_copies *stacks)
{
	return MEMORY_MAX / stacks->bytes < SLICES_MAX ? MEMORY_MAX / stacks->bytes : SLICES_MAX;
}

static bool grow_store(struct stack_copies *stacks)
{
	const size_t capacity = stacks->capacity > 0 ? 2 * stacks->capacity : 64;
	struct capture_slice *slices = reallocarray(stacks->slices, capacity, sizeof *slices);

	stacks->slices = slices != NULL ? slices : stacks->slices;
	uint8_t *memory = reallocarray(stacks->memory, capacity, stacks->bytes);
	stacks->memory = memory != NULL ? memory : stacks->memory;
	if (slices == NULL || memory == NULL)
		return false;
	stacks->capacity = capacity;
	return true;
}

/* True for addresses of devices and of the system, which have fixed regions (Armv7-M ARM B3.1). Reading them may have
 * side effects. */
static bool is_device_address(const struct stack_copies *stacks, uint64_t address)
{
	const uint64_t region = address >> 29;

	return stacks->is_cortex_m && region != 0 && region != 1 && region != 3 && region != 4;
}

static size_t size_up_to(uint64_t end, uint64_t sp, size_t size)
{
	return sp < end && end - sp < size ? (size_t)(end - sp) : size;
}

/* The number of bytes to copy from sp up; 0 if sp cannot be a stack pointer. */
static size_t size_at(const struct stack_copies *stacks, uint64_t sp)
{
	if (sp == 0 || sp % stacks->address_size != 0 || is_device_address(stacks, sp) ||
	    is_device_address(stacks, sp + stacks->bytes - 1))
		return 0;
	return size_up_to(stacks->end, sp, size_up_to(stacks->memory_end, sp, stacks->bytes));
}

/* True if a slice that ends at this address contains its whole stack. */
static bool is_stack_end(const struct stack_copies *stacks, uint64_t address)
{
	return address == stacks->end || address == stacks->memory_end;
}

/* Whether the word at this address cannot be read. The failure of a longer read may have other reasons than the end of
 * memory. */
static bool ends_memory(const struct stack_copies *stacks, struct target *target, uint64_t address)
{
	uint8_t word[8];
	struct error ignored;

	return target_read(target, address, word, stacks->address_size, &ignored) != STATUS_OK;
}

/* Reads the bytes. If that fails, memory may end within them, so they are read again up to the last address where
 * memory can end. If memory does end there, later copies stop there, too. */
static enum status read_stack(struct stack_copies *stacks, struct target *target, uint64_t sp, uint8_t *memory,
                              size_t *size, struct error *error)
{
	const uint64_t end = (sp + *size) / RAM_UNIT * RAM_UNIT;
	struct error ignored;

	if (*size == 0 || target_read(target, sp, memory, *size, error) == STATUS_OK)
		return STATUS_OK;
	if (target->is_lost)
		return STATUS_FAILED;
	*size = end > sp && end - sp < *size ? (size_t)(end - sp) : 0;
	if (*size > 0 && target_read(target, sp, memory, *size, &ignored) != STATUS_OK)
		*size = 0;
	if (*size > 0 && ends_memory(stacks, target, end))
		stacks->memory_end = end;
	return target->is_lost ? STATUS_FAILED : STATUS_OK;
}

static enum status fill_slice(struct stack_copies *stacks, struct target *target,
                              const struct core_registers *registers, size_t index, struct error *error)
{
	size_t size = size_at(stacks, registers->sp);

	enum status status =
	        read_stack(stacks, target, registers->sp, stacks->memory + index * stacks->bytes, &size, error);
	stacks->examined++;
	stacks->bad += size == 0;
	stacks->slices[index] = (struct capture_slice){
	        .number = (uint32_t)stacks->offered,
	        .context = CAPTURE_NO_CONTEXT,
	        .pc = registers->pc,
	        .lr = registers->lr,
	        .sp = registers->sp,
	        .fp = registers->fp,
	        .is_bad = size == 0,
	        .is_whole = size > 0 && is_stack_end(stacks, registers->sp + size),
	        .size = size,
	};
	return status;
}

enum status stack_copies_take(struct stack_copies *stacks, struct target *target,
                              const struct core_registers *registers, struct error *error)
{
	size_t index = stacks->count;

	stacks->offered++;
	if (stacks->count == count_max(stacks))
		index = (size_t)(erand48(stacks->random) * (double)stacks->offered);
	if (index > stacks->count || (index == stacks->count && stacks->count == count_max(stacks)))
		return STATUS_OK;
	if (index == stacks->capacity && !grow_store(stacks))
		return status_no_memory(error, target->source);
	enum status status = fill_slice(stacks, target, registers, index, error);
	stacks->count += index == stacks->count && status == STATUS_OK;
	return status;
}

/* Counts every sample of the block as having offered a stack, so that weights add up to the samples. */
void stack_copies_file(struct stack_copies *stacks, struct capture_block *block)
{
	const double each = stacks->count > 0 ? (double)block->header.ticks / (double)stacks->count : 0;
	const double weight = each * BAREPROF_SLICE_WEIGHT + 0.5;

	for (size_t i = 0; i < stacks->count; i++) {
		stacks->slices[i].bytes = stacks->memory + i * stacks->bytes;
		stacks->slices[i].weight = weight < 1 ? 1 : (uint64_t)weight;
	}
	block->slices = stacks->slices;
	block->slice_count = stacks->count;
	block->slice_capacity = (uint32_t)stacks->count;
	block->slice_bytes = stacks->bytes;
	block->has_stack_totals = true;
	block->stack_totals.offered = block->header.ticks;
	block->stack_totals.bad =
	        (uint64_t)((double)stacks->bad / (double)(stacks->examined + (stacks->examined == 0)) *
	                   (double)block->header.ticks);
}
