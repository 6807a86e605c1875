/* SPDX-License-Identifier: MIT */
/* A generator of random firmware: sections, and symbols of every kind that toolchains emit. */
#ifndef ORACLE_FIRMWARE_H
#define ORACLE_FIRMWARE_H

#include "elf_file.h"
#include "random.h"

enum { SECTIONS_MAX = 4, SYMBOLS_MAX = 16000, NAME_SIZE = 64 };

struct firmware {
	enum machine machine;
	struct elf_section sections[SECTIONS_MAX];
	size_t section_count;
	struct elf_symbol symbols[SYMBOLS_MAX];
	char names[SYMBOLS_MAX][NAME_SIZE];
	bool is_ignored[SYMBOLS_MAX]; /* symbols that own no code: mapping symbols, labels of compilers, data */
	size_t symbol_count;
	uint64_t low, high; /* bounds of the code: its first symbol, and its last, which marks the end */
};

void firmware_generate(struct firmware *firmware, struct random *random);
/* The name of a random symbol of code. */
const char *firmware_choose_name(const struct firmware *firmware, struct random *random);

void firmware_write(const struct firmware *firmware, const char *path);
/* Writes the symbols as nm prints them, for option -S. */
void firmware_write_symbols(const struct firmware *firmware, const char *path);

#endif
