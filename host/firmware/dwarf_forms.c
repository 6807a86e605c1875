/* SPDX-License-Identifier: MIT */
/* The encoding of attributes (DWARF 5, 7.5.6). */
#include "firmware/dwarf_tree.h"

#include <dwarf.h>

/* Kinds of values without a fixed size, above the sizes of 1 to 16. */
enum {
	SIZE_UNKNOWN = 32,
	SIZE_ADDRESS,
	SIZE_OFFSET,
	SIZE_REFERENCE,
	SIZE_LEB128,
	SIZE_STRING,
	SIZE_BLOCK,
	SIZE_INDIRECT
};
#define BLOCK(length_size) (SIZE_BLOCK << 4 | (length_size))

/* A size in bytes, or one of SIZE_*; 0: the value is in the abbreviation. */
static const uint16_t sizes[] = {
        [DW_FORM_addr] = SIZE_ADDRESS,
        [DW_FORM_block2] = BLOCK(2),
        [DW_FORM_block4] = BLOCK(4),
        [DW_FORM_data2] = 2,
        [DW_FORM_data4] = 4,
        [DW_FORM_data8] = 8,
        [DW_FORM_string] = SIZE_STRING,
        [DW_FORM_block] = BLOCK(0),
        [DW_FORM_block1] = BLOCK(1),
        [DW_FORM_data1] = 1,
        [DW_FORM_flag] = 1,
        [DW_FORM_sdata] = SIZE_LEB128,
        [DW_FORM_strp] = SIZE_OFFSET,
        [DW_FORM_udata] = SIZE_LEB128,
        [DW_FORM_ref_addr] = SIZE_REFERENCE,
        [DW_FORM_ref1] = 1,
        [DW_FORM_ref2] = 2,
        [DW_FORM_ref4] = 4,
        [DW_FORM_ref8] = 8,
        [DW_FORM_ref_udata] = SIZE_LEB128,
        [DW_FORM_indirect] = SIZE_INDIRECT,
        [DW_FORM_sec_offset] = SIZE_OFFSET,
        [DW_FORM_exprloc] = BLOCK(0),
        [DW_FORM_flag_present] = 0,
        [DW_FORM_strx] = SIZE_LEB128,
        [DW_FORM_addrx] = SIZE_LEB128,
        [DW_FORM_ref_sup4] = 4,
        [DW_FORM_strp_sup] = SIZE_OFFSET,
        [DW_FORM_data16] = 16,
        [DW_FORM_line_strp] = SIZE_OFFSET,
        [DW_FORM_ref_sig8] = 8,
        [DW_FORM_implicit_const] = 0,
        [DW_FORM_loclistx] = SIZE_LEB128,
        [DW_FORM_rnglistx] = SIZE_LEB128,
        [DW_FORM_ref_sup8] = 8,
        [DW_FORM_strx1] = 1,
        [DW_FORM_strx2] = 2,
        [DW_FORM_strx3] = 3,
        [DW_FORM_strx4] = 4,
        [DW_FORM_addrx1] = 1,
        [DW_FORM_addrx2] = 2,
        [DW_FORM_addrx3] = 3,
        [DW_FORM_addrx4] = 4,
};

static unsigned size_of(uint64_t form)
{
	switch (form) {
	case 0:
	case 2: /* reserved since DWARF 2 */
		return SIZE_UNKNOWN;
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return SIZE_LEB128;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return SIZE_OFFSET;
	default:
		return form < sizeof sizes / sizeof *sizes ? sizes[form] : SIZE_UNKNOWN;
	}
}

static bool skip_value(struct dwarf_cursor *cursor, unsigned size, const struct dwarf_unit *unit)
{
	unsigned length_size = size & 15;

	switch (size) {
	case SIZE_ADDRESS:
		dwarf_skip(cursor, unit->address_size);
		break;
	case SIZE_OFFSET:
		dwarf_skip(cursor, unit->offset_size);
		break;
	case SIZE_REFERENCE:
		dwarf_skip(cursor, unit->version == 2 ? unit->address_size : unit->offset_size);
		break;
	case SIZE_LEB128:
		dwarf_read_leb128(cursor);
		break;
	case SIZE_STRING:
		dwarf_skip_string(cursor);
		break;
	case BLOCK(0):
	case BLOCK(1):
	case BLOCK(2):
	case BLOCK(4):
		dwarf_skip(cursor,
		           length_size == 0 ? dwarf_read_leb128(cursor) : dwarf_read_number(cursor, length_size));
		break;
	default:
		dwarf_skip(cursor, size);
		return size <= 16 && !cursor->is_truncated;
	}
	return !cursor->is_truncated;
}

bool dwarf_skip_form(struct dwarf_cursor *cursor, uint64_t form, const struct dwarf_unit *unit)
{
	/* A form that is stored in the entry. As in libdw, it must be neither DW_FORM_indirect again nor an implicit
	 * constant. */
	if (form == DW_FORM_indirect) {
		form = dwarf_read_leb128(cursor);
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
			return false;
	}
	return skip_value(cursor, size_of(form), unit);
}
