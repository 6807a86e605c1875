/* SPDX-License-Identifier: MIT */
/* The entries of .debug_frame or .eh_frame (DWARF 5, 6.4.1; Linux Standard Base Core 5.0, 10.6): common information
 * entries (CIE) and frame description entries (FDE). Private to unwind/. */
#ifndef FIRMWARE_UNWIND_FRAME_SECTION_H
#define FIRMWARE_UNWIND_FRAME_SECTION_H

#include "firmware/dwarf_cursor.h"

/* A CIE: the rules that several functions share. */
struct frame_common {
	uint64_t offset; /* in the section */
	uint64_t code_factor, data_factor;
	uint64_t return_register;
	uint8_t encoding;      /* DW_EH_PE_*, for addresses in its FDEs */
	bool has_augmentation; /* its FDEs have augmentation data */
	struct dwarf_cursor program;
};

/* An FDE: the frames of [low, high), which is not empty. */
struct frame_entry {
	uint64_t low, high;
	size_t common; /* index of its CIE */
	struct dwarf_cursor program;
};

struct frame_section {
	struct dwarf_cursor bytes;
	bool is_eh_frame;
	uint64_t address; /* of the first byte; for addresses relative to their own position */
	unsigned address_size;
	struct frame_common *commons; /* readable ones, by offset */
	size_t common_count;
	struct frame_entry *entries; /* readable ones, in the order of the section */
	size_t entry_count;
};

/* Reads the entries; bytes, is_eh_frame, address and address_size are set by the caller. Damaged and unknown entries
 * are skipped. False when out of memory. O(n log n) in the size of the section. */
bool frame_section_read(struct frame_section *section);
void frame_section_free(struct frame_section *section);

/* Reads a signed LEB128 number (DWARF 5, 7.6). */
uint64_t frame_read_signed(struct dwarf_cursor *cursor);
/* Reads an address in the encoding of a CIE. False if the encoding is not supported. */
bool frame_read_address(const struct frame_section *section, struct dwarf_cursor *cursor, uint8_t encoding,
                        uint64_t *address);

#endif
