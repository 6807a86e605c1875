/* SPDX-License-Identifier: MIT */
/*
 * RISC-V functions whose recorded callers are invented, found by their instructions: interrupt entries that call a
 * hook, and functions that call one without an argument. Knows nothing of DWARF and attributes. Encodings: The RISC-V
 * Instruction Set Manual, Volume I, chapters "RV32I", "C" and "Zicsr"; mret: Volume II, 3.3.2.
 */
#include "image/private.h"

#define MRET        0x30200073u
#define REGISTER_RA 1u
#define REGISTER_A0 10u

#define OPCODE(word)   ((word)&0x7Fu)
#define OPCODE_LOAD    0x03u
#define OPCODE_OP_IMM  0x13u
#define OPCODE_AUIPC   0x17u
#define OPCODE_OP      0x33u
#define OPCODE_JALR    0x67u
#define OPCODE_JAL     0x6Fu
#define RD(word)       ((word) >> 7 & 0x1Fu)
#define RS2_OF_C(half) ((half) >> 2 & 0x1Fu)
#define RS1(word)      ((word) >> 15 & 0x1Fu)

#define HOOKS_MAX 3

struct hooks {
	uint64_t addresses[HOOKS_MAX];
	size_t count;
};

/* A place in the code: size bytes are left. */
struct cursor {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t address;
	unsigned address_size;
};

static struct hooks find_hooks(const struct image *image)
{
	static const char *const names[HOOKS_MAX] = {"_mcount", "mcount", "__cyg_profile_func_enter"};
	struct hooks hooks = {.count = 0};
	for (size_t i = 0; i < HOOKS_MAX; i++)
		if (image_symbol(image, names[i], &hooks.addresses[hooks.count]))
			hooks.count++;
	return hooks;
}

static bool is_hook(const struct hooks *hooks, uint64_t address)
{
	for (size_t i = 0; i < hooks->count; i++)
		if (hooks->addresses[i] == address)
			return true;
	return false;
}

static uint32_t half_at(const struct cursor *cursor, uint64_t offset)
{
	return offset + 2 > cursor->size ? 0 : cursor->bytes[offset] | (uint32_t)cursor->bytes[offset + 1] << 8;
}

static uint32_t word_at(const struct cursor *cursor, uint64_t offset)
{
	return offset + 4 > cursor->size ? 0 : half_at(cursor, offset) | half_at(cursor, offset + 2) << 16;
}

/* Volume I, 1.5: the low bits of an instruction tell its length. */
static unsigned instruction_length(uint32_t half)
{
	if ((half & 0x03) != 0x03)
		return 2;
	if ((half & 0x1F) != 0x1F)
		return 4;
	if ((half & 0x3F) != 0x3F)
		return 6;
	return (half & 0x7F) == 0x3F ? 8 : 2;
}

/* Copies the bit of an operand that value holds at position from to position to. */
static uint32_t moved_bits(uint32_t value, unsigned from, unsigned to, unsigned count)
{
	return (value >> from & ((1u << count) - 1)) << to;
}

static uint64_t sign_extended(uint32_t value, unsigned bits)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);
	return ((uint64_t)value ^ sign) - sign;
}

static uint64_t jal_offset(uint32_t word)
{
	uint32_t offset = moved_bits(word, 21, 1, 10) | moved_bits(word, 20, 11, 1) | moved_bits(word, 12, 12, 8) |
	                  moved_bits(word, 31, 20, 1);
	return sign_extended(offset, 21);
}

static uint64_t compressed_jal_offset(uint32_t half)
{
	uint32_t offset = moved_bits(half, 3, 1, 3) | moved_bits(half, 11, 4, 1) | moved_bits(half, 2, 5, 1) |
	                  moved_bits(half, 7, 6, 1) | moved_bits(half, 6, 7, 1) | moved_bits(half, 9, 8, 2) |
	                  moved_bits(half, 8, 10, 1) | moved_bits(half, 12, 11, 1);
	return sign_extended(offset, 12);
}

static bool is_compressed_jal(const struct cursor *cursor, uint32_t half)
{
	/* In RV64C the same bits are c.addiw. */
	return cursor->address_size == 4 && (half & 0xE003u) == 0x2001u;
}

/* auipc to any register, then jalr through it: a call that the linker did not relax. */
static bool far_call_offset(const struct cursor *cursor, uint64_t *offset)
{
	uint32_t upper = word_at(cursor, 0);
	uint32_t jump = word_at(cursor, 4);
	if (OPCODE(upper) != OPCODE_AUIPC || OPCODE(jump) != OPCODE_JALR || RD(jump) != REGISTER_RA ||
	    RS1(jump) != RD(upper))
		return false;
	*offset = sign_extended(upper & 0xFFFFF000u, 32) + sign_extended(jump >> 20, 12);
	return true;
}

/* The target of the call at the cursor; false if no direct call is there. */
static bool call_target(const struct cursor *cursor, uint64_t *target)
{
	uint32_t half = half_at(cursor, 0);
	uint32_t word = word_at(cursor, 0);
	uint64_t offset;
	if (is_compressed_jal(cursor, half))
		offset = compressed_jal_offset(half);
	else if (OPCODE(word) == OPCODE_JAL && RD(word) == REGISTER_RA)
		offset = jal_offset(word);
	else if (!far_call_offset(cursor, &offset))
		return false;
	*target = cursor->address + offset;
	if (cursor->address_size == 4)
		*target &= UINT32_MAX;
	return true;
}

/* Whether the instruction at the cursor moves or loads something into a0, the way a return address gets there. */
static bool sets_argument(const struct cursor *cursor)
{
	uint32_t half = half_at(cursor, 0);
	uint32_t opcode = OPCODE(half);
	bool is_move = (half & 0xF003u) == 0x8002u && RS2_OF_C(half) != 0;
	bool is_load = (half & 0xE003u) == (cursor->address_size == 8 ? 0x6002u : 0x4002u);
	bool is_long = opcode == OPCODE_LOAD || opcode == OPCODE_OP_IMM || opcode == OPCODE_OP;
	return (is_move || is_load || is_long) && RD(half) == REGISTER_A0;
}

static bool is_invented(struct cursor cursor, const struct hooks *hooks, enum image_invention *invention)
{
	bool has_argument = false;
	bool calls_hook = false;
	bool returns_from_trap = false;
	while (cursor.size >= 2) {
		uint64_t target;
		if (!calls_hook && sets_argument(&cursor))
			has_argument = true;
		if (call_target(&cursor, &target) && is_hook(hooks, target))
			calls_hook = true;
		if (word_at(&cursor, 0) == MRET)
			returns_from_trap = true;
		unsigned length = instruction_length(half_at(&cursor, 0));
		if (length > cursor.size)
			break;
		cursor.bytes += length;
		cursor.address += length;
		cursor.size -= length;
	}
	*invention = returns_from_trap ? IMAGE_INTERRUPT_ENTRY : IMAGE_NO_RETURN_ADDRESS;
	return calls_hook && (returns_from_trap || !has_argument);
}

void image_find_inventions(const struct image *image, image_invention_found found, void *context)
{
	if (image->isa != IMAGE_ISA_RISCV || image->big_endian)
		return;
	struct hooks hooks = find_hooks(image);
	for (size_t i = 0; hooks.count > 0 && i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		const struct image_code *code = image_code_at(image, function->start);
		enum image_invention invention;
		if (code == NULL || code->size - (function->start - code->address) < function->end - function->start)
			continue;
		struct cursor cursor = {
		        .bytes = code->bytes + (function->start - code->address),
		        .size = function->end - function->start,
		        .address = function->start,
		        .address_size = image->address_size,
		};
		if (is_invented(cursor, &hooks, &invention))
			found(context, function, invention);
	}
}
