/* SPDX-License-Identifier: MIT */
/* Copies of the stack of a halted core: their bounds, the sample of them that is kept, and the capture. */
#include "acquire/sample/filing.h"
#include "acquire/sample/stack_copies.h"
#include "core.h"

#include "../sources.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define RAM      UINT64_C(0x20000000)
#define RAM_SIZE 0x1000u
#define RAM_UNIT 0x400u /* memory may end at its multiples */

/* A core with memory, whose registers are the same at each halt. */
static struct {
	struct target target;
	struct core_registers registers;
	uint8_t ram[RAM_SIZE];
	unsigned halts, resumes, reads, now;
	unsigned failures; /* the number of reads that fail next, although memory is there */
	bool vanishes;
} chip;

static struct stack_copies stacks;

static enum status read_memory(struct target *target, uint64_t address, void *buffer, size_t size, struct error *fault)
{
	assert_true(target->is_halted);
	chip.reads++;
	target->is_lost = chip.vanishes;
	if (chip.failures > 0 && chip.failures-- > 0)
		return status_fail(fault, "the probe is busy");
	if (chip.vanishes || address < RAM || address - RAM > RAM_SIZE || size > RAM_SIZE - (address - RAM))
		return status_fail(fault, "no memory is there");
	memcpy(buffer, chip.ram + (address - RAM), size);
	return STATUS_OK;
}

static enum status identify(struct target *target, struct error *fault)
{
	(void)target, (void)fault;
	return STATUS_OK;
}

static enum status halt(struct target *target, struct error *fault)
{
	(void)fault;
	chip.halts++;
	chip.now += 1000;
	target->is_halted = true;
	return STATUS_OK;
}

static enum status resume(struct target *target, struct error *fault)
{
	(void)fault;
	chip.resumes += target->is_halted;
	chip.now += chip.resumes == 7 ? 9000 : 1000;
	target->is_halted = false;
	return STATUS_OK;
}

static enum status read_pc(struct target *target, uint64_t *pc, struct error *fault)
{
	(void)target;
	*pc = 0;
	return status_fail(fault, "the registers are read instead");
}

static enum status read_registers(struct target *target, struct core_registers *registers, struct error *fault)
{
	(void)fault;
	assert_true(target->is_halted);
	*registers = chip.registers;
	return STATUS_OK;
}

static const struct core_ops core = {
        .identify = identify, .halt = halt, .resume = resume, .read_pc = read_pc, .read_registers = read_registers};
static const struct target_ops ops = {.syntax.scheme = "chip", .read = read_memory};

static int begin(void **state)
{
	memset(&chip, 0, sizeof chip);
	for (unsigned i = 0; i < RAM_SIZE; i++)
		chip.ram[i] = (uint8_t)(i * 7);
	target_init(&chip.target, &(struct source){.text = "chip", .backend = &ops});
	chip.target.core = &core;
	chip.registers = (struct core_registers){CORE_WORK_START + 4, CORE_FILTER_START + 9, RAM + 16, RAM + 24};
	stack_copies_begin(&stacks, 4, 64, 1);
	return 0;
}

static int end(void **state)
{
	stack_copies_free(&stacks);
	return 0;
}

/* Copies the stack at sp. Returns its slice, filed. */
static const struct capture_slice *take(uint64_t sp)
{
	static struct capture_block block;

	chip.target.is_halted = true;
	chip.registers.sp = sp;
	assert_success(stack_copies_take(&stacks, &chip.target, &chip.registers, &failure), &failure);
	block = (struct capture_block){.header.ticks = stacks.offered};
	stack_copies_file(&stacks, &block);
	return &block.slices[block.slice_count - 1];
}

EACH_TEST(begin, end);

TEST(registers_and_stack_are_copied)
{
	const struct capture_slice *slice = take(RAM + 16);

	assert_int_equal(slice->pc, CORE_WORK_START + 4);
	assert_int_equal(slice->lr, CORE_FILTER_START + 9);
	assert_int_equal(slice->sp, RAM + 16);
	assert_int_equal(slice->fp, RAM + 24);
	assert_int_equal(slice->size, 64);
	assert_memory_equal(slice->bytes, chip.ram + 16, 64);
	assert_false(slice->is_bad);
	assert_false(slice->is_whole);
}

TEST(stack_ends_where_the_firmware_says)
{
	stacks.end = RAM + 0x100;
	const struct capture_slice *slice = take(RAM + 0xF0);
	assert_int_equal(slice->size, 16);
	assert_true(slice->is_whole);
	slice = take(RAM + 0xC0);
	assert_int_equal(slice->size, 64);
	assert_true(slice->is_whole);
	/* Another stack, above it. */
	slice = take(RAM + 0x100);
	assert_int_equal(slice->size, 64);
	assert_false(slice->is_whole);
}

/* The end of RAM is found once: later reads end there. */
TEST(stack_ends_where_memory_ends)
{
	const struct capture_slice *slice = take(RAM + RAM_SIZE - 8);

	assert_int_equal(slice->size, 8);
	assert_true(slice->is_whole);
	assert_int_equal(chip.reads, 3);
	slice = take(RAM + RAM_SIZE - 12);
	assert_int_equal(slice->size, 12);
	assert_memory_equal(slice->bytes, chip.ram + RAM_SIZE - 12, 12);
	assert_int_equal(chip.reads, 4);
}

TEST(end_of_memory_leaves_the_end_of_another_stack)
{
	stacks.end = RAM + 0x100;
	take(RAM + RAM_SIZE - 8);
	const struct capture_slice *slice = take(RAM + 0xF0);
	assert_int_equal(slice->size, 16);
	assert_true(slice->is_whole);
}

TEST(failed_read_does_not_shorten_later_copies)
{
	chip.failures = 1;
	const struct capture_slice *slice = take(RAM + RAM_UNIT - 16);
	assert_int_equal(slice->size, 16);
	assert_false(slice->is_whole);
	slice = take(RAM + RAM_UNIT - 32);
	assert_int_equal(slice->size, 64);
	assert_false(slice->is_whole);
}

TEST(bad_stack_pointers_leave_registers_only)
{
	const uint64_t pointers[] = {0, RAM + 2, RAM + RAM_SIZE, 0x10, 0xFFFFFFF8};

	for (unsigned i = 0; i < 5; i++) {
		const struct capture_slice *slice = take(pointers[i]);

		assert_true(slice->is_bad);
		assert_false(slice->is_whole);
		assert_int_equal(slice->size, 0);
		assert_int_equal(slice->pc, CORE_WORK_START + 4);
		assert_int_equal(stacks.bad, i + 1);
	}
}

TEST(stack_pointers_to_devices_are_not_read)
{
	const uint64_t pointers[] = {0x40000000, 0x5FFFFFF8, 0xA0000000, 0xE000ED00, 0xFFFFFFF8, 0x3FFFFFF8};

	stacks.is_cortex_m = true;
	for (unsigned i = 0; i < 6; i++)
		assert_true(take(pointers[i])->is_bad);
	assert_int_equal(chip.reads, 0);
	assert_false(take(RAM + 16)->is_bad);
	take(0x10000000);
	take(0x60000000);
	assert_true(chip.reads >= 3);
}

TEST(lost_target_fails)
{
	chip.vanishes = chip.target.is_halted = true;
	assert_failure(stack_copies_take(&stacks, &chip.target, &chip.registers, &failure), &failure,
	               "no memory is there");
}

/* 2,048 copies of 32,768 bytes fit into 64 MB. Of more, each is kept with the same probability. */
TEST(too_many_copies_leave_a_uniform_sample)
{
	size_t late = 0;

	stack_copies_free(&stacks);
	stack_copies_begin(&stacks, 4, STACKS_BYTES_MAX, 1);
	stacks.end = RAM + 20;
	for (unsigned i = 0; i < 8192; i++)
		take(RAM + 16);
	assert_int_equal(stacks.count, 2048);
	for (size_t i = 0; i < stacks.count; i++) {
		late += stacks.slices[i].number > 4096;
		assert_int_equal(stacks.slices[i].weight, 4 * 65536);
	}
	assert_true(stacks.examined >= 2048 && stacks.examined < 8192);
	/* Five standard errors of a half, of 2,048 of 8,192. */
	assert_in_range(late, 1024 - 98, 1024 + 98);
}

/* Only stacks that are kept are examined. */
TEST(bad_stacks_are_estimated_from_examined_ones)
{
	struct capture_block block = {.header.ticks = 1000};

	stacks.offered = 500;
	stacks.examined = 40;
	stacks.bad = 10;
	stack_copies_file(&stacks, &block);
	assert_int_equal(block.stack_totals.offered, 1000);
	assert_int_equal(block.stack_totals.bad, 250);
}

TEST(samples_are_filed_with_their_stacks)
{
	struct batches batches;
	struct sampling_end ended;
	struct core timer;
	struct capture *capture;
	uint8_t *file;
	size_t size;

	core_init(&timer);
	const struct sampling_plan plan = {.sampler = &sampler_halting,
	                                   .nanoseconds = 100000000,
	                                   .rate = 1000,
	                                   .seed = 1,
	                                   .stacks = &stacks,
	                                   .cancel = -1,
	                                   .clock = &core_clock};
	assert_true(batches_begin(&batches, &core_image));
	assert_success(sampling_run(&chip.target, &plan, &batches, &ended, &failure), &failure);
	assert_int_equal(chip.halts, batches.reads);
	assert_int_equal(chip.resumes, batches.reads);
	const struct filing filing = {.source = "chip", .seed = 1, .stacks = &stacks};
	assert_success(filing_encode(&batches, &filing, &file, &size, &failure), &failure);
	assert_success(capture_decode("run.bprof", file, size, &capture, &failure), &failure);
	const struct capture_block *block = capture->blocks;
	assert_true(block->is_sampled);
	assert_int_equal(block->slice_count, batches.reads);
	assert_int_equal(block->slice_bytes, 64);
	assert_int_equal(block->stack_totals.offered, block->header.ticks);
	assert_memory_equal(block->slices[0].bytes, chip.ram + 16, 64);
	assert_int_equal(block->slices[0].number, 1);
	capture_close(capture);
	free(file);
	batches_free(&batches);
}

static uint64_t nanoseconds(void)
{
	return chip.now;
}

static bool pause_nanoseconds(uint64_t duration, int cancel)
{
	(void)cancel;
	chip.now += (unsigned)duration;
	return true;
}

TEST(longest_halt_is_measured)
{
	const struct clock clock = {.nanoseconds = nanoseconds, .pause_nanoseconds = pause_nanoseconds};
	struct batches batches;
	struct sampling_end ended;
	const struct sampling_plan plan = {.sampler = &sampler_halting,
	                                   .nanoseconds = 100000000,
	                                   .rate = 1000,
	                                   .seed = 1,
	                                   .stacks = &stacks,
	                                   .cancel = -1,
	                                   .clock = &clock};

	assert_true(batches_begin(&batches, &core_image));
	assert_success(sampling_run(&chip.target, &plan, &batches, &ended, &failure), &failure);
	assert_true(batches.reads > 10);
	assert_int_equal(ended.halted, 2000 * batches.reads + 8000);
	assert_int_equal(ended.longest_halt, 10000);
	batches_free(&batches);
}
