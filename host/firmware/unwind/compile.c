/* SPDX-License-Identifier: MIT */
/* The stages of the compilation of rows, in order. See rows.h. */
#include "firmware/unwind/epilogues.h"
#include "firmware/unwind/frame_table.h"
#include "firmware/unwind/leaves.h"
#include "firmware/unwind/rows.h"
#include "firmware/unwind/save_restore.h"
#include "firmware/unwind/subroutines.h"

enum status frame_rows_compile(const struct image *image, const struct calls *calls, struct frame_rows *rows,
                               struct error *error)
{
	if (frame_table_read(image, rows) && save_restore_add(image, rows) && leaves_add(image, rows) &&
	    epilogues_correct(image, rows) && subroutines_correct(image, calls, rows))
		return STATUS_OK;
	frame_rows_free(rows);
	return status_no_memory(error, image->path);
}
