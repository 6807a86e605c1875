/* SPDX-License-Identifier: MIT */
/* The table of export formats. */
#include "report/output.h"

extern const struct output_format output_callgrind;
extern const struct output_format output_csv;
extern const struct output_format output_dot;
extern const struct output_format output_folded;
extern const struct output_format output_gmon;
extern const struct output_format output_json;
extern const struct output_format output_lcov;
extern const struct output_format output_pprof;
extern const struct output_format output_prometheus;
extern const struct output_format output_speedscope;

const struct output_format *const output_table[] = {
        &output_callgrind, &output_csv,   &output_dot,        &output_folded,     &output_gmon, &output_json,
        &output_lcov,      &output_pprof, &output_prometheus, &output_speedscope, NULL,
};
