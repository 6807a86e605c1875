/* SPDX-License-Identifier: MIT */
/* Finding calls. Each code section is decoded twice: first for the targets of branches, at which constants in registers
 * are forgotten, then for calls. All data words are searched for addresses. See calls.h. */
#include "firmware/calls/calls.h"

#include "base/array.h"
#include "firmware/bits.h"
#include "firmware/calls/decoder.h"
#include "firmware/calls/segments.h"

#include <string.h>

struct scan {
	const struct image *image;
	const struct decoder *decoder;
	struct image_extent *extents;
	size_t extent_count;
	struct calls *calls;
	uint8_t *labels; /* a bit for each byte of the current section: a branch leads there */
	bool out_of_memory;
};

typedef void (*instruction_found)(struct scan *scan, const struct segment *segment, uint64_t address,
                                  const struct instruction *instruction);

static void append_call(struct scan *scan, struct call call)
{
	if (!array_append(&scan->calls->items, &scan->calls->count, &call, sizeof call))
		scan->out_of_memory = true;
}

static void mark_section_label(struct scan *scan, const struct segment *segment, uint64_t address,
                               const struct instruction *instruction)
{
	(void)address;
	uint64_t offset = instruction->target - segment->code->address;
	bool is_branch = instruction->flow == FLOW_JUMP || instruction->flow == FLOW_BRANCH;
	if (is_branch && instruction->has_target && offset < segment->code->size)
		set_bit(scan->labels, offset);
}

/* --- Code. */

/* Whether target is the entry of another function: one with another name, since a function may have several extents. */
static bool leaves_function(const struct scan *scan, const struct segment *segment, uint64_t target)
{
	const struct image_function *callee = function_with_entry(scan->image, target);

	return callee != NULL && (segment->function == NULL || strcmp(callee->name, segment->function->name) != 0);
}

/* Records a call, or a jump to another function. */
static void record_flow(struct scan *scan, const struct segment *segment, struct call call,
                        const struct instruction *instruction)
{
	bool is_in_code = instruction->has_target && image_code_at(scan->image, instruction->target) != NULL;
	bool is_call = instruction->flow == FLOW_CALL;

	if (is_call && !instruction->has_target) {
		call.kind = CALL_INDIRECT;
		append_call(scan, call);
	} else if (is_in_code && (is_call || leaves_function(scan, segment, instruction->target))) {
		call.kind = is_call ? CALL_DIRECT : CALL_TAIL;
		call.target = veneer_end(scan->decoder, scan->image, instruction->target);
		append_call(scan, call);
	}
}

/* A literal that a veneer jumps to is not a pointer. */
static bool is_in_veneer(const struct scan *scan, uint64_t site)
{
	const struct image_function *function = image_function_at(scan->image, site);

	return function != NULL && veneer_end(scan->decoder, scan->image, function->start) != function->start;
}

/* Addresses of Thumb functions have bit 0 set. */
static void record_address(struct scan *scan, struct call call, uint64_t value)
{
	uint64_t thumb_bit = image_thumb_bit(scan->image);

	call.kind = CALL_ADDRESS;
	call.target = value & ~thumb_bit;
	if ((value & thumb_bit) == thumb_bit && function_with_entry(scan->image, call.target) != NULL &&
	    !is_in_veneer(scan, call.site))
		append_call(scan, call);
}

static void record_calls(struct scan *scan, const struct segment *segment, uint64_t address,
                         const struct instruction *instruction)
{
	const struct call call = {.site = address, .length = (uint8_t)instruction->length};

	if (instruction->flow != FLOW_NEXT)
		record_flow(scan, segment, call, instruction);
	if (instruction->has_constant)
		record_address(scan, call, instruction->constant);
}

static void walk_segment(struct scan *scan, const struct segment *segment, instruction_found found)
{
	struct instruction_walk walk;

	instruction_walk_begin(&walk, scan->decoder, scan->image, segment);
	while (instruction_walk_next(&walk)) {
		const struct instruction *instruction = &walk.instruction;
		uint64_t next = walk.place.address + instruction->length - segment->code->address;

		found(scan, segment, walk.place.address, instruction);
		if (instruction->flow == FLOW_CALL || instruction->flow == FLOW_JUMP || has_bit(scan->labels, next))
			forget_all(&walk.registers);
	}
}

static void walk_section(struct scan *scan, const struct image_code *code, instruction_found found)
{
	struct segment_walk walk;
	struct segment segment;

	segment_walk_begin(&walk, scan->image, code, scan->extents, scan->extent_count);
	while (segment_walk_next(&walk, &segment))
		walk_segment(scan, &segment, found);
}

static void scan_code(struct scan *scan, const struct image_code *code)
{
	scan->labels = calloc(code->size / 8 + 1, 1);
	if (scan->labels == NULL) {
		scan->out_of_memory = true;
		return;
	}
	walk_section(scan, code, mark_section_label);
	walk_section(scan, code, record_calls);
	free(scan->labels);
}

/* --- Data. */

/* Pointers are aligned. */
static void scan_words(void *context, uint64_t start, const uint8_t *bytes, uint64_t size)
{
	struct scan *scan = context;
	unsigned step = scan->image->address_size;

	for (uint64_t at = (0 - start) % step; at < size && size - at >= step; at += step)
		record_address(scan, (struct call){.site = start + at}, number_from(scan->image, bytes + at, step));
}

/* --- */

static int compare_call_sites(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->target > b->target) - (a->target < b->target);
}

/* Sections may overlap, so duplicates are removed. */
static void order_calls(struct calls *calls)
{
	size_t kept = 0;

	if (calls->count == 0)
		return;
	qsort(calls->items, calls->count, sizeof *calls->items, compare_call_sites);
	for (size_t i = 0; i < calls->count; i++)
		if (kept == 0 || compare_call_sites(&calls->items[kept - 1], &calls->items[i]) != 0)
			calls->items[kept++] = calls->items[i];
	calls->count = kept;
}

bool calls_can_decode(const struct image *image)
{
	return decoder_of(image) != NULL;
}

enum status calls_find(const struct image *image, struct calls *calls, struct error *error)
{
	struct scan scan = {.image = image, .decoder = decoder_of(image), .calls = calls};

	*calls = (struct calls){.items = NULL};
	if (scan.decoder == NULL)
		return STATUS_OK;
	scan.out_of_memory = !image_data_in_code(image, &scan.extents, &scan.extent_count);
	for (size_t i = 0; !scan.out_of_memory && i < image->code_count; i++)
		scan_code(&scan, &image->code[i]);
	if (!scan.out_of_memory)
		each_data(image, scan.extents, scan.extent_count, scan_words, &scan);
	free(scan.extents);
	order_calls(calls);
	if (scan.out_of_memory)
		return status_no_memory(error, image->path);
	return STATUS_OK;
}

void calls_free(struct calls *calls)
{
	free(calls->items);
	*calls = (struct calls){.items = NULL};
}
