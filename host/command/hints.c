/* SPDX-License-Identifier: MIT */
/* See hints.h. */
#include "command/hints.h"

#include <stddef.h>

const char *const hints[HINT_COUNT] = {
        [HINT_NONE] = NULL,
        [HINT_FORCE] = ("report, annotate and export accept it with --force; `bareprof export gmon --force` "
                        "makes a gmon.out for gprof"),
        [HINT_MERGE_BUILDS] = "--force keeps both, in separate blocks",
        [HINT_SELECT_CORE] = "--core=N selects one",
        [HINT_STATIC_CALLS] = "--static shows possible calls",
        [HINT_MEASURE] = "the library WITH=stacks, or `bareprof sample --halt --stacks`, measures total times",
        [HINT_COPY_STACKS] = "`bareprof sample --halt --stacks=BYTES` copies that much",
        [HINT_FIND_SOURCES] = "give its folder with --directory, or map its path with --source-prefix",
        [HINT_FIND_OBJDUMP] = "name one with --objdump=PROGRAM",
        [HINT_SELECT_UNIT] = "--per-call-of=FUNCTION selects a function",
        [HINT_PER_SAMPLE] = "use --per-sample",
        [HINT_PRINT_TABLES] = "--batch prints tables",
        [HINT_SHOW_ALL] = "--all shows every row",
        [HINT_COLD_LINES] = "--all shows every line",
};
