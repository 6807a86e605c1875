/* SPDX-License-Identifier: MIT */
/* Decoding of one function, in two passes: first the targets of branches within it, at which constants in registers are
 * forgotten, then its calls and exits. See code_unit.h. */
#include "firmware/calls/code_unit.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/bits.h"

#include <string.h>

struct decoding {
	const struct image *image;
	const struct decoder *decoder;
	const struct unit_hook *hook;
	struct code_unit *unit;
	uint8_t *labels;          /* a bit per byte, as in ends: a branch leads there */
	struct code_place before; /* the instruction executed just before; size 0: unknown */
	struct instruction_walk walk;
	bool pushes_link, pops_return;
	bool reaches_next; /* control may reach the next instruction */
	bool out_of_memory;
};

typedef void (*instruction_found)(struct decoding *decoding, const struct code_place *place,
                                  const struct instruction *instruction);

static bool is_inside(const struct code_unit *unit, uint64_t address)
{
	return address >= unit->start && address < unit->end;
}

static bool is_label(const struct decoding *decoding, uint64_t address)
{
	return has_bit(decoding->labels, address - decoding->unit->start);
}

static bool is_jump(const struct instruction *instruction)
{
	return instruction->flow == FLOW_JUMP || instruction->flow == FLOW_BRANCH;
}

static void mark_unit_label(struct decoding *decoding, const struct code_place *place,
                            const struct instruction *instruction)
{
	const struct code_unit *unit = decoding->unit;

	(void)place;
	if (is_jump(instruction) && instruction->has_target && is_inside(unit, instruction->target))
		set_bit(decoding->labels, instruction->target - unit->start);
}

/* --- Collecting. */

static void add_unit_call(struct decoding *decoding, struct unit_call call)
{
	struct code_unit *unit = decoding->unit;

	if (!array_append(&unit->calls, &unit->call_count, &call, sizeof call))
		decoding->out_of_memory = true;
}

static void add_exit(struct decoding *decoding, uint64_t target)
{
	struct code_unit *unit = decoding->unit;

	if (!is_inside(unit, target) && !array_append(&unit->exits, &unit->exit_count, &target, sizeof target))
		decoding->out_of_memory = true;
}

/*
 * Whether the target is in the instruction, or in a register that the previous instruction set. A register that was set
 * earlier proves nothing: another function, such as an outlined part, may jump here with another value in it.
 */
static bool target_is_certain(const struct decoding *decoding, const struct code_place *place,
                              const struct instruction *instruction)
{
	const struct decoder *decoder = decoding->decoder;
	struct known_registers registers;
	struct instruction before = {.length = 0}, again = {.length = 0};

	if (!instruction->has_target)
		return false;
	forget_all(&registers);
	decoder->decode(place, &registers, &again);
	if (again.has_target || decoding->before.size == 0)
		return again.has_target;
	forget_all(&registers);
	decoder->decode(&decoding->before, &registers, &before);
	decoder->decode(place, &registers, &again);
	return again.has_target && again.target == instruction->target;
}

/* The function passed to the hook may have been inlined here; its return address is then the containing function's. */
static void add_hook(struct decoding *decoding, const struct known_registers *registers)
{
	unsigned number = decoding->decoder->first_argument;

	if (register_is_known(registers, number))
		add_exit(decoding, registers->values[number] & ~image_thumb_bit(decoding->image));
	else
		decoding->unit->goes_anywhere = true;
}

static bool is_hook_or_veneer(const struct decoding *decoding, const struct instruction *instruction)
{
	return decoding->hook->is_known && instruction->has_target &&
	       veneer_end(decoding->decoder, decoding->image, instruction->target) == decoding->hook->address;
}

static void add_jump(struct decoding *decoding, const struct code_place *place, const struct instruction *instruction)
{
	if (target_is_certain(decoding, place, instruction))
		add_exit(decoding, instruction->target);
	else if (instruction->returns == RETURN_FROM_STACK)
		decoding->pops_return = true;
	else if (instruction->returns == RETURN_NONE)
		decoding->unit->goes_anywhere = true;
}

static void record_instruction(struct decoding *decoding, const struct code_place *place,
                               const struct instruction *instruction)
{
	uint64_t end = place->address + instruction->length;

	decoding->reaches_next |= is_label(decoding, place->address);
	set_bit(decoding->unit->ends, end - decoding->unit->start);
	decoding->pushes_link |= instruction->pushes_link;
	/* Padding after a jump is not reached; code after a jump is reached if a branch leads there. */
	decoding->reaches_next &= instruction->flow != FLOW_JUMP;
	if (instruction->may_be_table_jump) {
		decoding->unit->goes_anywhere = true;
		add_unit_call(decoding, (struct unit_call){.end = end});
	} else if (is_jump(instruction)) {
		add_jump(decoding, place, instruction);
	} else if (instruction->flow == FLOW_CALL) {
		bool is_certain = target_is_certain(decoding, place, instruction);
		const struct unit_call call = {end, is_certain, is_certain ? instruction->target : 0};

		add_unit_call(decoding, call);
		if (is_hook_or_veneer(decoding, instruction))
			add_hook(decoding, &decoding->walk.registers);
	}
}

/* --- */

static void decode_unit_segment(struct decoding *decoding, const struct segment *segment, instruction_found found)
{
	struct instruction_walk *walk = &decoding->walk;

	instruction_walk_begin(walk, decoding->decoder, decoding->image, segment);
	decoding->before = (struct code_place){.size = 0};
	while (instruction_walk_next(walk)) {
		enum instruction_flow flow = walk->instruction.flow;

		found(decoding, &walk->place, &walk->instruction);
		decoding->before = walk->place;
		if (flow == FLOW_CALL || flow == FLOW_JUMP ||
		    is_label(decoding, walk->place.address + walk->instruction.length))
			forget_all(&walk->registers);
		if (flow == FLOW_CALL || flow == FLOW_JUMP)
			decoding->before.size = 0;
	}
	decoding->unit->goes_anywhere |= walk->place.size > 0;
}

/* Sorts exits and removes duplicates, because branches share targets. */
static void order_exits(struct code_unit *unit)
{
	size_t kept = 0;

	if (unit->exit_count == 0)
		return;
	qsort(unit->exits, unit->exit_count, sizeof *unit->exits, order_numbers);
	for (size_t i = 0; i < unit->exit_count; i++)
		if (kept == 0 || unit->exits[kept - 1] != unit->exits[i])
			unit->exits[kept++] = unit->exits[i];
	unit->exit_count = kept;
}

static void collect_calls(struct decoding *decoding, const struct segment *segments, size_t count)
{
	struct code_unit *unit = decoding->unit;

	for (size_t i = 0; i < count; i++)
		decode_unit_segment(decoding, &segments[i], mark_unit_label);
	for (size_t i = 0; i < count; i++) {
		decoding->reaches_next = true;
		decode_unit_segment(decoding, &segments[i], record_instruction);
	}
	if (decoding->reaches_next)
		add_exit(decoding, unit->end);
	if (decoding->pops_return && !decoding->pushes_link)
		unit->goes_anywhere = true;
	order_exits(unit);
}

bool code_unit_decode(const struct image *image, const struct segment *segments, size_t count,
                      const struct unit_hook *hook, struct code_unit *unit)
{
	uint64_t start = segments[0].start, end = segments[count - 1].end;

	*unit = (struct code_unit){.start = start, .end = end};
	struct decoding decoding = {
	        .image = image,
	        .decoder = decoder_of(image),
	        .hook = hook,
	        .unit = unit,
	        .labels = calloc((end - start) / 8 + 1, 1),
	};
	unit->ends = calloc((end - start) / 8 + 1, 1);
	decoding.out_of_memory = decoding.labels == NULL || unit->ends == NULL;
	if (!decoding.out_of_memory)
		collect_calls(&decoding, segments, count);
	free(decoding.labels);
	if (decoding.out_of_memory)
		code_unit_free(unit);
	return !decoding.out_of_memory;
}

void code_unit_free(struct code_unit *unit)
{
	free(unit->ends);
	free(unit->calls);
	free(unit->exits);
	*unit = (struct code_unit){.ends = NULL};
}

bool code_unit_has_end(const struct code_unit *unit, uint64_t address)
{
	return address >= unit->start && address <= unit->end && has_bit(unit->ends, address - unit->start);
}

static int compare_end(const void *key, const void *item)
{
	uint64_t end = *(const uint64_t *)key;
	const struct unit_call *call = item;

	return (end > call->end) - (end < call->end);
}

const struct unit_call *code_unit_call(const struct code_unit *unit, uint64_t address)
{
	return unit->call_count == 0
	               ? NULL
	               : bsearch(&address, unit->calls, unit->call_count, sizeof *unit->calls, compare_end);
}
