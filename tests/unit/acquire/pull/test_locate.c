/* SPDX-License-Identifier: MIT */
/* Blocks are found by symbol or by a scan; otherwise the error says why not. */
#include "acquire/pull/locate.h"
#include "fake.h"
#include "firmware.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>
#include <unistd.h>

static struct fake fake;
static struct image *with_symbols, *without_symbols, *array_of_three;
static struct locate_result result;

static struct image *build(const char *name, const char *options)
{
	struct image *image;
	const char *path = firmware_file(name);

	firmware_build(path, options);
	assert_success(image_open(path, &image, &failure), &failure);
	unlink(path);
	return close_image_later(image);
}

static int build_all(void **state)
{
	with_symbols = build("symbols.elf", "-DSYMBOLS -Wl,-Ttext=0");
	without_symbols = build("plain.elf", "-Wl,-Ttext=0");
	array_of_three = build("array.elf", "-DSYMBOLS -DBLOCKS_SIZE=3*0x240 -Wl,-Ttext=0");
	_Static_assert(FAKE_BLOCK_SIZE == 0x240, "BLOCKS_SIZE");
	return 0;
}

static int begin(void **state)
{
	fake_init(&fake);
	return 0;
}

static void assert_found(const struct image *image, size_t count)
{
	assert_success(locate_blocks(&fake.target, image, NULL, &result, &failure), &failure);
	assert_int_equal(result.count, count);
}

static void assert_not_found(const struct image *image, const char *message)
{
	assert_failure(locate_blocks(&fake.target, image, NULL, &result, &failure), &failure, message);
}

ALL_TESTS(build_all, NULL);
EACH_TEST(begin, NULL);

TEST(block_is_found_by_its_symbol_alone)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake_put_block(&fake, FAKE_BASE + 0x8000); /* left in RAM by another build */
	assert_found(with_symbols, 1);
	assert_int_equal(result.uninitialised, 1);
	assert_int_equal(result.blocks[0].block_address, FIRMWARE_BLOCK);
	assert_true(fake.bytes_read < 0x400);
}

TEST(blocks_of_all_cores_are_found)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake_put_block(&fake, FIRMWARE_BLOCK_1);
	assert_found(with_symbols, 2);
	assert_int_equal(result.uninitialised, 0);
	assert_int_equal(result.blocks[1].block_address, FIRMWARE_BLOCK_1);
}

static void assert_array_holds(size_t blocks, size_t uninitialised)
{

	assert_found(array_of_three, blocks);
	/* And bareprof_block_1. */
	assert_int_equal(result.uninitialised, uninitialised + 1);
}

TEST(blocks_in_one_array_are_found)
{
	for (uint64_t core = 0; core < 3; core++)
		fake_put_block(&fake, FIRMWARE_BLOCK + core * FAKE_BLOCK_SIZE);
	fake_put_block(&fake, FIRMWARE_BLOCK + UINT64_C(3) * FAKE_BLOCK_SIZE); /* after the array: belongs to no core */
	assert_array_holds(3, 0);
	for (uint64_t core = 0; core < 3; core++)
		assert_int_equal(result.blocks[core].block_address, FIRMWARE_BLOCK + core * FAKE_BLOCK_SIZE);
	assert_true(fake.bytes_read < 0x800);
}

TEST(uninitialized_cores_are_counted)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	assert_array_holds(1, 2);
	fake_init(&fake);
	fake_put_block(&fake, FIRMWARE_BLOCK + UINT64_C(2) * FAKE_BLOCK_SIZE);
	assert_array_holds(1, 2);
	assert_int_equal(result.blocks[0].block_address, FIRMWARE_BLOCK + UINT64_C(2) * FAKE_BLOCK_SIZE);
}

TEST(scan_finds_a_block_at_any_offset)
{
	/* Also around the edges of chunks of any size. */
	for (uint64_t offset = 0; offset <= FAKE_SIZE - FAKE_BLOCK_SIZE; offset += 8) {
		bool around_an_edge = (offset + 0x40) % 0x1000 < 0x80;

		if (!around_an_edge && offset < FAKE_SIZE - FAKE_BLOCK_SIZE - 16)
			continue;
		begin(NULL);
		fake_put_block(&fake, FAKE_BASE + offset);
		assert_found(without_symbols, 1);
		assert_int_equal(result.blocks[0].block_address, FAKE_BASE + offset);
	}
}

static void two_blocks_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	(void)target;
	*address = FAKE_BASE + 0x1000;
	*size = UINT64_C(2) * FAKE_BLOCK_SIZE;
}

TEST(blocks_of_a_link_need_no_scan)
{
	fake.ops.extent = two_blocks_extent;
	fake_put_block(&fake, FAKE_BASE + 0x1000);
	fake_put_block(&fake, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_found(NULL, 2);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x1000);
	assert_int_equal(result.blocks[1].block_address, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_int_equal(fake.reads, 2);
	assert_int_equal(fake.bytes_read, 2 * BAREPROF_OFFSET_RANGES);
}

TEST(scan_finds_a_block_after_an_uninitialized_one)
{
	fake.ops.extent = two_blocks_extent;
	fake_put_block(&fake, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_found(NULL, 1);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
}

TEST(link_without_a_block_asks_for_bareprof_init)
{
	fake.ops.extent = two_blocks_extent;
	assert_not_found(NULL, "fake:: no profile block in it: has the firmware called bareprof_init()?");
}

TEST(scan_finds_each_of_several_blocks_once)
{
	static const uint64_t offsets[] = {0, 0x3FF8, 0x7000, 0xF000};

	for (size_t i = 0; i < 4; i++)
		fake_put_block(&fake, FAKE_BASE + offsets[i]);
	assert_found(without_symbols, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(result.blocks[i].block_address, FAKE_BASE + offsets[i]);
}

TEST(copy_of_a_block_is_ignored)
{
	fake_put_block(&fake, FAKE_BASE + 0x2000);
	memcpy(fake_at(&fake, FAKE_BASE + 0x5000), fake_at(&fake, FAKE_BASE + 0x2000), FAKE_BLOCK_SIZE);
	assert_found(without_symbols, 1);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x2000);
	fake_set_word(&fake, FAKE_BASE + 0x2000, 0);
	assert_not_found(without_symbols, "");
}

TEST(more_blocks_than_possible_cores_are_refused)
{
	for (uint64_t i = 0; i < LOCATE_BLOCKS_MAX; i++)
		fake_put_block(&fake, FAKE_BASE + i * 0x400);
	assert_found(without_symbols, LOCATE_BLOCKS_MAX);
	fake_put_block(&fake, FAKE_BASE + UINT64_C(0x400) * LOCATE_BLOCKS_MAX);
	assert_not_found(without_symbols, "fake:: more than 16 profile blocks");
}

TEST(block_with_two_symbols_is_found_once)
{
	struct image *image = build("twice.elf", "-Wl,-Ttext=0 -Wl,--defsym=bareprof_block=0x20001000 "
	                                         "-Wl,--defsym=bareprof_block_1=0x20001000");

	fake_put_block(&fake, FIRMWARE_BLOCK);
	assert_found(image, 1);
	assert_int_equal(result.uninitialised, 0);
}

TEST(missing_block_is_reported_with_advice)
{
	assert_not_found(with_symbols, "fake:: no profile block at 0x20001000 (bareprof_block of ");
	assert_contains(failure.message, "has the firmware called bareprof_init()? Or is the ELF of another firmware?");
	assert_not_found(without_symbols, "no symbol bareprof_block");
}

TEST(elf_of_another_target_is_recognized)
{
	fake.unreadable = FIRMWARE_BLOCK;
	assert_not_found(with_symbols, "fake:: cannot read; or ");
	assert_contains(failure.message, " is of another firmware (its bareprof_block is at 0x20001000)");
	fake.loses_target = true;
	assert_not_found(with_symbols, "");
	assert_string_equal(failure.message, "fake:: cannot read");
}

TEST(zeros_at_the_symbol_suggest_a_sleeping_target)
{
	fake.target.core = &core_cortex;
	memset(fake_at(&fake, FIRMWARE_BLOCK), 0, BAREPROF_OFFSET_RANGES);
	assert_not_found(with_symbols, "firmware? There are zeros: if the target sleeps (WFI), a "
	                               "debugger needs the chip kept awake, which works for STM32");
	*fake_at(&fake, FIRMWARE_BLOCK) = 1;
	assert_not_found(with_symbols, "");
	assert_null(strstr(failure.message, "WFI"));
}

TEST(block_of_another_format_is_refused)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	*fake_at(&fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_MAJOR) = BAREPROF_FORMAT_MAJOR + 1;
	assert_not_found(with_symbols, "fake:: block at 0x20001000: block format 2.0");
}

/* Endless memory without a block, and a clock that advances with each read. */
static struct {
	uint64_t now;
	unsigned milliseconds_per_read;
	uint64_t bytes_read;
	uint64_t done, total; /* last reported before the end */
	bool is_over;
} wide;

static uint64_t wide_now(void)
{
	return wide.now;
}

static enum status read_zeros(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	(void)target;
	(void)address;
	(void)error;
	wide.now += wide.milliseconds_per_read;
	wide.bytes_read += size;
	memset(buffer, 0, size);
	return STATUS_OK;
}

static void on_scan(void *context, uint64_t done, uint64_t total)
{
	assert_ptr_equal(context, &wide);
	assert_false(wide.is_over);
	wide.is_over = total == 0;
	if (wide.is_over)
		return;
	assert_true(done >= wide.done && done <= total);
	wide.done = done;
	wide.total = total;
}

/* Searches 1 GB without a block. */
static void search_wide_memory(unsigned milliseconds_per_read)
{
	static const struct clock clock = {.now = wide_now};
	const struct locate_scan scan = {.clock = &clock, .progress = on_scan, .context = &wide};
	struct image *image = build("wide.elf", "-DWIDE -Wl,-Ttext=0");

	memset(&wide, 0, sizeof wide);
	wide.milliseconds_per_read = milliseconds_per_read;
	fake.ops.read = read_zeros;
	assert_int_equal(locate_blocks(&fake.target, image, &scan, &result, &failure), STATUS_FAILED);
	assert_true(wide.is_over);
}

TEST(scan_ends_at_its_limit_of_bytes)
{
	search_wide_memory(0);
	assert_in_range(wide.bytes_read, LOCATE_SCAN_BYTES, LOCATE_SCAN_BYTES + 0x4000);
	assert_int_equal(wide.total, LOCATE_SCAN_BYTES);
	assert_true(wide.done > LOCATE_SCAN_BYTES - 0x8000);
	assert_contains(failure.message, "fake:: no profile block in the 65536 KB that were scanned (0x20000000 to "
	                                 "0x23ff");
	assert_contains(failure.message, " of 1048640 KB of memory: a scan ends after 64 MB or 60 s; ");
	assert_contains(failure.message, "wide.elf has no symbol bareprof_block: give the ELF with all its symbols");
}

TEST(scan_over_a_slow_line_ends_at_its_limit_of_time)
{
	search_wide_memory(1000);
	assert_int_equal(wide.bytes_read, 60 * 0x4000);
	assert_contains(failure.message, "in the 960 KB that were scanned");
}

TEST(unreadable_memory_is_reported_if_no_block_is_found)
{
	fake.unreadable = FAKE_BASE + 0x9000;
	assert_not_found(without_symbols, "fake:: cannot read");
	fake_put_block(&fake, FAKE_BASE + 0x100);
	assert_success(locate_blocks(&fake.target, without_symbols, NULL, &result, &failure), &failure);
}

TEST(search_ends_when_the_target_is_lost)
{
	fake_put_block(&fake, FIRMWARE_BLOCK_1);
	fake.unreadable = FIRMWARE_BLOCK;
	fake.loses_target = true;
	assert_not_found(with_symbols, "");
	assert_string_equal(failure.message, "fake:: cannot read");
	assert_int_equal(fake.reads, 1);
}

TEST(loss_of_the_target_is_reported_despite_a_found_block)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake.unreadable = FIRMWARE_BLOCK_1;
	fake.loses_target = true;
	assert_not_found(with_symbols, "");
	assert_string_equal(failure.message, "fake:: cannot read");
}
