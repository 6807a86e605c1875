/* SPDX-License-Identifier: MIT */
/* How attributes are encoded (DWARF 5, 7.5.6). Private to firmware/. */
#ifndef FIRMWARE_DWARF_FORMS_H
#define FIRMWARE_DWARF_FORMS_H

#include "firmware/dwarf_tree.h"

/* Skips a value; false if it is cut or its form unknown. */
bool dwarf_skip_form(struct dwarf_cursor *cursor, uint64_t form, const struct dwarf_unit *unit);

#endif
