/* SPDX-License-Identifier: MIT */
/* Copies what is selected of a capture: blocks of a core, samples and calls of a context. */
#include "capture/block.h"

#include <stdlib.h>
#include <string.h>

static bool is_by_context(const struct capture_selection *selection)
{
	return selection->of_context || selection->context_name != NULL;
}

static bool is_of_context(const struct capture_selection *selection, const struct capture_block *block,
                          uint32_t context)
{
	if (selection->of_context && context != selection->context)
		return false;
	return selection->context_name == NULL ||
	       strcmp(selection->context_name, capture_context_name(block, context)) == 0;
}

/* A copy of count items of size bytes, never NULL for want of items. */
static void *copy_items(const void *items, size_t count, size_t size)
{
	void *copy = calloc(count + 1, size);
	if (copy != NULL && count > 0)
		memcpy(copy, items, count * size);
	return copy;
}

static void keep_selected(struct capture_block *block, const struct capture_selection *selection)
{
	size_t kept = 0;
	for (size_t i = 0; i < block->cell_count; i++)
		if (is_of_context(selection, block, block->cells[i].context))
			block->cells[kept++] = block->cells[i];
	block->cell_count = kept;
	kept = 0;
	for (size_t i = 0; i < block->arc_count; i++)
		if (is_of_context(selection, block, block->arcs[i].context))
			block->arcs[kept++] = block->arcs[i];
	block->arc_count = kept;
	block->is_part = is_by_context(selection) && !is_of_context(selection, block, CAPTURE_NO_CONTEXT);
}

static bool copy_block(const struct capture_block *from, struct capture_block *to,
                       const struct capture_selection *selection)
{
	*to = *from;
	to->cells = copy_items(from->cells, from->cell_count, sizeof *from->cells);
	to->arcs = copy_items(from->arcs, from->arc_count, sizeof *from->arcs);
	to->contexts = copy_items(from->contexts, from->context_count, sizeof *from->contexts);
	if (to->cells == NULL || to->arcs == NULL || to->contexts == NULL)
		return false;
	keep_selected(to, selection);
	return true;
}

static bool copy_blocks(const struct capture *from, struct capture *to, const struct capture_selection *selection)
{
	to->block_count = 0;
	to->path = strdup(from->path);
	to->blocks = calloc(from->block_count + 1, sizeof *to->blocks);
	if (to->path == NULL || to->blocks == NULL)
		return false;
	for (size_t i = 0; i < from->block_count; i++) {
		if (selection->of_core && from->blocks[i].header.core != selection->core)
			continue;
		if (!copy_block(&from->blocks[i], &to->blocks[to->block_count++], selection))
			return false;
	}
	return true;
}

struct capture *capture_select(const struct capture *capture, const struct capture_selection *selection)
{
	struct capture *copy = malloc(sizeof *copy);
	if (copy == NULL)
		return NULL;
	*copy = *capture;
	if (copy_blocks(capture, copy, selection))
		return copy;
	capture_close(copy);
	return NULL;
}
