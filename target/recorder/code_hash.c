/* SPDX-License-Identifier: MIT */
/* The identity of firmware without a build-id: a hash of its code (BAREPROF_IDENTITY_CODE_HASH). */
#include "recorder.h"

/* Two halves of different kinds, because either alone misses some changes of two words. Neither multiplies, since some
 * cores cannot. Where nothing bounds the code, it is not hashed. A range may begin within a word. */
BAREPROF_CODE(bareprof_code_hash) void bareprof_code_hash(void *header, uint32_t limit)
{
	struct header *fresh = header;
	uint32_t *identity = (uint32_t *)(void *)fresh->identity;
	const uintptr_t start = fresh->ranges[0].start & ~(uintptr_t)3;
	const uintptr_t size = fresh->ranges[0].end > start ? fresh->ranges[0].end - start : 0;
	const uint32_t bytes = (size < limit ? (uint32_t)size : limit) & ~3u;
	const volatile uint32_t *word = (const volatile uint32_t *)start;
	const volatile uint32_t *const end = word + bytes / sizeof *word;
	uint32_t a = 0;
	uint32_t b = 0;

	if (bytes == 0)
		return;
	while (word != end) {
		const uint32_t w = *word++;

		a = (a << 5) - a + w;
		b ^= w;
		b = b >> 7 | b << 25;
	}
	identity[0] = (uint32_t)start;
	identity[1] = bytes;
	identity[2] = a;
	identity[3] = b;
	fresh->identity_kind = BAREPROF_IDENTITY_CODE_HASH;
	fresh->identity_size = 16;
}
