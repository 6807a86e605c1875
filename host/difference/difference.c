/* SPDX-License-Identifier: MIT */
/* The table of formats. */
#include "difference/formats.h"

const struct difference_format *const difference_table[] = {
        &difference_text,
        &difference_markdown,
        &difference_folded,
        &difference_html,
        NULL,
};
