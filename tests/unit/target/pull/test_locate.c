/* SPDX-License-Identifier: MIT */
/* Blocks are found by symbol, by scan, or not at all with a reason. */
#include "fake.h"
#include "firmware.h"
#include "target/pull/locate.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fake fake;
static struct image *with_symbols, *without_symbols;
static struct locate_result result;

static struct image *build(const char *name, const char *options)
{
	struct image *image;
	struct error error;
	const char *path = firmware_file(name);
	firmware_build(path, options);
	if (image_open(path, &image, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	unlink(path);
	return image;
}

static int build_all(void **state)
{
	with_symbols = build("symbols.elf", "-DSYMBOLS -Wl,-Ttext=0");
	without_symbols = build("plain.elf", "-Wl,-Ttext=0");
	return 0;
}

static int close_all(void **state)
{
	image_close(with_symbols);
	image_close(without_symbols);
	return 0;
}

static int begin(void **state)
{
	fake_init(&fake);
	return 0;
}

ALL_TESTS(build_all, close_all);
EACH_TEST(begin, NULL);

TEST(block_is_found_by_its_symbol_alone)
{
	struct error error;
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake_put_block(&fake, FAKE_BASE + 0x8000); /* left in RAM by another build */
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 1);
	assert_int_equal(result.uninitialised, 1);
	assert_int_equal(result.blocks[0].block_address, FIRMWARE_BLOCK);
	assert_true(fake.bytes_read < 0x400);
}

TEST(blocks_of_all_cores_are_found)
{
	struct error error;
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake_put_block(&fake, FIRMWARE_BLOCK_1);
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 2);
	assert_int_equal(result.uninitialised, 0);
	assert_int_equal(result.blocks[1].block_address, FIRMWARE_BLOCK_1);
}

static struct image *array_of_three;

static int build_array(void **state)
{
	array_of_three = build("array.elf", "-DSYMBOLS -DBLOCKS_SIZE=3*0x240 -Wl,-Ttext=0");
	return begin(state);
}

static int close_array(void **state)
{
	image_close(array_of_three);
	return 0;
}

static void assert_array_holds(size_t blocks, size_t uninitialised)
{
	struct error error;

	_Static_assert(FAKE_BLOCK_SIZE == 0x240, "BLOCKS_SIZE above");
	assert_int_equal(locate_blocks(&fake.target, array_of_three, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, blocks);
	/* Beside those, bareprof_block_1 has none. */
	assert_int_equal(result.uninitialised, uninitialised + 1);
}

TEST_WITH(blocks_of_one_object_are_found, build_array, close_array)
{
	for (uint64_t core = 0; core < 3; core++)
		fake_put_block(&fake, FIRMWARE_BLOCK + core * FAKE_BLOCK_SIZE);
	fake_put_block(&fake, FIRMWARE_BLOCK + UINT64_C(3) * FAKE_BLOCK_SIZE); /* behind it: no core's */
	assert_array_holds(3, 0);
	for (uint64_t core = 0; core < 3; core++)
		assert_int_equal(result.blocks[core].block_address, FIRMWARE_BLOCK + core * FAKE_BLOCK_SIZE);
	assert_true(fake.bytes_read < 0x800);
}

TEST_WITH(cores_that_have_not_begun_are_counted, build_array, close_array)
{
	fake_put_block(&fake, FIRMWARE_BLOCK);
	assert_array_holds(1, 2);
	fake_init(&fake);
	fake_put_block(&fake, FIRMWARE_BLOCK + UINT64_C(2) * FAKE_BLOCK_SIZE);
	assert_array_holds(1, 2);
	assert_int_equal(result.blocks[0].block_address, FIRMWARE_BLOCK + UINT64_C(2) * FAKE_BLOCK_SIZE);
}

TEST(block_is_found_by_scan_wherever_it_lies)
{
	/* Around the edges of the chunks too, whatever their size. */
	for (uint64_t offset = 0; offset <= FAKE_SIZE - FAKE_BLOCK_SIZE; offset += 8) {
		bool around_an_edge = (offset + 0x40) % 0x1000 < 0x80;
		if (!around_an_edge && offset < FAKE_SIZE - FAKE_BLOCK_SIZE - 16)
			continue;
		struct error error;
		begin(NULL);
		fake_put_block(&fake, FAKE_BASE + offset);
		assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_OK);
		assert_int_equal(result.count, 1);
		assert_int_equal(result.blocks[0].block_address, FAKE_BASE + offset);
	}
}

static void two_blocks_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	(void)target;
	*address = FAKE_BASE + 0x1000;
	*size = UINT64_C(2) * FAKE_BLOCK_SIZE;
}

TEST(blocks_of_a_link_are_found_by_their_headers_alone)
{
	struct error error;
	fake.ops.extent = two_blocks_extent;
	fake_put_block(&fake, FAKE_BASE + 0x1000);
	fake_put_block(&fake, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_int_equal(locate_blocks(&fake.target, NULL, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 2);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x1000);
	assert_int_equal(result.blocks[1].block_address, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_int_equal(fake.reads, 2);
	assert_int_equal(fake.bytes_read, 2 * BAREPROF_OFFSET_RANGES);
}

TEST(block_behind_one_that_has_not_begun_is_found_by_scan)
{
	struct error error;
	fake.ops.extent = two_blocks_extent;
	fake_put_block(&fake, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
	assert_int_equal(locate_blocks(&fake.target, NULL, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 1);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x1000 + FAKE_BLOCK_SIZE);
}

TEST(link_without_a_block_is_told_what_to_do)
{
	struct error error;
	fake.ops.extent = two_blocks_extent;
	assert_int_equal(locate_blocks(&fake.target, NULL, NULL, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: no profile block in it: has the firmware called bareprof_init()?");
}

TEST(several_blocks_are_found_by_scan_once_each)
{
	struct error error;
	static const uint64_t offsets[] = {0, 0x3FF8, 0x7000, 0xF000};
	for (size_t i = 0; i < 4; i++)
		fake_put_block(&fake, FAKE_BASE + offsets[i]);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(result.blocks[i].block_address, FAKE_BASE + offsets[i]);
}

TEST(copy_of_a_block_is_none)
{
	struct error error;
	fake_put_block(&fake, FAKE_BASE + 0x2000);
	memcpy(fake_at(&fake, FAKE_BASE + 0x5000), fake_at(&fake, FAKE_BASE + 0x2000), FAKE_BLOCK_SIZE);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, 1);
	assert_int_equal(result.blocks[0].block_address, FAKE_BASE + 0x2000);
	fake_set_word(&fake, FAKE_BASE + 0x2000, 0);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_FAILED);
}

TEST(more_blocks_than_there_can_be_cores_are_refused)
{
	struct error error;
	for (uint64_t i = 0; i < LOCATE_BLOCKS_MAX; i++)
		fake_put_block(&fake, FAKE_BASE + i * 0x400);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_OK);
	assert_int_equal(result.count, LOCATE_BLOCKS_MAX);
	fake_put_block(&fake, FAKE_BASE + UINT64_C(0x400) * LOCATE_BLOCKS_MAX);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: more than 16 profile blocks"));
}

TEST(block_that_two_symbols_name_is_found_once)
{
	struct error error;
	struct image *image = build("twice.elf", "-Wl,-Ttext=0 -Wl,--defsym=bareprof_block=0x20001000 "
	                                         "-Wl,--defsym=bareprof_block_1=0x20001000");
	fake_put_block(&fake, FIRMWARE_BLOCK);
	enum status status = locate_blocks(&fake.target, image, NULL, &result, &error);
	image_close(image);
	assert_int_equal(status, STATUS_OK);
	assert_int_equal(result.count, 1);
	assert_int_equal(result.uninitialised, 0);
}

TEST(missing_block_is_told_with_what_to_do)
{
	struct error error;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: no profile block at 0x20001000 (bareprof_block of "));
	assert_non_null(
	        strstr(error.message, "has the firmware called bareprof_init()? Or is the ELF of another firmware?"));
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "no symbol bareprof_block"));
}

TEST(elf_of_another_target_is_told_as_such)
{
	struct error error;
	fake.unreadable = FIRMWARE_BLOCK;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: cannot read; or "));
	assert_non_null(strstr(error.message, " is of another firmware (its bareprof_block is at 0x20001000)"));
	fake.is_mortal = true;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: cannot read");
}

TEST(missing_block_of_what_may_sleep_is_told_as_such)
{
	struct error error;
	fake.ops.capabilities = TARGET_CAN_KEEP_AWAKE;
	memset(fake_at(&fake, FIRMWARE_BLOCK), 0, BAREPROF_OFFSET_RANGES);
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "firmware? There are zeros: if the target sleeps (WFI), a "
	                                      "debugger needs the chip kept awake, which works for STM32"));
	*fake_at(&fake, FIRMWARE_BLOCK) = 1;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_null(strstr(error.message, "WFI"));
}

TEST(block_of_another_format_is_told_as_such)
{
	struct error error;
	fake_put_block(&fake, FIRMWARE_BLOCK);
	*fake_at(&fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_MAJOR) = BAREPROF_FORMAT_MAJOR + 1;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: block at 0x20001000: block format 2.0"));
}

/* Memory without end in which there is nothing, and a clock that only reading moves. */
static struct {
	uint64_t now;
	unsigned milliseconds_per_read;
	uint64_t bytes_read;
	uint64_t done, total; /* as they were heard last, before the end */
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

static void hear_scan(void *context, uint64_t done, uint64_t total)
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

/* What a search of 1 GB says. */
static struct error search_wide_memory(unsigned milliseconds_per_read)
{
	static const struct clock clock = {.now = wide_now};
	const struct locate_scan scan = {.clock = &clock, .progress = hear_scan, .context = &wide};
	struct image *image = build("wide.elf", "-DWIDE -Wl,-Ttext=0");
	struct error error;
	memset(&wide, 0, sizeof wide);
	wide.milliseconds_per_read = milliseconds_per_read;
	fake.ops.read = read_zeros;
	assert_int_equal(locate_blocks(&fake.target, image, &scan, &result, &error), STATUS_FAILED);
	image_close(image);
	assert_true(wide.is_over);
	return error;
}

TEST(scan_of_wide_memory_ends_after_so_many_bytes)
{
	struct error error = search_wide_memory(0);
	assert_in_range(wide.bytes_read, LOCATE_SCAN_BYTES, LOCATE_SCAN_BYTES + 0x4000);
	assert_int_equal(wide.total, LOCATE_SCAN_BYTES);
	assert_true(wide.done > LOCATE_SCAN_BYTES - 0x8000);
	assert_non_null(strstr(error.message,
	                       "fake:: no profile block in the 65536 KB that were scanned (0x20000000 to "
	                       "0x23ff"));
	assert_non_null(strstr(error.message, " of 1048640 KB of memory: a scan ends after 64 MB or 60 s; "));
	assert_non_null(
	        strstr(error.message, "wide.elf has no symbol bareprof_block: give the ELF with all its symbols"));
}

TEST(scan_over_a_slow_line_ends_after_so_long)
{
	struct error error = search_wide_memory(1000);
	assert_int_equal(wide.bytes_read, 60 * 0x4000);
	assert_non_null(strstr(error.message, "in the 960 KB that were scanned"));
}

TEST(unreadable_memory_is_told_if_nothing_is_found)
{
	struct error error;
	fake.unreadable = FAKE_BASE + 0x9000;
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: cannot read");
	fake_put_block(&fake, FAKE_BASE + 0x100);
	assert_int_equal(locate_blocks(&fake.target, without_symbols, NULL, &result, &error), STATUS_OK);
}

TEST(lost_target_is_searched_no_further)
{
	struct error error;
	fake_put_block(&fake, FIRMWARE_BLOCK_1);
	fake.unreadable = FIRMWARE_BLOCK;
	fake.is_mortal = true;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: cannot read");
	assert_int_equal(fake.reads, 1);
}

TEST(loss_of_a_target_is_told_whatever_was_found_before)
{
	struct error error;
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake.unreadable = FIRMWARE_BLOCK_1;
	fake.is_mortal = true;
	assert_int_equal(locate_blocks(&fake.target, with_symbols, NULL, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: cannot read");
}
