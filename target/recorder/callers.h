/* SPDX-License-Identifier: MIT */
/*
 * Unwinding on the target, by the table of <bareprof/unwind_table.h>.
 *
 * The stack is untrusted: each frame must begin above the previous one, nothing outside the stack is read, and the
 * length of a path is limited. Tables are trusted once bareprof_callers_count_tables() has accepted them.
 */
#ifndef RECORDER_CALLERS_H
#define RECORDER_CALLERS_H

#include <bareprof/block.h>
#include <bareprof/unwind_table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of return addresses of a path. They are collected on the stack of the sampling interrupt. */
#define CALLERS_DEPTH_MAX BAREPROF_PATH_CALLS

/* The header of a table as the target reads it. Further tables follow it. */
struct callers_table {
	uint32_t magic;
	uint32_t crc;
	uint32_t size;
	uint32_t identity;
	uint32_t page_count;
	uint32_t recipes; /* offset */
	uint64_t base;
	uint16_t pages[]; /* then the rows and the recipes */
};

#define CALLERS_AT(field, offset) \
	_Static_assert(offsetof(struct callers_table, field) == (offset), #field " is not at " #offset)
CALLERS_AT(magic, BAREPROF_TABLE_OFFSET_MAGIC);
CALLERS_AT(crc, BAREPROF_TABLE_OFFSET_CRC);
CALLERS_AT(size, BAREPROF_TABLE_OFFSET_SIZE);
CALLERS_AT(identity, BAREPROF_TABLE_OFFSET_IDENTITY);
CALLERS_AT(page_count, BAREPROF_TABLE_OFFSET_PAGES);
CALLERS_AT(recipes, BAREPROF_TABLE_OFFSET_RECIPES);
CALLERS_AT(base, BAREPROF_TABLE_OFFSET_BASE);
CALLERS_AT(pages, BAREPROF_TABLE_HEADER_SIZE);
#undef CALLERS_AT

/* A path, and before that the registers of interrupted code. */
struct callers_path {
	uintptr_t lr;
	uintptr_t sp; /* aligned to a word, and within a stack */
	uintptr_t fp;
	uintptr_t stack_end;
	uint32_t end;    /* BAREPROF_END_* */
	uintptr_t *last; /* the outermost address: */
	/* At first the PC. In the path, the start of the row that contains it or, outside the table, of its page; then
	 * the return addresses as in the registers, the innermost first. */
	uintptr_t addresses[1 + CALLERS_DEPTH_MAX];
};

/*
 * Counts the valid tables at the start of these bytes of flash, for the build with this identity, in about 40
 * instructions per byte. Beyond CRC and identity nothing is checked: anyone who can write a wrong table into flash can
 * also write code there. The tables must be aligned to 8 bytes, the identity to 4.
 */
uint32_t bareprof_callers_count_tables(const struct callers_table *table, uint32_t capacity, const uint32_t *identity);

/* Unwinds one stack with `count` tables; count is not 0. */
void bareprof_callers_find(const struct callers_table *tables, uint32_t count, struct callers_path *path);

#endif
