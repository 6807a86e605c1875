/* SPDX-License-Identifier: MIT */
/* The pipes over TinyUSB: their calls of its functions, and their answers to the link. */
#include "../../../../package/tinyusb/bareprof_tinyusb.h"
#include "test.h"
#include "tusb.h"

#include <string.h>

/* A class of TinyUSB while no host listens: writes overwrite older bytes. */
static uint8_t sent[256];
static uint32_t sent_size, flushed_size, room;
static const uint8_t *coming;
static uint32_t coming_size;

static uint32_t give(void *buffer, uint32_t size)
{
	if (size > coming_size)
		size = coming_size;
	memcpy(buffer, coming, size);
	coming += size;
	coming_size -= size;
	return size;
}

static uint32_t take(const void *buffer, uint32_t size)
{
	assert_true(size <= room);
	memcpy(sent + sent_size, buffer, size);
	sent_size += size;
	room -= size;
	return size;
}

/* The functions of a class of TinyUSB, which are called for its first interface only. */
#define CLASS(name)                                                                      \
	uint32_t tud_##name##_n_read(uint8_t itf, void *buffer, uint32_t bufsize)        \
	{                                                                                \
		assert_int_equal(itf, 0);                                                \
		return give(buffer, bufsize);                                            \
	}                                                                                \
	uint32_t tud_##name##_n_write(uint8_t itf, void const *buffer, uint32_t bufsize) \
	{                                                                                \
		assert_int_equal(itf, 0);                                                \
		return take(buffer, bufsize);                                            \
	}                                                                                \
	uint32_t tud_##name##_n_write_flush(uint8_t itf)                                 \
	{                                                                                \
		assert_int_equal(itf, 0);                                                \
		flushed_size = sent_size;                                                \
		return 0;                                                                \
	}                                                                                \
	uint32_t tud_##name##_n_write_available(uint8_t itf)                             \
	{                                                                                \
		assert_int_equal(itf, 0);                                                \
		return room;                                                             \
	}
CLASS(cdc)
CLASS(vendor)

static const struct {
	size_t (*write)(const uint8_t *bytes, size_t size);
	size_t (*read)(uint8_t *bytes, size_t size);
} pipes[] = {{bareprof_cdc_write, bareprof_cdc_read}, {bareprof_vendor_write, bareprof_vendor_read}};

TEST(bytes_with_room_are_written_and_flushed)
{
	const uint8_t bytes[] = "0123456789";

	for (unsigned i = 0; i < 2; i++) {
		sent_size = flushed_size = 0;
		room = 7;
		assert_int_equal(pipes[i].write(bytes, 4), 4);
		assert_int_equal(flushed_size, 4);
		assert_int_equal(pipes[i].write(bytes + 4, 6), 3);
		assert_int_equal(flushed_size, 7);
		assert_int_equal(pipes[i].write(bytes + 7, 3), 0);
		assert_memory_equal(sent, bytes, 7);
	}
}

TEST(received_bytes_are_read)
{
	uint8_t bytes[4];

	for (unsigned i = 0; i < 2; i++) {
		coming = (const uint8_t *)"abcde";
		coming_size = 5;
		assert_int_equal(pipes[i].read(bytes, 4), 4);
		assert_memory_equal(bytes, "abcd", 4);
		assert_int_equal(pipes[i].read(bytes, 4), 1);
		assert_int_equal(bytes[0], 'e');
		assert_int_equal(pipes[i].read(bytes, 4), 0);
	}
}
