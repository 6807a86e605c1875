/* SPDX-License-Identifier: MIT */
/* Memory and registers of a target, through its backend. See target.h; core_control.c opens, runs and closes targets.
 */
#include "acquire/target/target.h"

#include <inttypes.h>
#include <stdio.h>

const struct target_observer target_nobody;

void target_init(struct target *target, const struct source *source)
{
	target->ops = source->backend;
	target->cancel = -1;
	target->observer = &target_nobody;
	snprintf(target->source, sizeof target->source, "%s", source->text);
}

void target_note(const struct target *target, const char *text)
{
	if (target->observer->note != NULL)
		target->observer->note(target->observer->context, text);
}

static enum status check_address_range(const struct target *target, uint64_t address, size_t size, struct error *error)
{
	if (size > 0 && address > UINT64_MAX - (size - 1))
		return status_fail(error, "%s: %zu bytes at 0x%" PRIx64 " do not fit into the address space",
		                   target->source, size, address);
	return STATUS_OK;
}

/* The part of size to transfer in one block. Blocks end at multiples of four, so that no word is split. */
static size_t block_of(uint64_t address, size_t size, size_t block)
{
	if (block == 0)
		return size;
	block -= address % 4;
	return size < block ? size : block;
}

enum status target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	uint8_t *bytes = buffer;
	size_t done = 0;

	enum status status = check_address_range(target, address, size, error);
	while (status == STATUS_OK && done < size) {
		size_t count = block_of(address + done, size - done, target->read_block);

		status = target->ops->read(target, address + done, bytes + done, count, error);
		done += count;
		if (status == STATUS_OK && target->read_block && target->observer->progress != NULL)
			target->observer->progress(target->observer->context, done, size);
	}
	return status;
}

enum status target_write(struct target *target, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const uint8_t *next = bytes;

	if (target->ops->write == NULL)
		return status_fail(error, "%s: cannot be written to", target->source);
	enum status status = check_address_range(target, address, size, error);
	while (status == STATUS_OK && size > 0) {
		size_t count = block_of(address, size, target->write_block);

		status = target->ops->write(target, address, next, count, error);
		address += count;
		next += count;
		size -= count;
	}
	return status;
}

enum status target_read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error)
{
	if (target->ops->read_register == NULL)
		return status_fail(error, "%s: cannot read a register of the core while it runs", target->source);
	return target->ops->read_register(target, address, words, count, error);
}

enum status target_write_register(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	if (target->ops->write_register == NULL)
		return status_fail(error, "%s: cannot write a register of the core", target->source);
	return target->ops->write_register(target, address, word, error);
}

bool target_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	if (target->ops->extent == NULL)
		return false;
	target->ops->extent(target, address, size);
	return true;
}

struct target_traffic target_traffic(const struct target *target)
{
	struct target_traffic traffic = {0};

	if (target->ops->traffic != NULL)
		target->ops->traffic(target, &traffic);
	return traffic;
}
