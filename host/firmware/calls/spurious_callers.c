/* SPDX-License-Identifier: MIT */
/* Functions whose recorded callers are spurious: interrupt handlers that call a hook, functions that call a hook
 * without setting its argument, and functions that overwrite the link register before the hook reads it. */
#include "firmware/calls/segments.h"

/* Stands for the value of the argument on entry. */
#define UNCHANGED UINT64_C(0x5EED5EED)

/* Like instruction_walk_next(). Sets *sets_argument if the instruction writes the register of the argument. */
static bool next_instruction(struct instruction_walk *walk, bool *sets_argument)
{
	unsigned argument = walk->decoder->first_argument;

	set_register(&walk->registers, argument, UNCHANGED);
	bool is_decoded = instruction_walk_next(walk);
	*sets_argument =
	        !register_is_known(&walk->registers, argument) || walk->registers.values[argument] != UNCHANGED;
	return is_decoded;
}

static bool is_spurious(struct instruction_walk *walk, enum image_spurious_caller *reason)
{
	bool has_argument = false, calls_hook = false, returns_from_trap = false, sets_argument;

	while (next_instruction(walk, &sets_argument)) {
		const struct instruction *instruction = &walk->instruction;

		has_argument |= sets_argument && !calls_hook;
		calls_hook |= instruction->flow == FLOW_CALL && instruction->has_target &&
		              image_is_hook(walk->place.image, instruction->target);
		returns_from_trap |= instruction->returns == RETURN_FROM_TRAP;
		if (instruction->flow != FLOW_NEXT)
			forget_all(&walk->registers);
	}
	*reason = returns_from_trap ? IMAGE_INTERRUPT_ENTRY : IMAGE_NO_RETURN_ADDRESS;
	return calls_hook && (returns_from_trap || !has_argument);
}

/* Looks at the code up to the first call or jump only: -pg calls the hook before all others. */
static bool overwrites_link(struct instruction_walk *walk, uint64_t hook)
{
	const struct instruction *instruction = &walk->instruction;
	bool keeps = true;

	instruction_walk_watch(walk, walk->decoder->link);
	while (instruction_walk_next(walk) && instruction->flow == FLOW_NEXT)
		keeps = instruction_walk_keeps(walk, walk->decoder->link);
	return !keeps && instruction->flow == FLOW_CALL && instruction->has_target &&
	       veneer_end(walk->decoder, walk->place.image, instruction->target) == hook;
}

void image_find_spurious_callers(const struct image *image, image_spurious_caller_found found, void *context)
{
	const struct decoder *decoder = decoder_of(image);
	uint64_t hook = 0;

	/* Without an argument, only __gnu_mcount_nc has to find the caller: in the link register. */
	if (decoder == NULL || image->hook_count == 0 ||
	    (!decoder->passes_caller && !image_symbol(image, "__gnu_mcount_nc", &hook)))
		return;
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		const struct image_code *code = image_code_at(image, function->start);
		const struct segment segment = {code, function, function->start, function->end};
		enum image_spurious_caller reason = IMAGE_OVERWRITTEN_LINK;
		struct instruction_walk walk;

		if (code == NULL || function->end - code->address > code->size)
			continue;
		instruction_walk_begin(&walk, decoder, image, &segment);
		if (decoder->passes_caller ? is_spurious(&walk, &reason) : overwrites_link(&walk, hook))
			found(context, function, reason);
	}
}
