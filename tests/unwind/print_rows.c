/* SPDX-License-Identifier: MIT */
/* Prints the rows of an ELF: LOW HIGH BASE OFFSET RA FP, where RA and FP are u, n, ? or cOFFSET, as objdump has them.
 */
#include "base/status.h"
#include "firmware/unwind/frame_table.h"

#include <inttypes.h>
#include <stdio.h>

static void print_rule(unsigned rule, int32_t offset)
{
	if (rule == FRAME_SAVED)
		printf(" c%+" PRId32, offset);
	else
		printf(" %s", rule == FRAME_SAME ? "s" : rule == FRAME_NONE ? "u" : "?");
}

int main(int argc, char **argv)
{
	static const char *const bases[] = {"sp", "fp", "?"};
	struct image *image;
	struct frame_rows rows;
	struct error error;

	if (argc != 2 || image_open(argv[1], &image, &error) != STATUS_OK || !frame_table_read(image, &rows)) {
		fprintf(stderr, "print_rows: %s\n", argc != 2 ? "missing ELF" : error.message);
		return 1;
	}
	for (size_t i = 0; i < rows.count; i++) {
		const struct frame_row *row = &rows.rows[i];

		printf("%" PRIx64 " %" PRIx64 " %s %" PRId32, row->low, row->high, bases[row->base], row->offset);
		print_rule(row->ra, row->ra_offset);
		print_rule(row->fp, row->fp_offset);
		putchar('\n');
	}
	frame_rows_free(&rows);
	image_close(image);
	return 0;
}
