/* SPDX-License-Identifier: MIT */
/* Memory through the system bus, while harts run ("RISC-V External Debug Support", 0.13.2, 3.10). */
#include "acquire/riscv/riscv_state.h"

static void add_bus_address(struct riscv *riscv, uint64_t address)
{
	if (BUS_ASIZE(riscv->bus) > 32)
		dtm_add_write(&riscv->dtm, DM_SBADDRESS1, (uint32_t)(address >> 32));
	dtm_add_write(&riscv->dtm, DM_SBADDRESS0, (uint32_t)address);
}

static uint32_t access_size(const struct access_block *block)
{
	return BUS_ACCESS(block->unit == 4 ? 2u : 0u);
}

/* Each read of sbdata0 starts the next access, except the last. */
static void bus_add_read(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	const uint32_t bus = BUS_CLEAR | BUS_AUTOINCREMENT | access_size(block);
	struct dtm *dtm = &riscv->dtm;

	dtm_add_write(dtm, DM_SBCS, bus | BUS_READ_ON_ADDR | (block->count > 1 ? BUS_READ_ON_DATA : 0));
	add_bus_address(riscv, block->address);
	for (size_t i = 0; i + 1 < block->count; i++)
		dtm_add_read(dtm, DM_SBDATA0, &block->words[i]);
	if (block->count > 1)
		dtm_add_write(dtm, DM_SBCS, BUS_AUTOINCREMENT | access_size(block));
	dtm_add_read(dtm, DM_SBDATA0, &block->words[block->count - 1]);
	dtm_add_read(dtm, DM_SBCS, result);
}

static void bus_add_write(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	struct dtm *dtm = &riscv->dtm;

	dtm_add_write(dtm, DM_SBCS, BUS_CLEAR | BUS_AUTOINCREMENT | access_size(block));
	add_bus_address(riscv, block->address);
	for (size_t i = 0; i < block->count; i++)
		dtm_add_write(dtm, DM_SBDATA0, block->words[i] >> 8 * ((block->address + i * block->unit) % 4));
	dtm_add_read(dtm, DM_SBCS, result);
}

/* Whether requests came too fast. If the bus is slower than the requests, the module reports that it was busy, and the
 * words are wrong. A transfer still in progress at the end counts, too. */
static bool bus_is_too_fast(uint32_t bus)
{
	return (bus & (BUS_BUSY_ERROR | BUS_BUSY)) != 0;
}

/* The errors of sbcs.sberror, by number. */
static const char *bus_error_of(uint32_t bus)
{
	static const char *const names[8] = {
	        [1] = "the target's bus does not answer in time",
	        [2] = "no memory is there, or it is protected",
	        [3] = "the bus refuses the alignment",
	        [4] = "the bus refuses the size of the access",
	};
	const char *name = names[(bus & BUS_ERROR) >> 12];

	return name != NULL || !(bus & BUS_ERROR) ? name : "the target's bus answers with an error";
}

const struct riscv_memory riscv_bus = {
        .add_read = bus_add_read,
        .add_write = bus_add_write,
        .is_too_fast = bus_is_too_fast,
        .error_of = bus_error_of,
        .result_name = "sbcs",
};
