/* SPDX-License-Identifier: MIT */
/*
 * print_calls ELF: prints the functions of an ELF and the calls that host/firmware/calls/ finds in it, one line each:
 * `function START END NAME` and `KIND SITE TARGET`, in hexadecimal.
 */
#include "firmware/calls/calls.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const kinds[] = {
        [CALL_DIRECT] = "direct",
        [CALL_TAIL] = "tail",
        [CALL_INDIRECT] = "indirect",
        [CALL_ADDRESS] = "address",
};

static void print(const struct image *image, const struct calls *calls)
{
	for (size_t i = 0; i < image->function_count; i++)
		printf("function %" PRIx64 " %" PRIx64 " %s\n", image->functions[i].start, image->functions[i].end,
		       image->functions[i].name);
	for (size_t i = 0; i < calls->count; i++)
		printf("%s %" PRIx64 " %" PRIx64 "\n", kinds[calls->items[i].kind], calls->items[i].site,
		       calls->items[i].target);
}

int main(int argc, char **argv)
{
	struct image *image = NULL;
	struct calls calls = {.items = NULL};
	struct error error = {.message = ""};

	if (argc != 2)
		return 2;
	enum status status = image_open(argv[1], &image, &error);
	if (status == STATUS_OK)
		status = calls_find(image, &calls, &error);
	if (status == STATUS_OK)
		print(image, &calls);
	else
		fprintf(stderr, "%s\n", error.message);
	calls_free(&calls);
	image_close(image);
	return status == STATUS_OK ? 0 : 1;
}
