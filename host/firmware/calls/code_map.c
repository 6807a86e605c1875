/* SPDX-License-Identifier: MIT */
/* The map of instructions and blocks, see code_map.h. Each code section is decoded once, into two bits for each of its
 * bytes. Blocks are looked up for each sample and may be as long as the file, so look-ups read whole words of bits. */
#include "firmware/calls/code_map.h"

#include "firmware/calls/decoder.h"
#include "firmware/calls/segments.h"

#include <stdlib.h>

#define WORD_BITS 64u

/* The bits of one section of code, one per byte. */
struct code_bits {
	uint64_t *instructions; /* an instruction begins here */
	uint64_t *blocks;       /* a block or data begins here */
	uint64_t *before;       /* by word of instructions: the number that begin before it */
};

struct code_map {
	const struct image *image;
	const struct decoder *decoder; /* NULL: none */
	struct code_bits *bits;        /* parallel to image->code */
	size_t section_count;
	struct image_extent *extents;
	size_t extent_count;
	bool *calls_hook; /* by index of a function's first extent */
	bool has_hook_calls;
};

/* A byte of code, as section and offset. */
struct code_byte {
	size_t section;
	uint64_t offset;
};

static bool find_byte(const struct code_map *map, uint64_t address, struct code_byte *byte)
{
	const struct image_code *code = image_code_at(map->image, address);

	if (code == NULL)
		return false;
	*byte = (struct code_byte){(size_t)(code - map->image->code), address - code->address};
	return true;
}

static void set_code_bit(uint64_t *bits, uint64_t offset)
{
	bits[offset / WORD_BITS] |= UINT64_C(1) << offset % WORD_BITS;
}

static bool is_set(const uint64_t *bits, uint64_t offset)
{
	return (bits[offset / WORD_BITS] >> offset % WORD_BITS & 1) != 0;
}

/* The first set bit from low on; high if there is none before it. */
static uint64_t next_bit(const uint64_t *bits, uint64_t low, uint64_t high)
{
	uint64_t skipped = low % WORD_BITS;

	for (uint64_t at = low - skipped; at < high; at += WORD_BITS, skipped = 0) {
		uint64_t word = bits[at / WORD_BITS] >> skipped << skipped;

		if (word == 0)
			continue;
		uint64_t found = at + (uint64_t)__builtin_ctzll(word);
		return found < high ? found : high;
	}
	return high;
}

/* The last set bit up to and including high; UINT64_MAX if there is none. */
static uint64_t last_bit(const uint64_t *bits, uint64_t high)
{
	uint64_t left_out = WORD_BITS - 1 - high % WORD_BITS;

	for (uint64_t index = high / WORD_BITS + 1; index-- > 0; left_out = 0) {
		uint64_t word = bits[index] << left_out >> left_out;

		if (word != 0)
			return index * WORD_BITS + WORD_BITS - 1 - (uint64_t)__builtin_clzll(word);
	}
	return UINT64_MAX;
}

static uint64_t instructions_before(const struct code_bits *bits, uint64_t offset)
{
	uint64_t word = bits->instructions[offset / WORD_BITS] & ((UINT64_C(1) << offset % WORD_BITS) - 1);

	return bits->before[offset / WORD_BITS] + (uint64_t)__builtin_popcountll(word);
}

static void mark_block_start(void *context, uint64_t address)
{
	struct code_map *map = context;
	struct code_byte byte;

	if (find_byte(map, address, &byte))
		set_code_bit(map->bits[byte.section].blocks, byte.offset);
}

/* --- Decoding. */

static void note_hook_call(struct code_map *map, const struct segment *segment, uint64_t target)
{
	if (segment->function == NULL || !image_is_hook(map->image, veneer_end(map->decoder, map->image, target)))
		return;
	map->calls_hook[segment->function->first] = true;
	map->has_hook_calls = true;
}

static void mark_flow(struct code_map *map, const struct segment *segment, const struct code_place *place,
                      const struct instruction *instruction)
{
	bool is_branch = instruction->flow == FLOW_BRANCH || instruction->flow == FLOW_JUMP;

	if (is_branch)
		mark_block_start(map, place->address + instruction->length);
	if (is_branch && instruction->has_target)
		mark_block_start(map, instruction->target);
	if (instruction->flow == FLOW_JUMP && !instruction->has_target && map->decoder->each_table_target != NULL)
		map->decoder->each_table_target(place, mark_block_start, map);
	if ((instruction->flow == FLOW_CALL || instruction->flow == FLOW_JUMP) && instruction->has_target)
		note_hook_call(map, segment, instruction->target);
}

static void map_segment(struct code_map *map, const struct segment *segment, struct code_bits *bits)
{
	uint64_t base = segment->code->address;
	struct instruction_walk walk;

	set_code_bit(bits->blocks, segment->start - base);
	mark_block_start(map, segment->end);
	instruction_walk_begin(&walk, map->decoder, map->image, segment);
	while (instruction_walk_next(&walk)) {
		set_code_bit(bits->instructions, walk.place.address - base);
		mark_flow(map, segment, &walk.place, &walk.instruction);
		/* Registers that a branch from elsewhere may change are not tracked: hooks are called directly
		 * or through constants that are complete just before. */
		if (walk.instruction.flow != FLOW_NEXT)
			forget_all(&walk.registers);
	}
}

static void map_section(struct code_map *map, size_t section)
{
	struct segment_walk walk;
	struct segment segment;

	segment_walk_begin(&walk, map->image, &map->image->code[section], map->extents, map->extent_count);
	while (segment_walk_next(&walk, &segment))
		map_segment(map, &segment, &map->bits[section]);
}

static void count_instructions(const struct image_code *code, struct code_bits *bits)
{
	for (uint64_t i = 0; i < code->size / WORD_BITS; i++)
		bits->before[i + 1] = bits->before[i] + (uint64_t)__builtin_popcountll(bits->instructions[i]);
}

/* The function that a data word points into; NULL if none. */
static const struct image_function *function_of_word(const struct code_map *map, const uint8_t *word, uint64_t *address)
{
	uint64_t pointer = number_from(map->image, word, map->image->address_size);

	*address = pointer & ~image_thumb_bit(map->image);
	return image_function_at(map->image, *address);
}

/* Consecutive words that point into the same function are a jump table; a single one is more likely a number. */
static void mark_table(void *context, uint64_t base, const uint8_t *bytes, uint64_t size)
{
	struct code_map *map = context;
	uint64_t step = map->image->address_size, address = 0, before = 0;
	const struct image_function *function = NULL, *last = NULL;

	for (uint64_t at = (0 - base) % step; at < size && size - at >= step; at += step) {
		function = function_of_word(map, bytes + at, &address);
		if (function != NULL && function == last) {
			mark_block_start(map, before);
			mark_block_start(map, address);
		}
		last = function;
		before = address;
	}
}

static bool allocate_code_map(struct code_map *map)
{
	const struct image *image = map->image;

	map->bits = calloc(image->code_count + 1, sizeof *map->bits);
	map->calls_hook = calloc(image->function_count + 1, sizeof *map->calls_hook);
	if (map->bits == NULL || map->calls_hook == NULL ||
	    !image_data_in_code(image, &map->extents, &map->extent_count))
		return false;
	for (size_t i = 0; i < image->code_count; i++) {
		struct code_bits *bits = &map->bits[i];
		size_t words = image->code[i].size / WORD_BITS + 1;

		bits->instructions = calloc(words, sizeof *bits->instructions);
		bits->blocks = calloc(words, sizeof *bits->blocks);
		bits->before = calloc(words, sizeof *bits->before);
		if (bits->instructions == NULL || bits->blocks == NULL || bits->before == NULL)
			return false;
	}
	return true;
}

static void map_code(struct code_map *map)
{
	const struct image *image = map->image;

	for (size_t i = 0; i < image->code_count; i++) {
		map_section(map, i);
		count_instructions(&image->code[i], &map->bits[i]);
	}
	each_data(image, map->extents, map->extent_count, mark_table, map);
}

struct code_map *code_map_create(const struct image *image)
{
	struct code_map *map = calloc(1, sizeof *map);

	if (map == NULL)
		return NULL;
	map->image = image;
	map->section_count = image->code_count;
	map->decoder = image->big_endian ? NULL : decoder_of(image);
	if (!allocate_code_map(map)) {
		code_map_free(map);
		return NULL;
	}
	if (map->decoder != NULL)
		map_code(map);
	return map;
}

void code_map_free(struct code_map *map)
{
	if (map == NULL)
		return;
	for (size_t i = 0; map->bits != NULL && i < map->section_count; i++) {
		free(map->bits[i].instructions);
		free(map->bits[i].blocks);
		free(map->bits[i].before);
	}
	free(map->bits);
	free(map->extents);
	free(map->calls_hook);
	free(map);
}

/* --- Queries. */

bool code_map_is_decoded(const struct code_map *map)
{
	return map->decoder != NULL;
}

/* For an ISA without a decoder. */
static uint64_t count_bytes(const struct code_map *map, uint64_t low, uint64_t high)
{
	uint64_t bytes = high - low;

	for (size_t i = first_extent_after(map->extents, map->extent_count, low); i < map->extent_count; i++) {
		const struct image_extent *extent = &map->extents[i];
		uint64_t start = extent->start > low ? extent->start : low;
		uint64_t end = extent->end < high ? extent->end : high;

		if (start >= high)
			break;
		bytes -= extent->content == IMAGE_CONTENT_DATA ? end - start : 0;
	}
	return bytes;
}

uint64_t code_map_instructions(const struct code_map *map, uint64_t low, uint64_t high)
{
	struct code_byte byte;

	if (map->decoder == NULL)
		return high > low ? count_bytes(map, low, high) : 0;
	if (high <= low || !find_byte(map, low, &byte))
		return 0;
	uint64_t left = map->image->code[byte.section].size - byte.offset;
	uint64_t end = byte.offset + (high - low < left ? high - low : left);
	const struct code_bits *bits = &map->bits[byte.section];
	return instructions_before(bits, end) - instructions_before(bits, byte.offset);
}

bool code_map_begins_block(const struct code_map *map, uint64_t address)
{
	struct code_byte byte;

	return map->decoder == NULL || !find_byte(map, address, &byte) ||
	       is_set(map->bits[byte.section].blocks, byte.offset);
}

uint64_t code_map_block_end(const struct code_map *map, uint64_t low, uint64_t high)
{
	struct code_byte byte;

	if (map->decoder == NULL || !find_byte(map, low, &byte))
		return high;
	uint64_t left = map->image->code[byte.section].size - byte.offset;
	uint64_t end = byte.offset + (high - low < left ? high - low : left);
	uint64_t next = next_bit(map->bits[byte.section].blocks, byte.offset + 1, end);
	return next < end ? low + (next - byte.offset) : high;
}

uint64_t code_map_block_start(const struct code_map *map, uint64_t low, uint64_t high)
{
	struct code_byte byte;

	while (high > low && map->decoder != NULL && find_byte(map, high, &byte)) {
		uint64_t last = last_bit(map->bits[byte.section].blocks, byte.offset);
		uint64_t back = last == UINT64_MAX ? byte.offset + 1 : byte.offset - last;

		high = back < high - low ? high - back : low;
		if (last != UINT64_MAX)
			return high;
	}
	return high;
}

bool code_map_is_instrumented(const struct code_map *map, size_t function)
{
	return map->calls_hook[image_whole_function(map->image, function)];
}

bool code_map_has_hook_calls(const struct code_map *map)
{
	return map->has_hook_calls || map->decoder == NULL;
}
