/* SPDX-License-Identifier: MIT */
/* See decode.h. */
#include "decode.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static enum status decode(const struct build_block *block, const struct patch *patch, struct capture **capture,
                          struct error *error)
{
	size_t size;
	uint8_t *bytes = build_block_bytes(block, &size);
	for (unsigned i = 0; patch != NULL && i < patch->size; i++)
		bytes[patch->offset + i] = (uint8_t)(patch->value >> (8 * i));
	*capture = NULL;
	*error = (struct error){.message = ""};
	enum status status = capture_decode("block.bprof", bytes, size, capture, error);
	free(bytes);
	return status;
}

struct capture *decode_block(const struct build_block *block, const struct patch *patch)
{
	struct capture *capture;
	struct error error;
	if (decode(block, patch, &capture, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return capture;
}

void assert_block_refused(const struct build_block *block, const struct patch *patch, const char *words)
{
	struct capture *capture;
	struct error error;
	assert_int_equal(decode(block, patch, &capture, &error), STATUS_FAILED);
	assert_null(capture);
	assert_non_null(strstr(error.message, "block.bprof"));
	assert_null(strchr(error.message, '\n'));
	if (strstr(error.message, words) == NULL)
		fail_msg("'%s' does not contain '%s'", error.message, words);
}
