/* SPDX-License-Identifier: MIT */
/* An ELF with a few bytes of code, given as text, and the calls found in it, as text. Function f begins at 0x1000, g at
 * 0x1040, h at 0x1080. */
#ifndef UNIT_FIRMWARE_CALLS_CODE_H
#define UNIT_FIRMWARE_CALLS_CODE_H

#include "../elf_writer.h"
#include "firmware/calls/calls.h"

#define CODE_BASE 0x1000u
#define CODE_SIZE 0x100u
#define CODE_TEXT 1024

#define F CODE_BASE
#define G 0x1040u
#define H 0x1080u
#define K 0x10C0u /* has no symbol */

/* Symbols: a mapping symbol, which marks the following bytes as code or data, and the end of a list. */
#define MAPPING(name, address)                             \
	{                                                  \
		name, address, 0, STB_LOCAL, STT_NOTYPE, 1 \
	}
#define END                         \
	{                           \
		NULL, 0, 0, 0, 0, 0 \
	}

struct code {
	unsigned machine; /* EM_* */
	int class;        /* ELFCLASS* */
	bool is_big_endian;
	uint8_t bytes[CODE_SIZE];
	uint64_t size;   /* of the section; 0: CODE_SIZE */
	uint64_t f_size; /* of f; 0: up to g */
	/* In addition to f, g and h, ended by END; NULL: none. Section 1 is the code, 2 the data. */
	const struct elf_writer_symbol *symbols;
	/* After the code, in the byte order of the ELF; NULL: none. */
	const struct elf_writer_section *data;
};

static const struct code thumb = {.machine = EM_ARM, .class = ELFCLASS32};
static const struct code rv32 = {.machine = EM_RISCV, .class = ELFCLASS32};
static const struct code rv64 = {.machine = EM_RISCV, .class = ELFCLASS64};

/* Puts half-words, numbers of four hexadecimal digits, at address, the lower byte first; returns the end. */
uint64_t code_put(struct code *code, uint64_t address, const char *hexadecimal);

/* Opens the ELF, to be closed by image_close(). The test fails on errors. */
struct image *code_image(const struct code *code);

/* The calls as text, "direct 1000>1040, indirect 1004", in text. The test fails if they cannot be found. */
const char *code_calls(const struct code *code, char text[CODE_TEXT]);

/* Whether a direct call is among the calls in text. */
bool code_has_direct(const char *text);

/* The test fails with title in its message unless code has the expected calls. */
void code_expect(const struct code *code, const char *title, const char *expected);

#endif
