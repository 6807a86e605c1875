/* SPDX-License-Identifier: MIT */
/* The table of export formats. */
#include "report/output.h"

const struct output_format *const output_table[] = {
        &output_gmon, &output_json, &output_csv, &output_dot, &output_prometheus, &output_lcov, NULL,
};
