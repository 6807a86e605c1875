/* SPDX-License-Identifier: MIT */
/* Symbols from a text file, as nm prints them. Private to image/. */
#ifndef FIRMWARE_SYMBOL_FILE_H
#define FIRMWARE_SYMBOL_FILE_H

#include "firmware/symbol_table.h"

/*
 * Appends the symbols of the lines `ADDRESS T|t NAME`; t: local. Other lines are passed over. A file that cannot be
 * read, has no symbol, or one without an address is an error that names the file and the line.
 */
enum status symbol_file_read(const struct image *image, const char *path, struct symbol_table *table,
                             struct error *error);

#endif
