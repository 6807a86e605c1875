/* SPDX-License-Identifier: MIT */
/* The formats, one file each. Private to formats/. */
#ifndef DIFF_FORMATS_FORMATS_H
#define DIFF_FORMATS_FORMATS_H

#include "diff/formats/diff.h"

extern const struct diff_format diff_folded;
extern const struct diff_format diff_json;
extern const struct diff_format diff_junit;
extern const struct diff_format diff_html;
extern const struct diff_format diff_markdown;
extern const struct diff_format diff_text;

#endif
