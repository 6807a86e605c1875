/* SPDX-License-Identifier: MIT */
/* See hook_rows.h. */
#include "firmware/unwind/hook_rows.h"

#include "base/array.h"
#include "base/search.h"

#include <stdlib.h>

#define HOOK       "__gnu_mcount_nc"
#define PUSH_LR    0xB500u
#define PUSH_BYTES 2u
#define CALL_BYTES 4u
#define WORD       4

/* Thumb instructions are stored in little-endian order in every image (Armv7-M ARM A3.3.1). */
static uint32_t halfword_at(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Whether the bytes are a BL to the target (Armv7-M ARM A7.7.18, encoding T1). */
static bool calls(const uint8_t *bytes, uint64_t address, uint64_t target)
{
	const uint32_t first = halfword_at(bytes), second = halfword_at(bytes + 2);
	const uint32_t sign = first >> 10 & 1u;
	const uint32_t high = ~(second >> 13 ^ sign) & 1u, low = ~(second >> 11 ^ sign) & 1u;
	const uint32_t distance = sign << 24 | high << 23 | low << 22 | (first & 0x3FFu) << 12 | (second & 0x7FFu) << 1;
	const uint32_t extended = (distance ^ 1u << 24) - (1u << 24);

	return (first & 0xF800u) == 0xF000u && (second & 0xD000u) == 0xD000u &&
	       (uint32_t)(address + 4 + extended) == (uint32_t)target;
}

/* Adds the row of the call after a push at this address. */
static bool add_row(const struct frame_rows *given, uint64_t push, struct frame_rows *added)
{
	const struct frame_row *before = frame_row_at(given, push);

	if (before == NULL || before->base != FRAME_FROM_SP || before->offset > INT32_MAX - WORD)
		return true;
	struct frame_row row = *before;
	row.low = push + PUSH_BYTES;
	row.high = row.low + CALL_BYTES;
	row.offset += WORD;
	if (row.ra == FRAME_SAME) {
		row.ra = FRAME_SAVED;
		row.ra_offset = -row.offset;
	}
	return array_append(&added->rows, &added->count, &row, sizeof row);
}

static bool find_rows(const struct image *image, uint64_t hook, const struct frame_rows *given,
                      struct frame_rows *added)
{
	for (size_t i = 0; i < image->code_count; i++) {
		const struct image_code *code = &image->code[i];

		for (uint64_t at = code->address % 2; code->bytes != NULL && code->size >= PUSH_BYTES + CALL_BYTES &&
		                                      at <= code->size - (PUSH_BYTES + CALL_BYTES);
		     at += 2) {
			const uint8_t *bytes = code->bytes + at;
			const uint64_t address = code->address + at;

			if (halfword_at(bytes) == PUSH_LR && calls(bytes + PUSH_BYTES, address + PUSH_BYTES, hook) &&
			    !add_row(given, address, added))
				return false;
		}
	}
	return true;
}

static int compare_rows(const void *left, const void *right)
{
	const struct frame_row *a = left, *b = right;

	return compare_numbers(a->low, b->low);
}

/* Adds what a row says from low to high, unless that is empty. */
static bool add_part(struct frame_rows *rows, const struct frame_row *row, uint64_t low, uint64_t high)
{
	struct frame_row part = *row;

	part.low = low;
	part.high = high;
	return low >= high || array_append(&rows->rows, &rows->count, &part, sizeof part);
}

/* Both sorted and without overlaps; the added rows count. */
static bool merge(const struct frame_rows *given, const struct frame_rows *added, struct frame_rows *merged)
{
	size_t next = 0;

	for (size_t i = 0; i < given->count; i++) {
		const struct frame_row *row = &given->rows[i];
		uint64_t low = row->low;

		for (; next < added->count && added->rows[next].low < row->high; next++) {
			const struct frame_row *call = &added->rows[next];

			if (call->low < low || call->high > row->high)
				continue;
			if (!add_part(merged, row, low, call->low) || !add_part(merged, call, call->low, call->high))
				return false;
			low = call->high;
		}
		if (!add_part(merged, row, low, row->high))
			return false;
	}
	return true;
}

bool hook_rows_add(const struct image *image, struct frame_rows *rows)
{
	struct frame_rows added = {.rows = NULL}, merged = {.rows = NULL};
	uint64_t hook;

	if (image->isa != IMAGE_ISA_ARM || !image_symbol(image, HOOK, &hook))
		return true;
	bool ok = find_rows(image, hook, rows, &added);
	if (ok && added.count > 0) {
		qsort(added.rows, added.count, sizeof *added.rows, compare_rows);
		ok = merge(rows, &added, &merged);
		free(ok ? rows->rows : merged.rows);
		if (ok)
			*rows = merged;
	}
	free(added.rows);
	return ok;
}
