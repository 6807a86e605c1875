/* SPDX-License-Identifier: MIT */
/*
 * print_paths ELF CAPTURE [fpu|alignment]: unwinds the slices of a capture and prints a line for each, as the plugin
 * tests/qemu/shadow.c does: `NUMBER PC END CONTEXT DEPTH RETURN...`, the innermost return address first.
 *
 * With a third argument the stack pointers are as a target would report them that forgot that part of an exception
 * frame: the registers of the FPU (EXC_RETURN bit 4; Armv7-M ARM B1.5.8), or the word that aligns the frame to 8 bytes
 * (xPSR bit 9; B1.5.7).
 */
#include "base/file/file.h"
#include "capture/capture.h"
#include "firmware/unwind/unwind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FPU_FRAME_SIZE      72u
#define ALIGNER_SIZE        4u
#define EXC_RETURN_NO_FPU   0x10u
#define STACK_ALIGNMENT_MAX 8u

enum mutation { MUTATION_NONE, MUTATION_FPU, MUTATION_ALIGNMENT };

/* The bytes of an exception frame that the mutation takes for the stack of the interrupted code. */
static size_t forgotten_bytes(const struct capture_slice *slice, enum mutation mutation)
{
	switch (mutation) {
	case MUTATION_FPU:
		return slice->entry != 0 && (slice->entry & EXC_RETURN_NO_FPU) == 0 ? FPU_FRAME_SIZE : 0;
	case MUTATION_ALIGNMENT:
		return slice->entry != 0 && slice->sp % STACK_ALIGNMENT_MAX != 0 ? ALIGNER_SIZE : 0;
	default:
		return 0;
	}
}

static const char *end_word(enum unwind_end end)
{
	static const char *const words[BAREPROF_ENDS] = {
	        [UNWIND_ROOT] = "root",         [UNWIND_TASK] = "task",     [UNWIND_EXCEPTION] = "exception",
	        [UNWIND_CUT] = "cut",           [UNWIND_NO_ROW] = "no_row", [UNWIND_BAD] = "bad",
	        [UNWIND_WITHHELD] = "withheld",
	};

	return words[end];
}

static void print_path(const struct capture_slice *slice, const struct unwind_path *path)
{
	printf("%" PRIu32 " %" PRIx64 " %s %" PRIu32 " %zu", slice->number, slice->pc,
	       slice->is_bad ? "bad" : end_word(path->end), slice->context == CAPTURE_NO_CONTEXT ? 0 : slice->context,
	       path->depth);
	for (size_t i = 0; i < path->depth; i++)
		printf(" %" PRIx64, path->returns[i]);
	putchar('\n');
}

/* moved has room for the bytes of a slice and of a frame. */
static void print_slice(const struct unwinder *unwinder, const struct capture_slice *slice, enum mutation mutation,
                        uint8_t *moved)
{
	static uint64_t returns[UNWIND_DEPTH_MAX];
	struct unwind_path path = {.returns = returns, .end = UNWIND_WITHHELD};
	const size_t forgotten = slice->kept == NULL ? forgotten_bytes(slice, mutation) : 0;
	struct unwind_stack stack = {
	        .pc = slice->pc,
	        .lr = slice->lr,
	        .sp = slice->sp - forgotten,
	        .fp = slice->fp,
	        .entry = slice->entry,
	        .bytes = slice->bytes,
	        .size = slice->size + forgotten,
	        .is_whole = slice->is_whole,
	        .kept = slice->kept,
	};

	if (forgotten != 0) {
		memset(moved, 0, forgotten);
		memcpy(moved + forgotten, slice->bytes, slice->size);
		stack.bytes = moved;
	}
	if (!slice->is_withheld)
		unwind(unwinder, &stack, &path);
	print_path(slice, &path);
}

static enum status print_block(const struct unwinder *unwinder, const struct capture_block *block,
                               enum mutation mutation, struct error *error)
{
	uint8_t *moved = malloc(block->slice_bytes + FPU_FRAME_SIZE);

	if (moved == NULL)
		return status_no_memory(error, "print_paths");
	for (size_t i = 0; i < block->slice_count; i++)
		print_slice(unwinder, &block->slices[i], mutation, moved);
	free(moved);
	return STATUS_OK;
}

static enum status print_paths(const char *elf, const char *path, enum mutation mutation, struct error *error)
{
	struct image *image = NULL;
	struct unwinder *unwinder = NULL;
	struct capture *capture = NULL;
	uint8_t *bytes = NULL;
	size_t size = 0;

	enum status status = image_open(elf, &image, error);
	if (status == STATUS_OK)
		status = unwinder_create(image, &unwinder, error);
	if (status == STATUS_OK)
		status = file_read(path, &bytes, &size, error);
	if (status == STATUS_OK)
		status = capture_decode(path, bytes, size, &capture, error);
	for (size_t i = 0; status == STATUS_OK && i < capture->block_count; i++)
		status = print_block(unwinder, &capture->blocks[i], mutation, error);
	free(bytes);
	capture_close(capture);
	unwinder_free(unwinder);
	image_close(image);
	return status;
}

int main(int argc, char **argv)
{
	struct error error = {.message = ""};
	enum mutation mutation = MUTATION_NONE;

	if (argc == 4 && strcmp(argv[3], "fpu") == 0)
		mutation = MUTATION_FPU;
	else if (argc == 4 && strcmp(argv[3], "alignment") == 0)
		mutation = MUTATION_ALIGNMENT;
	else if (argc != 3)
		return 2;
	if (print_paths(argv[1], argv[2], mutation, &error) != STATUS_OK) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	return 0;
}
