/* SPDX-License-Identifier: MIT */
/* Text from an ELF made safe for a terminal, and the terminal's few colours. Private to output/. */
#ifndef OUTPUT_TEXT_H
#define OUTPUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints text with control characters and bytes that are no UTF-8 as \xNN. */
void text_print(FILE *stream, const char *text);

/* The length in bytes of the valid, printable UTF-8 character at text, or 0. */
size_t text_character(const char *text);

enum text_style { TEXT_BOLD, TEXT_DIM, TEXT_WARNING };

/* Switch a style on and off again; nothing without colour. */
void text_begin(FILE *stream, bool colour, enum text_style style);
void text_end(FILE *stream, bool colour);

#endif
