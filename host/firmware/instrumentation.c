/* SPDX-License-Identifier: MIT */
/*
 * RISC-V functions whose recorded callers are spurious, found by decoding: interrupt handlers that call a hook, and
 * functions that call a hook without setting its argument. Encodings: The RISC-V Instruction Set Manual, Volume I,
 * chapters "RV32I", "C" and "Zicsr"; mret: Volume II, 3.3.2.
 */
#include "firmware/private.h"
#include "firmware/riscv.h"

#define MRET 0x30200073u

#define HOOKS_MAX 3

struct hooks {
	uint64_t addresses[HOOKS_MAX];
	size_t count;
};

/* A position in the code, with size bytes left. */
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

static bool is_compressed_jal(const struct cursor *cursor, uint32_t half)
{
	/* In RV64C the same bits are c.addiw. */
	return cursor->address_size == 4 && (half & 0xE003u) == 0x2001u;
}

/* auipc to any register and jalr through it: a call that the linker did not relax. */
static bool far_call_offset(const struct cursor *cursor, uint64_t *offset)
{
	uint32_t upper = word_at(cursor, 0);
	uint32_t jump = word_at(cursor, 4);
	if (RISCV_OPCODE(upper) != RISCV_OPCODE_AUIPC || RISCV_OPCODE(jump) != RISCV_OPCODE_JALR ||
	    RISCV_RD(jump) != RISCV_REGISTER_RA || RISCV_RS1(jump) != RISCV_RD(upper))
		return false;
	*offset = sign_extended(upper & 0xFFFFF000u, 32) + sign_extended(jump >> 20, 12);
	return true;
}

/* The target of a direct call at the cursor; false if there is none. */
static bool call_target(const struct cursor *cursor, uint64_t *target)
{
	uint32_t half = half_at(cursor, 0);
	uint32_t word = word_at(cursor, 0);
	uint64_t offset;
	if (is_compressed_jal(cursor, half))
		offset = riscv_compressed_jal_offset(half);
	else if (RISCV_OPCODE(word) == RISCV_OPCODE_JAL && RISCV_RD(word) == RISCV_REGISTER_RA)
		offset = riscv_jal_offset(word);
	else if (!far_call_offset(cursor, &offset))
		return false;
	*target = cursor->address + offset;
	if (cursor->address_size == 4)
		*target &= UINT32_MAX;
	return true;
}

/* Whether the instruction at the cursor sets a0, as it must to pass a return address. */
static bool sets_argument(const struct cursor *cursor)
{
	uint32_t half = half_at(cursor, 0);
	uint32_t opcode = RISCV_OPCODE(half);
	bool is_move = (half & 0xF003u) == 0x8002u && RISCV_RS2_OF_C(half) != 0;
	bool is_load = (half & 0xE003u) == (cursor->address_size == 8 ? 0x6002u : 0x4002u);
	bool is_long = opcode == RISCV_OPCODE_LOAD || opcode == RISCV_OPCODE_OP_IMM || opcode == RISCV_OPCODE_OP;
	return (is_move || is_load || is_long) && RISCV_RD(half) == RISCV_REGISTER_A0;
}

static bool is_invented(struct cursor cursor, const struct hooks *hooks, enum image_spurious_caller *invention)
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
		unsigned length = riscv_length(half_at(&cursor, 0));
		if (length > cursor.size)
			break;
		cursor.bytes += length;
		cursor.address += length;
		cursor.size -= length;
	}
	*invention = returns_from_trap ? IMAGE_INTERRUPT_ENTRY : IMAGE_NO_RETURN_ADDRESS;
	return calls_hook && (returns_from_trap || !has_argument);
}

void image_find_spurious_callers(const struct image *image, image_spurious_caller_found found, void *context)
{
	if (image->isa != IMAGE_ISA_RISCV || image->big_endian)
		return;
	struct hooks hooks = find_hooks(image);
	for (size_t i = 0; hooks.count > 0 && i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		const struct image_code *code = image_code_at(image, function->start);
		enum image_spurious_caller invention;
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
