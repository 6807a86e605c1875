/* SPDX-License-Identifier: MIT */
/* See page.h. */
#include "diff/formats/page.h"

#include "base/text/text.h"

void page_print_name(const struct page *page, size_t row)
{
	const char *note = notes_text(page->notes, row);
	text_print(page->stream, notes_name(page->notes, row));
	if (note[0] == '\0')
		return;
	fputs(" (", page->stream);
	text_print(page->stream, note);
	fputc(')', page->stream);
}

void page_begin_row(const struct page *page, const struct compare_row *row)
{
	enum compare_verdict verdict = columns_verdict(row);
	text_begin(page->stream, page->options->colour,
	           verdict == COMPARE_MORE   ? TEXT_WARNING
	           : verdict == COMPARE_LESS ? TEXT_GOOD
	                                     : TEXT_DIM);
}
