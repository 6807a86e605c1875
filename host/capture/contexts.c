/* SPDX-License-Identifier: MIT */
/* Decodes the names of contexts, text that the firmware chose: any bytes. */
#include "capture/sections.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct capture_context) == BAREPROF_CONTEXT_NAME_CAPACITY + 1, "a name and its end");

enum status decode_contexts(struct decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	if (section->item_size < BAREPROF_CONTEXT_NAME_CAPACITY)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: names of contexts of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, BAREPROF_CONTEXT_NAME_CAPACITY);
	block->contexts = calloc(section->used + (size_t)1, sizeof *block->contexts);
	if (block->contexts == NULL)
		return decoder_out_of_memory(decoder);
	for (uint32_t i = 0; i < section->used; i++)
		memcpy(block->contexts[i].name, decoder->bytes + section->offset + (size_t)i * section->item_size,
		       BAREPROF_CONTEXT_NAME_CAPACITY);
	block->context_count = section->used;
	block->has_contexts = true;
	return STATUS_OK;
}

const char *capture_context_name(const struct capture_block *block, uint32_t context)
{
	return context < block->context_count ? block->contexts[context].name : "";
}
