/* SPDX-License-Identifier: MIT */
/*
 * unwind ELF: measures the compilation of an ELF's rows, and the unwinding of a million stacks. The stacks are made
 * from its calls: each function was called by a random caller of it. Prints lines `FIGURE WHERE NUMBER`.
 */
#include "firmware/unwind/unwind.h"
#include "firmware/calls/calls.h"
#include "firmware/unwind/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STACKS 4096
#define ROUNDS 256
#define DEPTH  8
#define FRAMES 4 /* at least */
#define SP     0x20000000u
#define BYTES  8192

struct made {
	struct unwind_stack stack;
	uint64_t returns[DEPTH];
	size_t depth;
	uint8_t bytes[BYTES];
};

/* Processor time of this process, because other work may load the computer. */
static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t draw(uint64_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % limit;
}

static int by_target(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	return a->target != b->target ? (a->target > b->target) - (a->target < b->target)
	                              : (a->site > b->site) - (a->site < b->site);
}

/* Keeps the calls whose return address has a row that finds its caller by the stack pointer. Paths end in the first
 * function, where the ELF's entry point is. */
static void keep_usable(const struct image *image, struct calls *calls, const struct frame_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		const struct frame_row *row = frame_row_at(rows, call->site + call->length - 1);

		if (call->kind == CALL_DIRECT && call->site >= image->functions[0].end &&
		    call->target >= image->functions[0].end && row != NULL && row->base == FRAME_FROM_SP &&
		    row->ra == FRAME_SAVED)
			calls->items[kept++] = *call;
	}
	calls->count = kept;
	qsort(calls->items, calls->count, sizeof *calls->items, by_target);
}

/* A random call to the function at `callee`; NULL if there is none. */
static const struct call *caller_of(const struct calls *calls, uint64_t callee)
{
	size_t low = 0, high = calls->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (calls->items[middle].target < callee)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < calls->count && calls->items[high].target == callee;)
		high++;
	return low == high ? NULL : &calls->items[low + draw(high - low)];
}

/* Calls from the inside out. False if a frame does not fit, or if there are too few. */
static bool make(const struct image *image, const struct calls *calls, const struct frame_rows *rows, struct made *made)
{
	const struct call *call = &calls->items[draw(calls->count)];
	uint64_t thumb_bit = image_thumb_bit(image), base = 0;

	*made = (struct made){.stack = {.pc = call->target, .sp = SP, .size = BYTES}};
	made->stack.bytes = made->bytes;
	made->stack.lr = (call->site + call->length) | thumb_bit;
	while (call != NULL && made->depth < DEPTH) {
		uint64_t address = call->site + call->length - 1;
		const struct frame_row *row = frame_row_at(rows, address);
		const struct image_function *function = image_function_at(image, address);

		made->returns[made->depth++] = address + 1;
		base += (uint64_t)row->offset;
		call = function == NULL || made->depth == DEPTH ? NULL : caller_of(calls, function->start);
		uint64_t ra = call == NULL ? 0 : (call->site + call->length) | thumb_bit;
		if (row->offset <= 0 || base > BYTES || row->ra_offset > -4 || row->ra_offset < -row->offset)
			return false;
		memcpy(made->bytes + base + (uint64_t)(int64_t)row->ra_offset, &ra, image->address_size);
	}
	const struct frame_row *leaf = frame_row_at(rows, made->stack.pc);
	return made->depth >= FRAMES && leaf != NULL && leaf->base == FRAME_FROM_SP && leaf->offset == 0 &&
	       leaf->ra == FRAME_SAME;
}

static size_t code_size(const struct image *image)
{
	size_t size = 0;

	for (size_t i = 0; i < image->code_count; i++)
		size += image->code[i].size;
	return size;
}

static void fail(const char *why)
{
	fprintf(stderr, "unwind: %s\n", why);
	exit(1);
}

int main(int argc, char **argv)
{
	struct image *image;
	struct error error;
	struct calls calls;
	struct frame_rows rows;
	struct unwinder *unwinder;
	static struct made stacks[STACKS];
	static uint64_t returns[UNWIND_DEPTH_MAX];
	struct unwind_path path = {.returns = returns};
	size_t frames = 0;

	if (argc != 2 || image_open(argv[1], &image, &error) != STATUS_OK ||
	    calls_find(image, &calls, &error) != STATUS_OK ||
	    frame_rows_compile(image, &calls, &rows, &error) != STATUS_OK)
		fail(argc == 2 ? error.message : "missing ELF");
	keep_usable(image, &calls, &rows);
	double start = seconds();
	if (unwinder_create(image, &unwinder, &error) != STATUS_OK)
		fail(error.message);
	double compiled = seconds() - start;
	for (size_t i = 0; i < STACKS;)
		i += make(image, &calls, &rows, &stacks[i]);
	start = seconds();
	for (size_t i = 0; i < (size_t)STACKS * ROUNDS; i++) {
		const struct made *made = &stacks[i % STACKS];

		unwind(unwinder, &made->stack, &path);
		frames += path.depth;
		if (path.depth != made->depth || memcmp(returns, made->returns, path.depth * sizeof *returns) != 0 ||
		    (path.end != UNWIND_TASK && path.end != UNWIND_ROOT))
			fail("a path differs from its stack");
	}
	double unwound = seconds() - start;
	double million = (double)STACKS * ROUNDS / 1e6;
	fprintf(stderr, "%zu bytes of code, %zu rows, %.1f frames per stack\n", code_size(image), rows.count,
	        (double)frames / (STACKS * ROUNDS));
	printf("unwind-compile newlib %.2f\n", compiled * 1e3 * 51200 / (double)code_size(image));
	printf("unwind-million newlib %.2f\n", unwound / million);
	unwinder_free(unwinder);
	frame_rows_free(&rows);
	calls_free(&calls);
	image_close(image);
	return 0;
}
