/* SPDX-License-Identifier: MIT */
/* Fingerprints, see fingerprint.h. Each function is decoded linearly from start to end, ignoring control flow, so that
 * equal code always decodes the same. */
#include "firmware/calls/fingerprint.h"

#include "base/array.h"
#include "firmware/bits.h"
#include "firmware/calls/decoder.h"
#include "firmware/calls/segments.h"

#include <string.h>

#define NO_OPERATION SIZE_MAX

/* Code of one function. */
struct code_piece {
	size_t function; /* index of its first extent */
	struct segment segment;
};

struct code_pieces {
	struct code_piece *items;
	size_t count;
};

/* An instruction with its address bits cleared. */
struct operation {
	uint64_t address, target;
	uint8_t bytes[INSTRUCTION_MAX];
	enum instruction_flow flow;
	bool has_target;
	bool is_left_out; /* a later instruction completes the address that it begins */
};

/* Addresses whose second part has not been decoded yet. */
struct beginnings {
	uint32_t registers;                /* a bit for each register that holds the first part of an address */
	size_t operations[REGISTER_COUNT]; /* the last operation that began an address in it */
};

/* The state of decoding one function. */
struct function_reading {
	const struct image *image;
	const struct decoder *decoder;
	struct operation *operations; /* in ascending order of address */
	size_t count;
	struct known_registers registers;
	struct beginnings begun, at_branch; /* at the current instruction, and at the last branch */
	bool out_of_memory;
};

/* --- Pieces. */

/* Split inlined code belongs to the function that contains it. */
static size_t containing_function_of(const struct image *image, size_t index)
{
	return image_containing_function(image, image->functions[index].first);
}

/* The pieces of wanted functions, while they are collected. */
struct collecting {
	const struct image *image;
	const bool *wanted;
	struct code_pieces *pieces;
};

static bool collect_segment(void *context, const struct segment *segment)
{
	const struct collecting *collecting = context;
	struct code_pieces *pieces = collecting->pieces;

	if (segment->function == NULL)
		return true;
	const struct code_piece piece = {
	        .segment = *segment,
	        .function = containing_function_of(collecting->image,
	                                           (size_t)(segment->function - collecting->image->functions)),
	};
	return !collecting->wanted[piece.function] ||
	       array_append(&pieces->items, &pieces->count, &piece, sizeof piece);
}

static int compare_code_pieces(const void *left, const void *right)
{
	const struct code_piece *a = left, *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->segment.start > b->segment.start) - (a->segment.start < b->segment.start);
}

/* Split inlined code may begin or end inside an instruction, but the containing function does not. */
static void join_pieces(struct code_pieces *pieces)
{
	size_t kept = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct code_piece *piece = &pieces->items[i];
		struct code_piece *last = kept == 0 ? NULL : &pieces->items[kept - 1];

		if (last != NULL && last->function == piece->function && last->segment.code == piece->segment.code &&
		    last->segment.end == piece->segment.start)
			last->segment.end = piece->segment.end;
		else
			pieces->items[kept++] = *piece;
	}
	pieces->count = kept;
}

static bool collect_pieces(const struct image *image, const bool *wanted, struct code_pieces *pieces)
{
	struct collecting collecting = {image, wanted, pieces};

	if (!each_segment(image, collect_segment, &collecting))
		return false;
	if (pieces->count == 0)
		return true;
	qsort(pieces->items, pieces->count, sizeof *pieces->items, compare_code_pieces);
	join_pieces(pieces);
	return true;
}

/* --- Operations. */

/* A register that was written no longer holds the first part of an address. */
static void forget_written(struct function_reading *reading, const struct known_registers *before,
                           const struct known_registers *after)
{
	for (unsigned i = 0; i < REGISTER_COUNT; i++)
		if (register_is_known(before, i) != register_is_known(after, i) ||
		    (register_is_known(before, i) && before->values[i] != after->values[i]))
			reading->begun.registers &= ~(UINT32_C(1) << i);
}

/* A jump uses up the address: afterwards the register may hold the return address. */
static void complete_address(struct function_reading *reading, const struct address_bits *address,
                             enum instruction_flow flow)
{
	size_t beginning = reading->begun.operations[address->register_number];

	if (!address->completes || beginning == NO_OPERATION)
		return;
	reading->operations[beginning].is_left_out = true;
	if (flow != FLOW_NEXT)
		reading->begun.registers &= ~(UINT32_C(1) << address->register_number);
}

static void note_begun_address(struct function_reading *reading, const struct address_bits *address)
{
	if (!address->begins)
		return;
	reading->begun.registers |= UINT32_C(1) << address->register_number;
	reading->begun.operations[address->register_number] = reading->count - 1;
}

/* The code after a jump is reached through an earlier branch, most likely the last one, so the addresses begun before
 * that branch are restored. */
static void follow_flow(struct function_reading *reading, enum instruction_flow flow)
{
	struct beginnings *begun = &reading->begun;
	uint32_t restored = reading->at_branch.registers & ~begun->registers;

	if (flow == FLOW_BRANCH)
		reading->at_branch = *begun;
	if (flow != FLOW_JUMP)
		return;
	for (unsigned i = 0; i < REGISTER_COUNT; i++)
		if ((restored >> i & 1) != 0)
			begun->operations[i] = reading->at_branch.operations[i];
	begun->registers |= restored;
}

/* before: the registers before the instruction. False when out of memory. */
static bool add_operation(struct function_reading *reading, const struct instruction_walk *walk,
                          const struct known_registers *before)
{
	const struct instruction *instruction = &walk->instruction;
	struct address_bits address = {.begins = false};

	walk->decoder->find_address(&walk->place, reading->begun.registers, &address);
	struct operation operation = {
	        .address = walk->place.address,
	        .flow = instruction->flow,
	        .has_target = instruction->has_target,
	        .target = instruction->target,
	};
	for (unsigned i = 0; i < instruction->length; i++)
		operation.bytes[i] = walk->place.bytes[i] & (uint8_t)~address.bits[i];
	if (!array_append(&reading->operations, &reading->count, &operation, sizeof operation)) {
		reading->out_of_memory = true;
		return false;
	}
	complete_address(reading, &address, instruction->flow);
	forget_written(reading, before, &walk->registers);
	note_begun_address(reading, &address);
	follow_flow(reading, instruction->flow);
	return true;
}

static void read_piece(struct function_reading *reading, const struct segment *segment)
{
	struct instruction_walk walk;

	instruction_walk_begin(&walk, reading->decoder, reading->image, segment);
	walk.registers = reading->registers;
	while (instruction_walk_next(&walk) && add_operation(reading, &walk, &reading->registers))
		reading->registers = walk.registers;
}

/* --- The hash. */

static uint64_t mix_hash(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) + UINT64_C(0x9E3779B97F4A7C15);
	hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
	return hash ^ hash >> 31;
}

static int compare_operations(const void *left, const void *right)
{
	const struct operation *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

/* The target of an instruction within the function, or NULL. */
static const struct operation *target_of(const struct function_reading *reading, const struct operation *operation)
{
	const struct operation key = {.address = operation->target};

	if (!operation->has_target)
		return NULL;
	return bsearch(&key, reading->operations, reading->count, sizeof key, compare_operations);
}

/* The signed number of counted instructions between an instruction and its target within the function; 0: the target
 * is outside. positions: the number of counted instructions before each. */
static uint64_t distance_to_target(const struct function_reading *reading, const size_t *positions, size_t index)
{
	const struct operation *target = target_of(reading, &reading->operations[index]);

	return target == NULL ? 0 : (positions[target - reading->operations] - positions[index]) << 1 | 1;
}

static void hash_operations(const struct function_reading *reading, const size_t *positions,
                            struct fingerprint *fingerprint)
{
	for (size_t i = 0; i < reading->count; i++) {
		const struct operation *operation = &reading->operations[i];

		if (operation->is_left_out)
			continue;
		uint64_t hash = mix_hash(fingerprint->hash, number_at(operation->bytes, INSTRUCTION_MAX, false));
		hash = mix_hash(hash, (uint64_t)operation->flow);
		fingerprint->hash = mix_hash(hash, distance_to_target(reading, positions, i));
		fingerprint->instructions++;
	}
}

static bool finish_fingerprint(struct function_reading *reading, struct fingerprint *fingerprint)
{
	size_t *positions = calloc(reading->count + 1, sizeof *positions);

	if (positions == NULL || reading->out_of_memory) {
		free(positions);
		return false;
	}
	for (size_t i = 0; i < reading->count; i++)
		positions[i + 1] = positions[i] + (reading->operations[i].is_left_out ? 0 : 1);
	hash_operations(reading, positions, fingerprint);
	free(positions);
	return true;
}

/* --- */

/* Reads the pieces [first, end), all of one function. */
static bool read_function(struct function_reading *reading, const struct code_pieces *pieces, size_t first, size_t end,
                          struct fingerprint *fingerprint)
{
	reading->count = 0;
	reading->begun.registers = 0;
	for (size_t i = 0; i < REGISTER_COUNT; i++)
		reading->begun.operations[i] = NO_OPERATION;
	reading->at_branch = reading->begun;
	forget_all(&reading->registers);
	for (size_t i = first; i < end; i++)
		read_piece(reading, &pieces->items[i].segment);
	return finish_fingerprint(reading, fingerprint);
}

static bool read_functions(const struct image *image, const struct code_pieces *pieces,
                           struct fingerprint *fingerprints)
{
	struct function_reading reading = {.image = image, .decoder = decoder_of(image)};
	bool ok = true;

	for (size_t i = 0, end; ok && i < pieces->count; i = end) {
		size_t function = pieces->items[i].function;

		for (end = i + 1; end < pieces->count && pieces->items[end].function == function;)
			end++;
		ok = read_function(&reading, pieces, i, end, &fingerprints[function]);
	}
	free(reading.operations);
	return ok;
}

bool fingerprints_find(const struct image *image, const bool *wanted, struct fingerprint *fingerprints)
{
	struct code_pieces pieces = {.items = NULL};

	memset(fingerprints, 0, image->function_count * sizeof *fingerprints);
	bool ok = decoder_of(image) != NULL && collect_pieces(image, wanted, &pieces) &&
	          read_functions(image, &pieces, fingerprints);
	free(pieces.items);
	if (!ok)
		memset(fingerprints, 0, image->function_count * sizeof *fingerprints);
	return ok;
}
