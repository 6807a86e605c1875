/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary bytes as a firmware ELF and, at their end, a stack: its rows, and paths from several of its functions. A
 * word of the stack is a return address of a call, an address in the stack, or any number.
 */
#include "fuzz.h"

#include "firmware/calls/calls.h"
#include "firmware/unwind/rows.h"
#include "firmware/unwind/unwind.h"

#define WORDS     64
#define SP        0x20000000u
#define STARTS    16 /* functions that are tried as the interrupted one */
#define NEEDS_MAX (UINT64_C(1) << 25)

/* Rows are sorted and disjoint, and each is in one function. */
static void check_rows(const struct image *image, const struct frame_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct frame_row *row = &rows->rows[i];
		const struct image_function *function = image_function_at(image, row->low);

		require(row->low < row->high && (i == 0 || rows->rows[i - 1].high <= row->low) && function != NULL &&
		        row->high <= function->end && frame_row_at(rows, row->low) == row &&
		        frame_row_at(rows, row->high - 1) == row);
	}
}

static uint64_t word_from(const struct image *image, const struct calls *calls, const uint8_t *bytes)
{
	uint64_t number = (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16;

	if (bytes[3] < 128 && calls->count > 0) {
		const struct call *call = &calls->items[number % calls->count];

		return (call->site + call->length) | image_thumb_bit(image);
	}
	if (bytes[3] < 192)
		return SP + number % (WORDS * 8);
	return bytes[3] == 255 ? 0xFFFFFF00u | bytes[0] : number | (uint64_t)bytes[3] << 24;
}

/* Makes a stack in memory of exactly its size. */
static uint8_t *make_stack(const struct image *image, const struct calls *calls, const uint8_t *data, size_t size,
                           size_t *stack_size)
{
	size_t words = size / 4 < WORDS ? size / 4 : WORDS, word_size = image->address_size;
	uint8_t *bytes = malloc(words * word_size + 1);

	require(bytes != NULL);
	for (size_t i = 0; i < words; i++) {
		uint64_t word = word_from(image, calls, data + 4 * i);

		for (size_t j = 0; j < word_size; j++)
			bytes[i * word_size + j] = (uint8_t)(word >> 8 * (image->big_endian ? word_size - 1 - j : j));
	}
	*stack_size = words * word_size;
	return bytes;
}

static void check_path(const struct unwinder *unwinder, const struct image *image, const struct unwind_stack *stack)
{
	static uint64_t returns[UNWIND_DEPTH_MAX];
	struct unwind_path path = {.returns = returns, .depth = 1, .end = 99, .needed = 1};

	unwind(unwinder, stack, &path);
	require(path.depth <= stack->size / image->address_size + 1 && path.end < BAREPROF_ENDS);
	require((path.end == UNWIND_CUT) == (path.needed != 0) && (path.end != UNWIND_CUT || !stack->is_whole) &&
	        path.needed < NEEDS_MAX && (path.needed == 0 || path.needed > stack->size));
	for (size_t i = 0; i < path.depth; i++)
		require(image_code_at(image, returns[i] - 1) != NULL || !calls_can_decode(image));
}

static void check_stacks(const struct image *image, const struct calls *calls, const uint8_t *data, size_t size)
{
	struct unwinder *unwinder;
	struct error error;
	size_t stack_size;
	uint8_t *bytes = make_stack(image, calls, data, size, &stack_size);

	require(unwinder_create(image, &unwinder, &error) == STATUS_OK);
	for (size_t i = 0; i < STARTS && i < image->function_count && size >= 16; i++) {
		const struct image_function *function = &image->functions[(data[i] + i) % image->function_count];
		struct unwind_stack stack = {
		        .pc = function->start + data[(i + 1) % 16] % (function->end - function->start),
		        .lr = word_from(image, calls, data + 4),
		        .fp = word_from(image, calls, data + 8),
		        .sp = data[0] == 77 ? UINT32_MAX - data[1] : SP,
		        .bytes = bytes,
		        .size = stack_size,
		};

		check_path(unwinder, image, &stack);
		stack.is_whole = true;
		check_path(unwinder, image, &stack);
		/* All words are there, but only some count. */
		stack.kept = data;
		check_path(unwinder, image, &stack);
	}
	unwinder_free(unwinder);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image;
	struct frame_rows rows;
	struct calls calls;
	struct error error;
	size_t tail = size < 4 * WORDS ? size : 4 * WORDS;

	if (image_decode("fuzz.elf", copy_of(data, size), size, &image, &error) != STATUS_OK)
		return 0;
	require(calls_find(image, &calls, &error) == STATUS_OK);
	require(frame_rows_compile(image, &calls, &rows, &error) == STATUS_OK);
	check_rows(image, &rows);
	frame_rows_free(&rows);
	check_stacks(image, &calls, data + size - tail, tail);
	calls_free(&calls);
	image_close(image);
	return 0;
}
