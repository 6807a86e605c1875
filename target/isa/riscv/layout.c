/* SPDX-License-Identifier: MIT */
/* Checks the offsets in layout.h, for assembly, against the structs. */
#include "layout.h"

#include "recorder/block.h"

#define AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), #field " is not at " #offset)
AT(bareprof_layout, arc_mask, LAYOUT_MASK);
AT(bareprof_layout, sections[BAREPROF_DIRECTORY_SAMPLES], LAYOUT_SAMPLES);
#if BAREPROF_STACKS != 0
AT(bareprof_layout, sections[BAREPROF_DIRECTORY_SLICES], LAYOUT_SLICES);
AT(header, stack_totals, HEADER_TOTALS);
AT(bareprof_interrupted, fp, 17 * BYTES);
AT(bareprof_interrupted, sp, 18 * BYTES);
#endif
AT(bareprof_mtimer, mtime, TIMER_MTIME);
AT(bareprof_mtimer, mtimecmp, TIMER_MTIMECMP);
AT(bareprof_mtimer, set, TIMER_SET);
AT(header, tick_cost, HEADER_TICK_COST);
AT(header, trigger.window, HEADER_WINDOW);
_Static_assert(sizeof(struct header) == HEADER_END, "the header has another end");
#if BAREPROF_CONTEXTS != 0
AT(bareprof_layout, arcs, LAYOUT_ARCS);
AT(header, context, HEADER_CONTEXT);
#endif
