/* SPDX-License-Identifier: MIT */
/*
 * The page for browsers: one self-contained HTML file, which shows a profile or a comparison. Its files are in assets/;
 * this joins them with what the caller prints. A content security policy keeps hostile names from loading or running
 * anything.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdio.h>

/* A part that the caller prints, and the name of its place, a comment in assets/page.html. */
struct page_slot {
	const char *name;
	void (*print)(void *context);
};

/* Prints the page to stream, and has context's slots filled in; others stay empty. slots: ends with a name of NULL.
 * The slot "data" prints JSON, which must not contain `<`. */
void page_print(FILE *stream, const struct page_slot *slots, void *context);

#endif
