/* SPDX-License-Identifier: MIT */
/* The table of formats. */
#include "diff/formats/formats.h"

const struct diff_format *const diff_formats[] = {
        &diff_text, &diff_markdown, &diff_json, &diff_junit, &diff_folded, &diff_html, NULL,
};
