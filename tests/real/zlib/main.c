/* SPDX-License-Identifier: MIT */
/* Compresses repetitive text at three levels, decompresses it and compares the result. */
#include "profiling.h"

#include <string.h>
#include <zlib.h>

#define TEXT_BYTES 24000u
#define ROUNDS     12

static Bytef text[TEXT_BYTES], packed[TEXT_BYTES + 1024], unpacked[TEXT_BYTES];

static void write_text(unsigned seed)
{
	static const char *const words[] = {"the ",     "timer ",  "interrupt ", "samples ", "a ",
	                                    "counter ", "of ",     "calls, ",    "and ",     "stops.\n",
	                                    "block ",   "0x2000 ", "probe ",     "reads "};

	for (unsigned at = 0; at < TEXT_BYTES;) {
		seed = seed * 1103515245u + 12345u;
		const char *word = words[(seed >> 16) % (sizeof words / sizeof *words)];
		for (; *word != '\0' && at < TEXT_BYTES; word++)
			text[at++] = (Bytef)*word;
	}
}

static bool survives(int level)
{
	uLongf packed_size = sizeof packed, unpacked_size = sizeof unpacked;

	return compress2(packed, &packed_size, text, TEXT_BYTES, level) == Z_OK && packed_size < TEXT_BYTES / 2 &&
	       uncompress(unpacked, &unpacked_size, packed, packed_size) == Z_OK && unpacked_size == TEXT_BYTES &&
	       memcmp(text, unpacked, TEXT_BYTES) == 0 && crc32(0, text, TEXT_BYTES) == crc32(0, unpacked, TEXT_BYTES);
}

int main(void)
{
	bool is_right = true;

	profiling_begin();
	for (unsigned round = 0; round < ROUNDS; round++) {
		write_text(round);
		for (int level = 1; level <= 9; level += 4)
			is_right = survives(level) && is_right;
	}
	profiling_end(is_right);
}
