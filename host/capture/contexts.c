/* SPDX-License-Identifier: MIT */
/* The decoder of contexts: their names, which may be any bytes, and the numbers of switches to them. */
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof((struct capture_context *)0)->name == BAREPROF_CONTEXT_NAME_CAPACITY + 1, "a name and its end");

/* The bytes of a count of switches; 0: the recorder did not count them. */
static unsigned switches_size(const struct capture_section *section)
{
	if (section->parameter & BAREPROF_CONTEXT_WIDE_COUNT)
		return 8;
	return section->item_size >= BAREPROF_CONTEXT_SWITCHES + 4 ? 4 : 0;
}

static void decode_context(struct block_decoder *decoder, const struct capture_section *section, const uint8_t *item,
                           struct capture_context *context)
{
	unsigned size = switches_size(section);

	memcpy(context->name, item, BAREPROF_CONTEXT_NAME_CAPACITY);
	context->switches = CAPTURE_UNKNOWN;
	if (size == 0)
		return;
	context->switches = capture_counter(&decoder->block->header.order, item + BAREPROF_CONTEXT_SWITCHES, size);
	decoder->block->arcs_saturated += size == 4 && counter_is_saturated(context->switches, size);
}

/* The item of other tasks has, in place of a name, a bit for each number that found no context. */
static void decode_other_tasks(struct block_decoder *decoder, const uint8_t *item, struct capture_context *context)
{
	decoder->block->contexts_refused = capture_u32(&decoder->block->header.order, item);
	memset(context->name, 0, sizeof context->name);
	memcpy(context->name, CAPTURE_OTHER_TASKS, sizeof CAPTURE_OTHER_TASKS);
}

enum status decode_contexts(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	unsigned wide = section->parameter & BAREPROF_CONTEXT_WIDE_COUNT ? 8 : 0;
	unsigned item_size_min = BAREPROF_CONTEXT_NAME_CAPACITY + wide;

	if (section->item_size < item_size_min)
		return status_fail(decoder->error, "%s: offset 0x%x: contexts of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, item_size_min);
	block->contexts = calloc(section->used + (size_t)1, sizeof *block->contexts);
	if (block->contexts == NULL)
		return status_no_memory(decoder->error, decoder->where);
	for (uint32_t i = 0; i < section->used; i++)
		decode_context(decoder, section, decoder->bytes + section->offset + (size_t)i * section->item_size,
		               &block->contexts[i]);
	if ((section->parameter & BAREPROF_CONTEXT_OTHERS) != 0 && section->used > 0)
		decode_other_tasks(decoder,
		                   decoder->bytes + section->offset + (section->used - (size_t)1) * section->item_size,
		                   &block->contexts[section->used - 1]);
	block->context_count = section->used;
	block->has_contexts = true;
	return STATUS_OK;
}

const char *capture_context_name(const struct capture_block *block, uint32_t context)
{
	return context < block->context_count ? block->contexts[context].name : "";
}
