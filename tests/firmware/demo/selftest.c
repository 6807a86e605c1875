/* SPDX-License-Identifier: MIT */
/* Remembers the CRC of all slices of the code from the first pass over it, and compares it after each later one. */
#include "selftest.h"

#include "count.h"
#include "crc.h"

#include <bareprof/bareprof.h>

#define SLICE_SIZE 512u

static uint32_t offset;
static uint32_t sum;
static uint32_t expected_sum;
static bool has_expected_sum;

static bool finish_pass(void)
{
	bool good = !has_expected_sum || sum == expected_sum;

	COUNT(finish_pass);
	expected_sum = sum;
	has_expected_sum = true;
	offset = 0;
	sum = 0;
	return good;
}

bool selftest_step(void)
{
	size_t size = (size_t)(bareprof_text_end - bareprof_text_start);

	COUNT(selftest_step);
	sum += crc32((const uint8_t *)bareprof_text_start + offset, SLICE_SIZE);
	offset += SLICE_SIZE;
	return offset + SLICE_SIZE <= size || finish_pass();
}
