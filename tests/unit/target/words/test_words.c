/* SPDX-License-Identifier: MIT */
/* Accesses of the link to the block, which the recorder changes meanwhile: whole words, each read once. */
#include "../link/peer.h"
#include "test.h"

#include <string.h>

/* Accesses to the memory of the blocks since forget(). */
static uint32_t loads, stores;
static uint32_t next_load; /* offset that the next one must be at */
static uint32_t last_store;

static bool is_in_memory(const void *address)
{
	return (uintptr_t)address - (uintptr_t)peer_memory() < peer_memory_size();
}

/* GCC calls these before each access: a volatile one of 4 bytes, and any other. */
void __tsan_volatile_read4(void *address)
{
	if (!is_in_memory(address))
		return;
	assert_int_equal((uint8_t *)address - peer_memory(), next_load);
	next_load += 4;
	loads++;
}

void __tsan_volatile_write4(void *address)
{
	if (!is_in_memory(address))
		return;
	last_store = (uint32_t)((uint8_t *)address - peer_memory());
	stores++;
}

#define OTHER(name)                                  \
	void name(void *address)                     \
	{                                            \
		assert_false(is_in_memory(address)); \
	}
OTHER(__tsan_volatile_read1)
OTHER(__tsan_volatile_read2)
OTHER(__tsan_volatile_read8)
OTHER(__tsan_volatile_write1)
OTHER(__tsan_volatile_write2)
OTHER(__tsan_volatile_write8)
OTHER(__tsan_read1)
OTHER(__tsan_read2)
OTHER(__tsan_read4)
OTHER(__tsan_read8)
OTHER(__tsan_write1)
OTHER(__tsan_write2)
OTHER(__tsan_write4)
OTHER(__tsan_write8)
OTHER(__tsan_unaligned_read2)
OTHER(__tsan_unaligned_read4)
OTHER(__tsan_unaligned_read8)
OTHER(__tsan_unaligned_write2)
OTHER(__tsan_unaligned_write4)
OTHER(__tsan_unaligned_write8)
OTHER(__tsan_func_entry)

void __tsan_read_range(void *address, size_t size)
{
	for (size_t i = 0; i < size; i++)
		assert_false(is_in_memory((uint8_t *)address + i));
}

void __tsan_write_range(void *address, size_t size)
{
	__tsan_read_range(address, size);
}

void __tsan_func_exit(void)
{
}

void __tsan_init(void)
{
}

static void forget(uint32_t offset)
{
	loads = stores = 0;
	next_load = offset;
}

TEST(each_word_is_read_once)
{
	for (unsigned limit = BAREPROF_FRAME_MIN; limit <= BAREPROF_FRAME_MAX; limit += 3) {
		peer_begin(1024, 4, limit);
		memset(peer_memory() + 500, 0, 1700);
		forget(4);
		peer_read(1, 4, 4000, limit);
		peer_expect_data(1, 4, 4000, limit);
		assert_int_equal(loads, 1000);
		assert_int_equal(stores, 0);
	}
}

TEST(a_poll_reads_a_bounded_number_of_words)
{
	for (unsigned limit = BAREPROF_FRAME_MIN; limit <= BAREPROF_FRAME_MAX; limit++) {
		peer_begin(4096, 4, limit);
		memset(peer_memory(), 0, 16384);
		forget(0);
		peer_read(1, 0, 16384, limit);
		while (next_load != 16384) {
			const uint32_t before = loads;

			bareprof_poll();
			assert_true(loads - before <= limit);
		}
	}
}

TEST(requests_that_read_nothing_touch_nothing)
{
	peer_begin(1024, 4, 64);
	forget(0);
	peer_identify(1);
	peer_read(2, 4092, 8, 64);
	peer_write(3, 0, 0);
	peer_request(4, 4, NULL, 0);
	peer_poll();
	assert_int_equal(loads + stores, 0);
}

TEST(a_write_is_one_store)
{
	peer_begin(1024, 4, 64);
	forget(0);
	peer_write(3, 3072 + BAREPROF_OFFSET_CONTROL_REQUEST, 0x01020304);
	peer_poll();
	assert_int_equal(loads, 0);
	assert_int_equal(stores, 1);
	assert_int_equal(last_store, 3072 + BAREPROF_OFFSET_CONTROL_REQUEST);
}
