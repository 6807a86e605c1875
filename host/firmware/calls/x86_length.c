/* SPDX-License-Identifier: MIT */
/* Decoding the parts of x86 instructions (Intel SDM, Volume 2: chapter 2 "Instruction Format", appendix A "Opcode Map";
 * XOP: AMD64 APM, Volume 3, 1.2.6). See x86_length.h. */
#include "firmware/calls/x86_length.h"

#include <stddef.h>

#define LENGTH_MAX 15u

#define REX_W 8u

/* The operands of an opcode, as a letter. */
enum operands {
	NONE = '.',
	MODRM = 'm',
	MODRM_BYTE = 'M', /* and an immediate of 1 byte */
	MODRM_WORD = 'W', /* and one of the operand's size, 4 at most */
	BYTE = 'b',
	HALF = 'h',         /* 2 bytes */
	HALF_BYTE = 'e',    /* ENTER */
	WORD = 'w',         /* the operand's size, 4 at most */
	FULL = 'f',         /* the operand's size */
	OFFSET = 'o',       /* the address's size */
	RELATIVE = 'r',     /* 4 bytes; 2 in 32-bit code with 66 */
	FAR_POINTER = 'p',  /* of 32-bit code */
	GROUP_3_BYTE = 'g', /* F6: TEST has an immediate, the others none */
	GROUP_3_WORD = 'G', /* F7 */
	BYTE_32 = '3',      /* none at all in 64-bit code */
	MODRM_32 = '4',
	ESCAPE = 'x', /* prefixes and escapes, handled before */
	INVALID = '?',
};

static const char one_byte[] =
        /* 0123456789ABCDEF */
        "mmmmbw..mmmmbw.x" /* 0 */
        "mmmmbw..mmmmbw.." /* 1 */
        "mmmmbwx.mmmmbwx." /* 2 */
        "mmmmbwx.mmmmbwx." /* 3 */
        "................" /* 4 */
        "................" /* 5 */
        "..4mxxxxwWbM...." /* 6: 62 is BOUND of 32-bit code or EVEX */
        "bbbbbbbbbbbbbbbb" /* 7 */
        "MWMMmmmmmmmmmmmm" /* 8 */
        "..........p....." /* 9 */
        "oooo....bw......" /* A */
        "bbbbbbbbffffffff" /* B */
        "MMh.44MWe.h..b.." /* C: C4 and C5 are LES and LDS of 32-bit code or VEX */
        "mmmm33..mmmmmmmm" /* D */
        "bbbbbbbbrrpb...." /* E */
        "x.xx..gG......mm" /* F */;

static const char two_bytes[] =
        /* 0123456789ABCDEF */
        "mmmm?.....?.?m.M" /* 0: 0F 0F is 3DNow! */
        "mmmmmmmmmmmmmmmm" /* 1 */
        "mmmmmmmmmmmmmmmm" /* 2 */
        "........x?x?????" /* 3 */
        "mmmmmmmmmmmmmmmm" /* 4 */
        "mmmmmmmmmmmmmmmm" /* 5 */
        "mmmmmmmmmmmmmmmm" /* 6 */
        "MMMMmmm.mmmmmmmm" /* 7 */
        "rrrrrrrrrrrrrrrr" /* 8 */
        "mmmmmmmmmmmmmmmm" /* 9 */
        "...mMmmm...mMmmm" /* A */
        "mmmmmmmmmmMmmmmm" /* B */
        "mmMmMMMm........" /* C */
        "mmmmmmmmmmmmmmmm" /* D */
        "mmmmmmmmmmmmmmmm" /* E */
        "mmmmmmmmmmmmmmmm" /* F */;

struct reader {
	const uint8_t *bytes;
	unsigned size; /* at most LENGTH_MAX */
	unsigned at;
	bool wide;
	bool is_truncated;
	bool address_prefix;
	unsigned vector_map; /* as VEX, EVEX and XOP number them */
	bool is_xop;
};

static uint8_t next_byte(struct reader *reader)
{
	if (reader->at >= reader->size) {
		reader->is_truncated = true;
		return 0;
	}
	return reader->bytes[reader->at++];
}

/* The byte ahead positions further on; 0 beyond the end. */
static uint8_t peek(const struct reader *reader, unsigned ahead)
{
	return reader->size - reader->at > ahead ? reader->bytes[reader->at + ahead] : 0;
}

static bool is_legacy_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: /* segments */
	case 0x2E:
	case 0x36:
	case 0x3E:
	case 0x64:
	case 0x65:
	case 0x66: /* operand size */
	case 0x67: /* address size */
	case 0xF0: /* LOCK */
	case 0xF2: /* REPNE */
	case 0xF3: /* REP */
		return true;
	default:
		return false;
	}
}

/* A REX prefix counts only directly before the opcode. */
static void read_prefixes(struct reader *reader, struct x86_parts *parts)
{
	for (;;) {
		uint8_t byte = peek(reader, 0);
		bool is_rex = reader->wide && (byte & 0xF0) == 0x40;

		if (reader->at >= reader->size || (!is_rex && !is_legacy_prefix(byte)))
			return;
		parts->rex = is_rex ? byte : 0;
		parts->operand_16 |= byte == 0x66;
		reader->address_prefix |= byte == 0x67;
		reader->at++;
	}
}

/* Whether C4, C5, 62 or 8F begins a vector instruction: in 32-bit code, only if it cannot be a memory operand. */
static bool is_vector_escape(const struct reader *reader, uint8_t opcode)
{
	uint8_t next = peek(reader, 0);

	if (opcode == 0x8F)
		return (next & 0x1F) >= 8;
	if (opcode != 0xC4 && opcode != 0xC5 && opcode != 0x62)
		return false;
	return reader->wide || (next & 0xC0) == 0xC0;
}

/* Reads the prefix bytes between the escape and the opcode. */
static void read_vector_prefix(struct reader *reader, struct x86_parts *parts, uint8_t escape)
{
	uint8_t first = next_byte(reader);

	parts->is_vector = true;
	reader->is_xop = escape == 0x8F;
	reader->vector_map = escape == 0xC5 ? 1 : escape == 0x62 ? first & 7u : first & 0x1Fu;
	if (escape != 0xC5)
		next_byte(reader);
	if (escape == 0x62)
		next_byte(reader);
	parts->opcode = next_byte(reader);
}

static void read_opcode(struct reader *reader, struct x86_parts *parts)
{
	parts->opcode = next_byte(reader);
	if (is_vector_escape(reader, parts->opcode)) {
		read_vector_prefix(reader, parts, parts->opcode);
		parts->map = reader->is_xop || reader->vector_map == 0 || reader->vector_map > 3
		                     ? X86_MAP_OTHER
		                     : (enum x86_map)reader->vector_map;
	} else if (parts->opcode == 0x0F) {
		parts->opcode = next_byte(reader);
		parts->map = parts->opcode == 0x38 ? X86_MAP_0F38 : parts->opcode == 0x3A ? X86_MAP_0F3A : X86_MAP_0F;
		if (parts->map != X86_MAP_0F)
			parts->opcode = next_byte(reader);
	}
}

static enum operands operands_of_other_map(const struct reader *reader)
{
	if (!reader->is_xop)
		return reader->vector_map == 5 || reader->vector_map == 6 ? MODRM : INVALID;
	return reader->vector_map == 8    ? MODRM_BYTE
	       : reader->vector_map == 9  ? MODRM
	       : reader->vector_map == 10 ? MODRM_WORD
	                                  : INVALID;
}

static enum operands operands_of(const struct reader *reader, const struct x86_parts *parts)
{
	switch (parts->map) {
	case X86_MAP_BYTE:
		return (enum operands)one_byte[parts->opcode];
	case X86_MAP_0F:
		return (enum operands)two_bytes[parts->opcode];
	case X86_MAP_0F38:
		return MODRM;
	case X86_MAP_0F3A:
		return MODRM_BYTE;
	default:
		return operands_of_other_map(reader);
	}
}

/* Volume 2, 2.1.5, tables 2-1 to 2-3. */
static unsigned displacement_size(struct reader *reader, const struct x86_parts *parts)
{
	unsigned mod = X86_MOD(parts), rm = X86_RM(parts);
	unsigned base = rm;

	if (mod == 3)
		return 0;
	if (parts->address_16)
		return mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0;
	if (rm == 4)
		base = next_byte(reader) & 7u;
	if (mod == 0)
		return base == 5 ? 4 : 0;
	return mod == 1 ? 1 : 4;
}

static void read_modrm(struct reader *reader, struct x86_parts *parts)
{
	parts->has_modrm = true;
	parts->modrm = next_byte(reader);
	parts->displacement_size = displacement_size(reader, parts);
	parts->displacement = reader->at;
	reader->at += parts->displacement_size;
}

static bool has_modrm_byte(const struct reader *reader, enum operands operands)
{
	switch (operands) {
	case MODRM:
	case MODRM_BYTE:
	case MODRM_WORD:
	case GROUP_3_BYTE:
	case GROUP_3_WORD:
		return true;
	case MODRM_32:
		return !reader->wide;
	default:
		return false;
	}
}

static unsigned immediate_size(const struct reader *reader, const struct x86_parts *parts, enum operands operands)
{
	unsigned word = parts->operand_16 && (parts->rex & REX_W) == 0 && !parts->is_vector ? 2 : 4;
	bool is_test = X86_REG(parts) < 2;

	switch (operands) {
	case BYTE:
	case MODRM_BYTE:
		return 1;
	case BYTE_32:
		return reader->wide ? 0 : 1;
	case HALF:
		return 2;
	case HALF_BYTE:
		return 3;
	case WORD:
	case MODRM_WORD:
		return word;
	case FULL:
		return (parts->rex & REX_W) != 0 ? 8 : word;
	case OFFSET:
		return (reader->wide ? 8u : 4u) / (reader->address_prefix ? 2 : 1);
	case RELATIVE:
		return reader->wide ? 4 : word;
	case FAR_POINTER:
		return reader->wide ? 0 : word + 2;
	case GROUP_3_BYTE:
		return is_test ? 1 : 0;
	case GROUP_3_WORD:
		return is_test ? word : 0;
	default:
		return 0;
	}
}

void x86_decode_parts(const uint8_t *bytes, uint64_t size, bool wide, struct x86_parts *parts)
{
	struct reader reader = {.bytes = bytes, .size = size < LENGTH_MAX ? (unsigned)size : LENGTH_MAX, .wide = wide};

	*parts = (struct x86_parts){.length = 0};
	read_prefixes(&reader, parts);
	read_opcode(&reader, parts);
	parts->address_16 = reader.address_prefix && !wide;
	enum operands operands = operands_of(&reader, parts);
	if (has_modrm_byte(&reader, operands))
		read_modrm(&reader, parts);
	parts->immediate_size = immediate_size(&reader, parts, operands);
	parts->immediate = reader.at;
	reader.at += parts->immediate_size;
	parts->is_truncated = size < LENGTH_MAX && (reader.is_truncated || reader.at > reader.size);
	if (!reader.is_truncated && reader.at <= reader.size && operands != INVALID && operands != ESCAPE)
		parts->length = reader.at;
}
