/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture as `sample` does, for golden tests: `make_sampled FW.elf >RUN.bprof <BATCHES`. A line `TIMES READS
 * ADDRESS` stands for TIMES batches of READS reads, all at ADDRESS. Each batch lasts a millisecond.
 */
#include "acquire/sample/filing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define READS_MAX 64

static int fail(const char *what)
{
	fprintf(stderr, "make_sampled: %s\n", what);
	return 1;
}

static bool add_batches(struct batches *batches)
{
	uint32_t words[READS_MAX], address;
	unsigned times, reads;

	while (scanf("%u %u %" SCNx32, &times, &reads, &address) == 3 && reads <= READS_MAX) {
		for (unsigned i = 0; i < reads; i++)
			words[i] = address;
		for (unsigned i = 0; i < times; i++)
			if (!batches_add(batches, words, reads))
				return false;
	}
	return feof(stdin) != 0;
}

int main(int argc, char **argv)
{
	const struct filing filing = {.source = "core:0", .is_same_build = true, .seed = 1};
	struct batches batches;
	struct image *image;
	struct error error;
	uint8_t *file;
	size_t size;

	if (argc != 2)
		return fail("expected FW.elf");
	if (image_open(argv[1], &image, &error) != STATUS_OK)
		return fail(error.message);
	if (!batches_begin(&batches, image) || !add_batches(&batches))
		return fail("expected lines TIMES READS ADDRESS");
	batches.nanoseconds = batches.batches * 1000000;
	if (filing_encode(&batches, &filing, &file, &size, &error) != STATUS_OK)
		return fail(error.message);
	fwrite(file, 1, size, stdout);
	free(file);
	batches_free(&batches);
	image_close(image);
	return 0;
}
