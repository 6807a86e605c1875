/* SPDX-License-Identifier: MIT */
/* The table of formats. */
#include "diff/formats/formats.h"

const struct difference_format *const difference_table[] = {
        &difference_text,
        &difference_markdown,
        &difference_json,
        &difference_junit,
        &difference_folded,
        &difference_html,
        NULL,
};
