/* SPDX-License-Identifier: MIT */
/* A writer of ELF executables with sections and symbols. */
#ifndef ORACLE_ELF_FILE_H
#define ORACLE_ELF_FILE_H

#include "bytes.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machines whose GNU gprof is run: cross tools and the host's. */
enum machine { MACHINE_ARM, MACHINE_ARM_BIG_ENDIAN, MACHINE_RISCV32, MACHINE_RISCV64, MACHINE_X86_64, MACHINE_COUNT };

struct machine_facts {
	const char *name;
	const char *gprof; /* name of the GNU tool for this machine */
	uint16_t elf_machine;
	unsigned address_size;
	bool is_big_endian;
	bool is_thumb; /* bit 0 of a function's symbol is set (ELF for the Arm Architecture 5.5.3) */
};

extern const struct machine_facts machines[MACHINE_COUNT];

struct elf_section {
	const char *name;
	uint64_t address, size;
	bool is_code;        /* else data */
	const uint8_t *code; /* NULL: zeros */
};

struct elf_symbol {
	const char *name;
	uint64_t address; /* without the Thumb bit */
	uint64_t size;

	unsigned char binding, type; /* STB_, STT_ */
	uint16_t section;            /* the index of an elf_section, or ELF_UNDEFINED, ELF_ABSOLUTE */
};

#define ELF_UNDEFINED UINT16_MAX
#define ELF_ABSOLUTE  (UINT16_MAX - 1)

/* Writes to bytes, which is empty. Local symbols come first, as the ABI requires; otherwise the order is kept. */
void elf_file_put(struct bytes *bytes, enum machine machine, const struct elf_section *sections, size_t section_count,
                  const struct elf_symbol *symbols, size_t symbol_count);

#endif
