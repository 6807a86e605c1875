/* SPDX-License-Identifier: MIT */
/* See frame_section.h. */
#include "firmware/unwind/frame_section.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/bits.h"

/* Encodings of addresses (Linux Standard Base Core 5.0, 10.5.1): a format in the low four bits, and what the number is
 * relative to. */
enum { ENCODING_ABSOLUTE = 0x00, ENCODING_RELATIVE = 0x10 };
#define ENCODING_FORMAT 0x0Fu
#define ENCODING_BASE   0xF0u

static const struct format {
	uint8_t size; /* 0: unknown */
	bool is_signed;
} formats[ENCODING_FORMAT + 1] = {
        [0x2] = {2, false}, [0x3] = {4, false}, [0x4] = {8, false},
        [0xA] = {2, true},  [0xB] = {4, true},  [0xC] = {8, true},
};

uint64_t frame_read_signed(struct dwarf_cursor *cursor)
{
	const uint8_t *start = cursor->at;
	uint64_t value = dwarf_read_leb128(cursor);
	size_t bits = 7 * (size_t)(cursor->at - start);

	return bits == 0 || bits >= 64 ? value : sign_extended(value, (unsigned)bits);
}

static uint64_t offset_of(const struct frame_section *section, const struct dwarf_cursor *cursor)
{
	return (uint64_t)(cursor->at - section->bytes.at);
}

static uint64_t frame_address(const struct frame_section *section, uint64_t address)
{
	return section->address_size == 4 ? address & UINT32_MAX : address;
}

/* Reads a number in the format of an encoding. */
static bool read_encoded_number(const struct frame_section *section, struct dwarf_cursor *cursor, uint8_t encoding,
                                uint64_t *value)
{
	struct format format = formats[encoding & ENCODING_FORMAT];

	if ((encoding & ENCODING_FORMAT) == 0)
		format.size = (uint8_t)section->address_size;
	if (format.size == 0)
		return false;
	*value = dwarf_read_number(cursor, format.size);
	if (format.is_signed)
		*value = sign_extended(*value, 8u * format.size);
	return !cursor->is_truncated;
}

bool frame_read_address(const struct frame_section *section, struct dwarf_cursor *cursor, uint8_t encoding,
                        uint64_t *address)
{
	uint64_t base = encoding & ENCODING_BASE;
	uint64_t position = section->address + offset_of(section, cursor);

	if ((base != ENCODING_ABSOLUTE && base != ENCODING_RELATIVE) ||
	    !read_encoded_number(section, cursor, encoding, address))
		return false;
	*address = frame_address(section, base == ENCODING_RELATIVE ? *address + position : *address);
	return true;
}

/* --- CIEs. */

/* Skips the address of a personality routine, which needs no value. */
static bool skip_personality(const struct frame_section *section, struct dwarf_cursor *cursor)
{
	uint8_t encoding = (uint8_t)dwarf_read_number(cursor, 1);
	uint64_t ignored;

	return read_encoded_number(section, cursor, encoding, &ignored);
}

/* Reads the augmentation data that the letters after `z` describe. It may stop at an unknown letter: the length of the
 * data is known, and compilers put unknown letters after the one for the encoding of addresses. */
static bool read_augmentation(const struct frame_section *section, struct dwarf_cursor data, const uint8_t *letters,
                              size_t count, struct frame_common *common)
{
	for (size_t i = 0; i < count; i++) {
		if (letters[i] == 'R')
			common->encoding = (uint8_t)dwarf_read_number(&data, 1);
		else if (letters[i] == 'L')
			dwarf_skip(&data, 1);
		else if (letters[i] == 'P' ? !skip_personality(section, &data) : letters[i] != 'S')
			return letters[i] != 'P';
	}
	return !data.is_truncated;
}

/* Reads an augmentation that is empty or begins with `z`. Others have no length, so they cannot be skipped. */
static bool read_augmented(const struct frame_section *section, struct dwarf_cursor *cursor, const uint8_t *letters,
                           size_t count, struct frame_common *common)
{
	common->has_augmentation = count > 0;
	if (count == 0)
		return true;
	uint64_t size = dwarf_read_leb128(cursor);
	struct dwarf_cursor data = *cursor;
	if (letters[0] != 'z' || size > dwarf_cursor_left(cursor))
		return false;
	data.end = data.at + size;
	dwarf_skip(cursor, size);
	return read_augmentation(section, data, letters + 1, count - 1, common);
}

/* Reads the part of a CIE after its id. False if it is damaged or unknown. */
static bool read_common(const struct frame_section *section, struct dwarf_cursor cursor, struct frame_common *common)
{
	uint64_t version = dwarf_read_number(&cursor, 1);
	const uint8_t *letters = cursor.at;
	size_t count = dwarf_skip_string(&cursor);

	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4 &&
	    (dwarf_read_number(&cursor, 1) != section->address_size || dwarf_read_number(&cursor, 1) != 0))
		return false;
	common->code_factor = dwarf_read_leb128(&cursor);
	common->data_factor = frame_read_signed(&cursor);
	common->return_register = version == 1 ? dwarf_read_number(&cursor, 1) : dwarf_read_leb128(&cursor);
	if (cursor.is_truncated || !read_augmented(section, &cursor, letters, count, common))
		return false;
	common->program = cursor;
	return !cursor.is_truncated;
}

/* --- Items, which are CIEs and FDEs. */

struct frame_item {
	uint64_t offset;
	uint64_t id_offset, id;
	bool is_common;
	struct dwarf_cursor rest; /* after the id */
};

/* Reads the item at the cursor and moves on to the next. False at the end, or if the item has no valid length. */
static bool next_item(const struct frame_section *section, struct dwarf_cursor *cursor, struct frame_item *item)
{
	unsigned offset_size;
	struct dwarf_cursor rest = *cursor;

	item->offset = offset_of(section, cursor);
	dwarf_read_length(&rest, &offset_size);
	/* A length of 0 ends .eh_frame. */
	if (rest.is_truncated || dwarf_cursor_left(&rest) == 0)
		return false;
	*cursor = rest;
	cursor->at = rest.end;
	cursor->end = section->bytes.end;
	item->id_offset = offset_of(section, &rest);
	item->id = dwarf_read_number(&rest, section->is_eh_frame ? 4 : offset_size);
	uint64_t id_of_common = section->is_eh_frame ? 0 : offset_size == 4 ? UINT32_MAX : UINT64_MAX;
	item->is_common = item->id == id_of_common;
	item->rest = rest;
	return true;
}

static bool add_common(struct frame_section *section, const struct frame_item *item)
{
	struct frame_common common = {.offset = item->offset};

	return !read_common(section, item->rest, &common) ||
	       array_append(&section->commons, &section->common_count, &common, sizeof common);
}

/* The index of an FDE's CIE; the number of CIEs if there is none. */
static size_t find_common(const struct frame_section *section, const struct frame_item *item)
{
	uint64_t offset = section->is_eh_frame ? item->id_offset - item->id : item->id;
	size_t index = first_from(section->commons, section->common_count, sizeof *section->commons,
	                          offsetof(struct frame_common, offset), offset);

	return index < section->common_count && section->commons[index].offset == offset ? index
	                                                                                 : section->common_count;
}

static bool read_frame_entry(const struct frame_section *section, struct dwarf_cursor cursor, struct frame_entry *entry)
{
	const struct frame_common *common = &section->commons[entry->common];
	uint64_t size;

	if (!frame_read_address(section, &cursor, common->encoding, &entry->low) ||
	    !read_encoded_number(section, &cursor, common->encoding & ENCODING_FORMAT, &size))
		return false;
	if (common->has_augmentation)
		dwarf_skip(&cursor, dwarf_read_leb128(&cursor));
	entry->high = entry->low + size;
	entry->program = cursor;
	return !cursor.is_truncated && entry->high > entry->low;
}

static bool add_frame_entry(struct frame_section *section, const struct frame_item *item)
{
	struct frame_entry entry = {.common = find_common(section, item)};

	return entry.common == section->common_count || !read_frame_entry(section, item->rest, &entry) ||
	       array_append(&section->entries, &section->entry_count, &entry, sizeof entry);
}

/* Calls add() for all CIEs or all FDEs; an FDE may be before its CIE. */
static bool each_frame_item(struct frame_section *section, bool are_common,
                            bool (*add)(struct frame_section *, const struct frame_item *))
{
	struct dwarf_cursor cursor = section->bytes;
	struct frame_item item;

	while (next_item(section, &cursor, &item))
		if (item.is_common == are_common && !add(section, &item))
			return false;
	return true;
}

bool frame_section_read(struct frame_section *section)
{
	return each_frame_item(section, true, add_common) && each_frame_item(section, false, add_frame_entry);
}

void frame_section_free(struct frame_section *section)
{
	free(section->commons);
	free(section->entries);
}
