/* SPDX-License-Identifier: MIT */
/* See fake.h. */
#include "fake.h"

#include <bareprof/block.h>
#include <string.h>

static void put(const struct fake *fake, uint8_t *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * (fake->big_endian ? size - 1 - i : i));
}

uint8_t *fake_at(struct fake *fake, uint64_t address)
{
	return fake->memory + (address - FAKE_BASE);
}

uint32_t fake_word(struct fake *fake, uint64_t address)
{
	const struct capture_order order = {.big_endian = fake->big_endian, .address_size = 4};

	return capture_u32(&order, fake_at(fake, address));
}

void fake_set_word(struct fake *fake, uint64_t address, uint32_t value)
{
	put(fake, fake_at(fake, address), value, 4);
}

static void put_entry(struct fake *fake, uint8_t *entry, uint8_t kind, uint8_t parameter, uint16_t item_size,
                      uint32_t offset, uint32_t capacity)
{
	entry[BAREPROF_ENTRY_KIND] = kind;
	entry[BAREPROF_ENTRY_PARAMETER] = parameter;
	put(fake, entry + BAREPROF_ENTRY_ITEM_SIZE, item_size, 2);
	put(fake, entry + BAREPROF_ENTRY_OFFSET, offset, 4);
	put(fake, entry + BAREPROF_ENTRY_CAPACITY, capacity, 4);
}

void fake_put_block(struct fake *fake, uint64_t address)
{
	uint8_t *block = fake_at(fake, address);
	uint8_t *directory = block + BAREPROF_OFFSET_DIRECTORY;

	memset(block, 0, FAKE_BLOCK_SIZE);
	memcpy(block, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	put(fake, block + BAREPROF_OFFSET_BYTE_ORDER, BAREPROF_BYTE_ORDER_MARK, 2);
	block[BAREPROF_OFFSET_MAJOR] = BAREPROF_FORMAT_MAJOR;
	block[BAREPROF_OFFSET_ADDRESS_SIZE] = 4;
	block[BAREPROF_OFFSET_DIRECTORY_COUNT] = 3;
	put(fake, block + BAREPROF_OFFSET_HEADER_SIZE, BAREPROF_HEADER_SIZE(4), 2);
	put(fake, block + BAREPROF_OFFSET_BLOCK_ADDRESS, address, 8);
	put(fake, block + BAREPROF_OFFSET_BLOCK_SIZE, FAKE_BLOCK_SIZE, 4);
	put(fake, block + BAREPROF_OFFSET_GATE, BAREPROF_GATE(address, BAREPROF_STATE_STOPPED), 4);
	put(fake, block + BAREPROF_OFFSET_TICKS, 12345, 4);
	put_entry(fake, directory, BAREPROF_SECTION_RANGES, 0, 8, BAREPROF_OFFSET_RANGES, BAREPROF_RANGE_CAPACITY);
	put_entry(fake, directory + 16, BAREPROF_SECTION_ARCS, 0, 12, FAKE_ARCS_OFFSET, FAKE_ARCS);
	put_entry(fake, directory + 32, BAREPROF_SECTION_BINS, 2, 2, FAKE_BINS_OFFSET, FAKE_BINS);
	put(fake, directory + BAREPROF_ENTRY_USED, 1, 4);
	put(fake, directory + 32 + BAREPROF_ENTRY_USED, 32, 4); /* as many as the range below takes */
	put(fake, block + BAREPROF_OFFSET_RANGES, 0x100, 4);
	put(fake, block + BAREPROF_OFFSET_RANGES + 4, 0x180, 4);
}

static bool is_inside(uint64_t address, size_t size)
{
	return address >= FAKE_BASE && address - FAKE_BASE <= FAKE_SIZE && size <= FAKE_SIZE - (address - FAKE_BASE);
}

static enum status fake_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct fake *fake = (struct fake *)target;

	fake->reads++;
	fake->bytes_read += size;
	if (fake->before_read != NULL)
		fake->before_read(fake, address, size);
	bool hit = fake->unreadable && fake->unreadable >= address && fake->unreadable - address < size;
	target->is_lost = hit && fake->loses_target;
	if (hit || !is_inside(address, size))
		return status_fail(error, "fake:: cannot read");
	memcpy(buffer, fake_at(fake, address), size);
	return STATUS_OK;
}

static enum status fake_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                              struct error *error)
{
	struct fake *fake = (struct fake *)target;

	if (!is_inside(address, size))
		return status_fail(error, "fake:: cannot write");
	memcpy(fake_at(fake, address), bytes, size);
	if (fake->writes < sizeof fake->written / sizeof fake->written[0])
		fake->written[fake->writes] = address;
	fake->writes++;
	return STATUS_OK;
}

static enum status fake_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct fake *fake = (struct fake *)target;

	(void)error;
	for (; milliseconds > 0; milliseconds--) {
		fake->milliseconds++;
		if (fake->each_millisecond != NULL)
			fake->each_millisecond(fake);
	}
	return STATUS_OK;
}

static void fake_traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_frames = true;
	traffic->frames.reconnections = ((const struct fake *)target)->reconnections;
}

void fake_init(struct fake *fake)
{
	memset(fake, 0, sizeof *fake);
	for (size_t i = 0; i < FAKE_SIZE; i++)
		fake->memory[i] = (uint8_t)(i * 11);
	fake->ops = (struct target_ops){.syntax.scheme = "fake",
	                                .is_live = true,
	                                .read = fake_read,
	                                .write = fake_write,
	                                .run = fake_run,
	                                .traffic = fake_traffic};
	target_init(&fake->target, &(struct source){.text = "fake:", .backend = &fake->ops});
}
