/* SPDX-License-Identifier: MIT */
/* See presence.h. */
#include "profile/samples/presence.h"

#include <stdlib.h>
#include <string.h>

struct presence_mark {
	struct sample_source source;
	size_t function; /* the first range of the function, or of the one it was inlined into */
};

struct sample_source source_of(const struct capture_block *block, uint32_t context)
{
	return (struct sample_source){block->header.core, context, capture_context_name(block, context)};
}

int source_compare(const struct sample_source *left, const struct sample_source *right)
{
	if (left->core != right->core)
		return left->core < right->core ? -1 : 1;
	if (left->context != right->context)
		return left->context < right->context ? -1 : 1;
	return left->name == right->name ? 0 : strcmp(left->name, right->name);
}

static int compare_presence_marks(const void *left, const void *right)
{
	const struct presence_mark *a = left, *b = right;

	return source_compare(&a->source, &b->source);
}

static void mark_function_at(struct presence *presence, const struct sample_source *source, uint64_t address)
{
	const struct image *image = presence->profile->image;
	const struct image_function *function = image_function_at(image, address);

	if (function != NULL)
		presence->marks[presence->mark_count++] = (struct presence_mark){
		        *source, image_whole_function(image, (size_t)(function - image->functions))};
}

/* gmon.out does not record lost calls, and a probe that samples counts no calls. In a block without calls, another hook
 * than the recorder's may have recorded them; a context without calls is not suspicious. */
static bool is_block_complete(const struct capture_block *block)
{
	return !block->is_gmon && !block->is_sampled && (block->arc_count > 0 || block->is_part) &&
	       block->header.arcs_dropped == 0 && block->arcs_in_flight == 0;
}

bool presence_is_complete(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (!is_block_complete(profile->blocks[i]))
			return false;
	return profile->block_count > 0;
}

static void mark_called_functions(struct presence *presence, const struct capture_block *block)
{
	const struct image *image = presence->profile->image;

	for (size_t i = 0; i < block->arc_count; i++) {
		const struct sample_source source = source_of(block, block->arcs[i].context);
		uint64_t callee = block->arcs[i].callee;

		mark_function_at(presence, &source, callee & ~image_thumb_bit(image));
		mark_function_at(presence, &source, profile_call_site(image, block->arcs[i].caller));
	}
}

bool presence_find(struct presence *presence, const struct profile *profile)
{
	size_t arcs = 0;

	*presence = (struct presence){.profile = profile, .is_complete = presence_is_complete(profile)};
	for (size_t i = 0; i < profile->block_count; i++) {
		arcs += profile->blocks[i]->arc_count;
		presence->has_contexts |= profile->blocks[i]->has_contexts;
	}
	presence->marks = calloc(2 * arcs + 1, sizeof *presence->marks);
	presence->seen = calloc(profile->image->function_count + 1, sizeof *presence->seen);
	if (presence->marks == NULL || presence->seen == NULL)
		return false;
	/* Marks prove nothing where calls are missing. */
	for (size_t i = 0; presence->is_complete && i < profile->block_count; i++)
		mark_called_functions(presence, profile->blocks[i]);
	qsort(presence->marks, presence->mark_count, sizeof *presence->marks, compare_presence_marks);
	return true;
}

void presence_free(struct presence *presence)
{
	free(presence->marks);
	free(presence->seen);
}

bool presence_choose(struct presence *presence, const struct sample_source *source)
{
	size_t at = presence->position;

	presence->source_number++;
	while (at < presence->mark_count && source_compare(&presence->marks[at].source, source) < 0)
		at++;
	for (; at < presence->mark_count && source_compare(&presence->marks[at].source, source) == 0; at++)
		presence->seen[presence->marks[at].function] = presence->source_number;
	presence->position = at;
	/* Bins have no contexts: if calls have contexts, a cell without one may belong to any context. */
	bool is_of_any = presence->has_contexts && source->context == CAPTURE_NO_CONTEXT;
	return presence->is_complete && !is_of_any;
}

bool presence_has(const struct presence *presence, size_t function)
{
	return presence->seen[image_whole_function(presence->profile->image, function)] == presence->source_number;
}
