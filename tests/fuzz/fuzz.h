/* SPDX-License-Identifier: MIT */
/* Shared by all fuzz targets: the entry point that libFuzzer calls, and a check that also holds in release builds. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

/* For functions that own their input. */
static inline uint8_t *copy_of(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	require(copy != NULL);
	return size > 0 ? memcpy(copy, data, size) : copy;
}

#endif
