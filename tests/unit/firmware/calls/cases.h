/* SPDX-License-Identifier: MIT */
/* Encodings of one instruction set, with the calls that must be found in them. */
#ifndef UNIT_FIRMWARE_CALLS_CASES_H
#define UNIT_FIRMWARE_CALLS_CASES_H

#include "code.h"

struct call_case {
	const struct code *code;
	const char *source, *bytes, *calls;
};

struct line {
	const char *source, *bytes;
};

/* Each list ends with NULL. */
struct isa_cases {
	const struct call_case *calls;          /* in f */
	const struct call_case *backward_calls; /* in h */
	/* A call to g through a register: instructions between load and call preserve the register or write it. */
	const struct code *code;
	const char *load, *call;
	const char *literal; /* at f + 0x20 */
	const struct line *preserving, *writing;
};

#endif
