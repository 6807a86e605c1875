/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an unwind table, by which firmware with path trees finds callers. `bareprof unwind-table` compiles it
 * from the frame information of the ELF; docs/FORMAT.md explains it. Integers are in the byte order of the target.
 *
 * The code is divided into pages of 256 bytes. The rows of a page are next to each other; the first begins at the start
 * of the page, and each extends to the next. After the header come the ends of the pages' rows (u16, offsets in the
 * table in units of 2 bytes), then the rows (u16) and the recipes (u32).
 *
 * A table covers one piece of code. Tables of other pieces may follow; a table that another one follows has a size that
 * is a multiple of 8.
 */
#ifndef BAREPROF_UNWIND_TABLE_H
#define BAREPROF_UNWIND_TABLE_H

#include <bareprof/block.h>

/* "PU", the version, and 4 or 8, the size of a word of the stack; a number in the byte order of the target. */
#define BAREPROF_TABLE_MAGIC(address_size) (0x00325550u | (uint32_t)(address_size) << 24)

#define BAREPROF_TABLE_OFFSET_MAGIC    0x00 /* u32 */
#define BAREPROF_TABLE_OFFSET_CRC      0x04 /* u32, CRC-32 of IEEE 802.3 over all bytes after this word */
#define BAREPROF_TABLE_OFFSET_SIZE     0x08 /* u32, bytes of the table, a multiple of 4 */
#define BAREPROF_TABLE_OFFSET_IDENTITY 0x0C /* u32, from the build-id, see below */
#define BAREPROF_TABLE_OFFSET_PAGES    0x10 /* u32, how many */
#define BAREPROF_TABLE_OFFSET_RECIPES  0x14 /* u32, where they begin */
#define BAREPROF_TABLE_OFFSET_BASE     0x18 /* u64, address of the first page, a multiple of 256 */
#define BAREPROF_TABLE_HEADER_SIZE     0x20

/* The identity of the first table is the exclusive or of the words (u32) of the build-id, cut or padded with zeros to
 * its size in the block; 0 without a build-id. The identity of any other table is the CRC of the table before it. */

#define BAREPROF_TABLE_PAGE_BYTES  256u
#define BAREPROF_TABLES_MAX        255u
#define BAREPROF_TABLE_RECIPES_MAX 512u
#define BAREPROF_TABLE_PLACE_MAX   65535u

/* A row: the distance from the start of the page in units of 2 bytes, and the index of a recipe. */
#define BAREPROF_TABLE_ROW(halfword, recipe) ((halfword) << 9 | (recipe))
#define BAREPROF_TABLE_ROW_BYTES(row)        ((row) >> 8 & 0xFEu) /* the distance in bytes */
#define BAREPROF_TABLE_ROW_RECIPE(row)       ((row)&0x1FFu)

/*
 * A recipe: where the caller's registers are. Distances are in words of the stack. The caller's stack pointer is `up`
 * words above the stack pointer or the frame pointer. The return address is in memory, `ra` words below the caller's
 * stack pointer, and the caller's frame pointer `fp` words below it; 0: still in its register.
 */
#define BAREPROF_RECIPE_FROM_FP 0x1u
#define BAREPROF_RECIPE_UP_MAX  0xFFFu
#define BAREPROF_RECIPE_FP_MAX  0xFFu
#define BAREPROF_RECIPE_RA_MAX  0x7Fu
#define BAREPROF_RECIPE(from_fp, up, fp, ra) \
	((uint32_t)(from_fp) | (uint32_t)(up) << 1 | (uint32_t)(fp) << 13 | (uint32_t)(ra) << 21)
#define BAREPROF_RECIPE_UP(recipe) ((recipe) >> 1 & BAREPROF_RECIPE_UP_MAX)
#define BAREPROF_RECIPE_FP(recipe) ((recipe) >> 13 & BAREPROF_RECIPE_FP_MAX)
#define BAREPROF_RECIPE_RA(recipe) ((recipe) >> 21 & BAREPROF_RECIPE_RA_MAX)
/*
 * The highest three bits are 0, or 1 + BAREPROF_END_* if paths that reach this code by a return address end here. They
 * are never 0 if the return address is in its register, because a call has overwritten it. With BAREPROF_RECIPE_ENDS,
 * paths that were interrupted here end as well, and all other bits are 0. BAREPROF_END_TASK without it means that no
 * call returns to the end of this code: an exit handler begins there, and its address is the return address of tasks.
 */
#define BAREPROF_RECIPE_ENDS                   0x10000000u
#define BAREPROF_RECIPE_OF_CALLS(end)          ((uint32_t)((end) + 1) << 29)
#define BAREPROF_RECIPE_OF_END(end)            (BAREPROF_RECIPE_OF_CALLS(end) | BAREPROF_RECIPE_ENDS)
#define BAREPROF_RECIPE_HAS_END(recipe)        ((recipe) >> 29 != 0)
#define BAREPROF_RECIPE_END(recipe)            (((recipe) >> 29) - 1u)
#define BAREPROF_RECIPE_IS_BEFORE_EXIT(recipe) ((recipe) >> 28 == BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_TASK) >> 28)

#endif
