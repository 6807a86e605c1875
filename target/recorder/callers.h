/* SPDX-License-Identifier: MIT */
/*
 * Unwinding on the target, by the table of <bareprof/unwind_table.h>.
 *
 * The stack is untrusted: each frame begins above the one before, nothing outside the stack is read, and the length of
 * a path is limited. The table is trusted once bareprof_callers_table_is_valid() has accepted it.
 */
#ifndef RECORDER_CALLERS_H
#define RECORDER_CALLERS_H

#include <bareprof/unwind_table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The return addresses that a path may have. They are collected on the stack of the sampling interrupt. */
#define CALLERS_DEPTH_MAX 64u

/* The header of a table as the target reads it. */
struct callers_table {
	uint32_t magic;
	uint32_t crc;
	uint32_t size;
	uint8_t version;
	uint8_t address_size;
	uint16_t recipe_count;
	uint32_t identity;
	uint32_t page_count;
	uint64_t base;
	uint32_t recipes[]; /* then the pages and the rows */
};

#define CALLERS_AT(field, offset) \
	_Static_assert(offsetof(struct callers_table, field) == (offset), #field " is not at " #offset)
CALLERS_AT(magic, BAREPROF_TABLE_OFFSET_MAGIC);
CALLERS_AT(crc, BAREPROF_TABLE_OFFSET_CRC);
CALLERS_AT(size, BAREPROF_TABLE_OFFSET_SIZE);
CALLERS_AT(version, BAREPROF_TABLE_OFFSET_VERSION);
CALLERS_AT(address_size, BAREPROF_TABLE_OFFSET_ADDRESS_SIZE);
CALLERS_AT(recipe_count, BAREPROF_TABLE_OFFSET_RECIPES);
CALLERS_AT(identity, BAREPROF_TABLE_OFFSET_IDENTITY);
CALLERS_AT(page_count, BAREPROF_TABLE_OFFSET_PAGES);
CALLERS_AT(base, BAREPROF_TABLE_OFFSET_BASE);
CALLERS_AT(recipes, BAREPROF_TABLE_HEADER_SIZE);
#undef CALLERS_AT

/* Interrupted code. */
struct callers_registers {
	uintptr_t pc;
	uintptr_t lr;
	uintptr_t sp; /* aligned to a word, and within a stack */
	uintptr_t fp;
};

struct callers_path {
	uintptr_t leaf; /* the start of the row that contains the interrupted PC; outside the table, of its page */
	uint32_t depth;
	uint32_t end;                         /* BAREPROF_END_* */
	uintptr_t returns[CALLERS_DEPTH_MAX]; /* as in the registers, the innermost first */
};

/*
 * Whether these bytes of flash are a table of the build with this identity. It takes about 40 instructions per byte.
 * Nothing else of the table is checked: anyone who can write a wrong one with a valid CRC into flash can also write
 * code there.
 */
bool bareprof_callers_table_is_valid(const struct callers_table *table, uint32_t capacity, uint32_t identity);

/* Unwinds one stack, which ends at stack_end. */
void bareprof_callers_find(const struct callers_table *table, const struct callers_registers *registers,
                           uintptr_t stack_end, struct callers_path *path);

/* The CRC-32 of IEEE 802.3. */
uint32_t bareprof_callers_crc(const uint8_t *bytes, uint32_t size);

#endif
