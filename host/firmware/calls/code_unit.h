/* SPDX-License-Identifier: MIT */
/* The calls and exits of one function: the return addresses of its calls, and the places where it may continue without
 * a call. Private to calls/. */
#ifndef FIRMWARE_CALLS_CODE_UNIT_H
#define FIRMWARE_CALLS_CODE_UNIT_H

#include "firmware/calls/decoder.h"
#include "firmware/calls/segments.h"

struct unit_call {
	uint64_t end; /* end of the instruction: the return address */
	bool has_target;
	uint64_t target; /* as in the instruction: veneers are not followed */
};

/* The code of one function, or a run of code that no symbol names. All zero: not decoded. */
struct code_unit {
	uint64_t start, end;
	uint8_t *ends;           /* a bit for each address from start to end inclusive: an instruction ends there */
	struct unit_call *calls; /* in ascending order of end */
	size_t call_count;
	uint64_t *exits; /* targets of jumps, and the end if control falls through; ascending, each once */
	size_t exit_count;
	bool goes_anywhere; /* it has a jump with an unknown target, or cannot be decoded to its end */
};

/* The hook of -finstrument-functions. Its argument is the entered function, which may have been inlined. */
struct unit_hook {
	bool is_known;
	uint64_t address;
};

/* Decodes the segments of one function, given in order. False when out of memory; then the unit is all zero. O(n log n)
 * in their size. */
bool code_unit_decode(const struct image *image, const struct segment *segments, size_t count,
                      const struct unit_hook *hook, struct code_unit *unit);
void code_unit_free(struct code_unit *unit);

/* Whether an instruction ends at address. */
bool code_unit_has_end(const struct code_unit *unit, uint64_t address);
/* The call that returns to address, or NULL. O(log n). */
const struct unit_call *code_unit_call(const struct code_unit *unit, uint64_t address);

#endif
