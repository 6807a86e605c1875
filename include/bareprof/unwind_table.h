/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an unwind table, by which firmware with path trees finds callers. `bareprof unwind-table` compiles it
 * from the frame information of the ELF; docs/FORMAT.md explains it. Integers are in the byte order of the target.
 *
 * The code is divided into pages of 256 bytes. The rows of a page are next to each other, and the first one begins
 * where the page does. A row extends to the next one. After the header come the recipes (u32), then for each page the
 * number of its first row (u16), and after these the number of all rows, then the rows (u16).
 */
#ifndef BAREPROF_UNWIND_TABLE_H
#define BAREPROF_UNWIND_TABLE_H

#include <bareprof/block.h>

#define BAREPROF_TABLE_MAGIC   0x54555042u /* "BPUT", in the byte order of the target */
#define BAREPROF_TABLE_VERSION 1

#define BAREPROF_TABLE_OFFSET_MAGIC        0x00 /* u32 */
#define BAREPROF_TABLE_OFFSET_CRC          0x04 /* u32, CRC-32 of IEEE 802.3 over all bytes after this word */
#define BAREPROF_TABLE_OFFSET_SIZE         0x08 /* u32, bytes of the table, a multiple of 4 */
#define BAREPROF_TABLE_OFFSET_VERSION      0x0C /* u8 */
#define BAREPROF_TABLE_OFFSET_ADDRESS_SIZE 0x0D /* u8, 4 or 8: the bytes of a word of the stack */
#define BAREPROF_TABLE_OFFSET_RECIPES      0x0E /* u16, how many */
#define BAREPROF_TABLE_OFFSET_IDENTITY     0x10 /* u32, CRC-32 of the build-id, cut as in the block; 0 without one */
#define BAREPROF_TABLE_OFFSET_PAGES        0x14 /* u32, how many */
#define BAREPROF_TABLE_OFFSET_BASE         0x18 /* u64, address of the first page, a multiple of 256 */
#define BAREPROF_TABLE_HEADER_SIZE         0x20

#define BAREPROF_TABLE_PAGE_BYTES_LOG2 8
#define BAREPROF_TABLE_PAGE_BYTES      (1u << BAREPROF_TABLE_PAGE_BYTES_LOG2)
#define BAREPROF_TABLE_RECIPES_MAX     512u
#define BAREPROF_TABLE_ROWS_MAX        65535u

/* A row: the distance from the start of the page in units of 2 bytes, and the index of a recipe. */
#define BAREPROF_TABLE_ROW(halfword, recipe) ((halfword) << 9 | (recipe))
#define BAREPROF_TABLE_ROW_HALFWORD(row)     ((row) >> 9)
#define BAREPROF_TABLE_ROW_RECIPE(row)       ((row)&0x1FFu)

/*
 * A recipe: where the caller's registers are. Distances are in words of the stack. The caller's stack pointer is `up`
 * above the stack pointer or the frame pointer. The return address and the caller's frame pointer are in memory, `ra`
 * and `fp` below the caller's stack pointer; 0 means that they are still in their registers.
 */
#define BAREPROF_RECIPE_FROM_FP  0x1u
#define BAREPROF_RECIPE_UP_MAX   0xFFFu
#define BAREPROF_RECIPE_DOWN_MAX 0xFFu
#define BAREPROF_RECIPE(from_fp, up, fp, ra) \
	((uint32_t)(from_fp) | (uint32_t)(up) << 1 | (uint32_t)(fp) << 13 | (uint32_t)(ra) << 21)
#define BAREPROF_RECIPE_UP(recipe) ((recipe) >> 1 & BAREPROF_RECIPE_UP_MAX)
#define BAREPROF_RECIPE_FP(recipe) ((recipe) >> 13 & BAREPROF_RECIPE_DOWN_MAX)
#define BAREPROF_RECIPE_RA(recipe) ((recipe) >> 21 & BAREPROF_RECIPE_DOWN_MAX)
/* Code in which paths end: 1 + BAREPROF_END_* in the highest three bits, and 0 in all others. */
#define BAREPROF_RECIPE_OF_END(end)    ((uint32_t)((end) + 1) << 29)
#define BAREPROF_RECIPE_IS_END(recipe) ((recipe) >> 29 != 0)
#define BAREPROF_RECIPE_END(recipe)    (((recipe) >> 29) - 1u)

#endif
