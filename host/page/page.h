/* SPDX-License-Identifier: MIT */
/*
 * The page for browsers: one self-contained HTML file, which shows a profile or a comparison. It consists of the files
 * in assets/ and of parts that the caller prints. A content security policy keeps hostile names from loading or running
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

/* Prints the page to stream. Calls the slots, which end with a name of NULL, with context; slots that are not listed
 * stay empty. The slot "data" prints JSON, which must not contain `<`. */
void page_print(FILE *stream, const struct page_slot *slots, void *context);

#endif
