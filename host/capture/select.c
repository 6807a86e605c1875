/* SPDX-License-Identifier: MIT */
/* Selection of a part of a capture: blocks of a core, samples and calls of a context. */
#include "capture/decoders.h"

#include <stdlib.h>
#include <string.h>

static bool selects_contexts(const struct capture_selection *selection)
{
	return selection->of_context || selection->context_name != NULL || selection->except_count > 0;
}

static bool matches(const struct capture_selection *selection, const struct capture_block *block, uint32_t context)
{
	if (selection->of_core && block->header.core != selection->core)
		return false;
	if (selection->of_context && context != selection->context)
		return false;
	return selection->context_name == NULL ||
	       strcmp(selection->context_name, capture_context_name(block, context)) == 0;
}

static bool is_selected(const struct capture_selection *selection, const struct capture_block *block, uint32_t context)
{
	if (!matches(selection, block, context))
		return false;
	for (size_t i = 0; i < selection->except_count; i++)
		if (matches(&selection->except[i], block, context))
			return false;
	return true;
}

/* Counts first, so that each copy is only as large as needed: there may be one for each context. */
static bool copy_cells(const struct capture_block *from, struct capture_block *to,
                       const struct capture_selection *selection)
{
	size_t count = 0;

	for (size_t i = 0; i < from->cell_count; i++)
		count += is_selected(selection, from, from->cells[i].context);
	to->cells = calloc(count + 1, sizeof *to->cells);
	to->cell_count = 0;
	for (size_t i = 0; to->cells != NULL && i < from->cell_count; i++)
		if (is_selected(selection, from, from->cells[i].context))
			to->cells[to->cell_count++] = from->cells[i];
	return to->cells != NULL;
}

static bool copy_arcs(const struct capture_block *from, struct capture_block *to,
                      const struct capture_selection *selection)
{
	size_t count = 0;

	for (size_t i = 0; i < from->arc_count; i++)
		count += is_selected(selection, from, from->arcs[i].context);
	to->arcs = calloc(count + 1, sizeof *to->arcs);
	to->arc_count = 0;
	for (size_t i = 0; to->arcs != NULL && i < from->arc_count; i++)
		if (is_selected(selection, from, from->arcs[i].context))
			to->arcs[to->arc_count++] = from->arcs[i];
	return to->arcs != NULL;
}

/* Names of other contexts stay empty; in a large table their pages are never touched, so they take no memory. */
static bool copy_contexts(const struct capture_block *from, struct capture_block *to,
                          const struct capture_selection *selection)
{
	to->contexts = calloc(from->context_count + 1, sizeof *to->contexts);
	for (uint32_t i = 0; to->contexts != NULL && i < from->context_count; i++)
		if (is_selected(selection, from, i))
			to->contexts[i] = from->contexts[i];
	return to->contexts != NULL;
}

static bool copy_block(const struct capture_block *from, struct capture_block *to,
                       const struct capture_selection *selection)
{
	*to = *from;
	to->cells = NULL;
	to->arcs = NULL;
	to->contexts = NULL;
	to->is_part =
	        from->is_part || (selects_contexts(selection) && !is_selected(selection, from, CAPTURE_NO_CONTEXT));
	return copy_cells(from, to, selection) && copy_arcs(from, to, selection) && copy_contexts(from, to, selection);
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
