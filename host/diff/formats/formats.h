/* SPDX-License-Identifier: MIT */
/* The formats, one file each. Private to difference/. */
#ifndef DIFF_FORMATS_FORMATS_H
#define DIFF_FORMATS_FORMATS_H

#include "diff/formats/diff.h"

extern const struct difference_format difference_folded;
extern const struct difference_format difference_json;
extern const struct difference_format difference_junit;
extern const struct difference_format difference_html;
extern const struct difference_format difference_markdown;
extern const struct difference_format difference_text;

#endif
