/* SPDX-License-Identifier: MIT */
/* Functions whose recorded callers are spurious: interrupt handlers that call a hook, and functions that call a hook
 * without setting its argument. */
#include "firmware/calls/decoder.h"

/* Stands for the value of the argument on entry. */
#define UNCHANGED UINT64_C(0x5EED5EED)

/* Whether the instruction at place writes the register of the hook's argument. */
static bool decode(const struct decoder *decoder, const struct code_place *place, struct known_registers *registers,
                   struct instruction *instruction)
{
	unsigned argument = decoder->first_argument;
	set_register(registers, argument, UNCHANGED);
	*instruction = (struct instruction){.length = 0};
	decoder->decode(place, registers, instruction);
	return !is_known(registers, argument) || registers->values[argument] != UNCHANGED;
}

static bool is_spurious(const struct decoder *decoder, struct code_place place, enum image_spurious_caller *reason)
{
	bool has_argument = false, calls_hook = false, returns_from_trap = false;
	struct known_registers registers = {.known = 0};
	struct instruction instruction;
	for (; place.size > 0; place.size -= instruction.length) {
		bool sets_argument = decode(decoder, &place, &registers, &instruction);
		has_argument |= sets_argument && !calls_hook;
		calls_hook |= instruction.flow == FLOW_CALL && instruction.has_target &&
		              image_is_hook(place.image, instruction.target);
		returns_from_trap |= instruction.returns == RETURN_FROM_TRAP;
		if (instruction.length == 0)
			break;
		if (instruction.flow != FLOW_NEXT)
			forget_all(&registers);
		place.bytes += instruction.length;
		place.address += instruction.length;
	}
	*reason = returns_from_trap ? IMAGE_INTERRUPT_ENTRY : IMAGE_NO_RETURN_ADDRESS;
	return calls_hook && (returns_from_trap || !has_argument);
}

void image_find_spurious_callers(const struct image *image, image_spurious_caller_found found, void *context)
{
	const struct decoder *decoder = decoder_of(image);
	if (decoder == NULL || !decoder->passes_caller || image->hook_count == 0)
		return;
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		const struct image_code *code = image_code_at(image, function->start);
		uint64_t size = function->end - function->start;
		enum image_spurious_caller reason;
		if (code == NULL || code->size - (function->start - code->address) < size)
			continue;
		const uint8_t *bytes = code->bytes + (function->start - code->address);
		if (is_spurious(decoder, (struct code_place){image, bytes, size, function->start}, &reason))
			found(context, function, reason);
	}
}
