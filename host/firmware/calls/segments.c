/* SPDX-License-Identifier: MIT */
/* See segments.h. */
#include "firmware/calls/segments.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* The value of a watched register. No jump leads there. */
#define WATCHED 1

/* Whether an extent, in an image divided by lines, continues the function before it. */
static bool continues_by_line(const struct image *image, size_t index)
{
	const struct image_function *function = &image->functions[index];

	return image->rule == IMAGE_BY_LINE && index > 0 && function->is_label && function[-1].end == function->start &&
	       strcmp(function[-1].name, function->name) == 0;
}

/* Calls target neither later extents of a function nor inlined code. */
static bool is_called_entry(const struct image *image, const struct image_function *function)
{
	size_t index = (size_t)(function - image->functions);

	return function->first == index && function->inlined_into == IMAGE_NOT_INLINED &&
	       !continues_by_line(image, index);
}

const struct image_function *function_with_entry(const struct image *image, uint64_t address)
{
	const struct image_function *function = image_function_at(image, address);

	return function != NULL && function->start == address && is_called_entry(image, function) ? function : NULL;
}

size_t first_extent_after(const struct image_extent *extents, size_t count, uint64_t address)
{
	return first_above(extents, count, sizeof *extents, offsetof(struct image_extent, end), address);
}

void segment_walk_begin(struct segment_walk *walk, const struct image *image, const struct image_code *code,
                        const struct image_extent *extents, size_t extent_count)
{
	*walk = (struct segment_walk){
	        .image = image,
	        .code = code,
	        .extents = extents,
	        .extent_count = extent_count,
	        .position = code->address,
	        .function = image_first_function_after(image, code->address),
	        .extent = first_extent_after(extents, extent_count, code->address),
	};
}

/* Skips data. */
static void skip_extents(struct segment_walk *walk)
{
	while (walk->extent < walk->extent_count && walk->extents[walk->extent].start <= walk->position) {
		if (walk->extents[walk->extent].end > walk->position)
			walk->position = walk->extents[walk->extent].end;
		walk->extent++;
	}
}

static uint64_t end_of_code(const struct segment_walk *walk)
{
	uint64_t end = walk->code->address + walk->code->size;

	if (walk->extent < walk->extent_count && walk->extents[walk->extent].start < end)
		end = walk->extents[walk->extent].start;
	return end;
}

/* The end of the current function with all of its lines. */
static uint64_t end_of_function(struct segment_walk *walk)
{
	const struct image *image = walk->image;
	size_t last = walk->function;

	while (last + 1 < image->function_count && continues_by_line(image, last + 1))
		last++;
	return image->functions[last].end;
}

bool segment_walk_next(struct segment_walk *walk, struct segment *segment)
{
	const struct image *image = walk->image;

	skip_extents(walk);
	if (walk->position >= walk->code->address + walk->code->size)
		return false;
	while (walk->function < image->function_count && image->functions[walk->function].end <= walk->position)
		walk->function++;
	bool has_next = walk->function < image->function_count;
	const struct image_function *next = has_next ? &image->functions[walk->function] : NULL;
	bool is_inside = has_next && next->start <= walk->position;
	uint64_t end = end_of_code(walk);
	uint64_t limit = is_inside ? end_of_function(walk) : has_next ? next->start : end;
	*segment = (struct segment){
	        .code = walk->code,
	        .function = is_inside ? next : NULL,
	        .start = walk->position,
	        .end = limit < end ? limit : end,
	};
	walk->position = segment->end;
	return true;
}

bool each_segment(const struct image *image, segment_found found, void *context)
{
	struct image_extent *extents;
	size_t extent_count;
	bool ok = image_data_in_code(image, &extents, &extent_count);

	if (!ok)
		return false;
	for (size_t i = 0; ok && i < image->code_count; i++) {
		struct segment_walk walk;
		struct segment segment;

		segment_walk_begin(&walk, image, &image->code[i], extents, extent_count);
		while (ok && segment_walk_next(&walk, &segment))
			ok = found(context, &segment);
	}
	free(extents);
	return ok;
}

void instruction_walk_begin(struct instruction_walk *walk, const struct decoder *decoder, const struct image *image,
                            const struct segment *segment)
{
	const uint8_t *bytes = segment->code->bytes + (segment->start - segment->code->address);

	*walk = (struct instruction_walk){
	        .decoder = decoder,
	        .place = {image, bytes, segment->end - segment->start, segment->start},
	};
}

bool instruction_walk_next(struct instruction_walk *walk)
{
	unsigned length = walk->instruction.length;

	walk->place.bytes += length;
	walk->place.size -= length;
	walk->place.address += length;
	walk->instruction = (struct instruction){.length = 0};
	if (walk->place.size > 0)
		walk->decoder->decode(&walk->place, &walk->registers, &walk->instruction);
	return walk->instruction.length != 0;
}

void instruction_walk_watch(struct instruction_walk *walk, unsigned watched)
{
	walk->registers.known = 0;
	set_register(&walk->registers, watched, WATCHED);
}

bool instruction_walk_keeps(const struct instruction_walk *walk, unsigned watched)
{
	return register_is_known(&walk->registers, watched) && walk->registers.values[watched] == WATCHED;
}

struct stack_effect instruction_walk_effect(const struct instruction_walk *walk)
{
	struct stack_effect effect = {.moves = false};

	if (walk->instruction.flow == FLOW_NEXT)
		walk->decoder->find_stack_effect(&walk->place, &walk->registers, &effect);
	return effect;
}

void each_data(const struct image *image, const struct image_extent *extents, size_t count, data_found found,
               void *context)
{
	for (size_t i = 0; i < image->data_count; i++)
		found(context, image->data[i].address, image->data[i].bytes, image->data[i].size);
	for (size_t i = 0; i < count; i++) {
		const struct image_extent *extent = &extents[i];
		const struct image_code *code = image_code_at(image, extent->start);

		if (extent->content == IMAGE_CONTENT_DATA && code != NULL && extent->end - code->address <= code->size)
			found(context, extent->start, code->bytes + (extent->start - code->address),
			      extent->end - extent->start);
	}
}
