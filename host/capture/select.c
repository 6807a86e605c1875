/* SPDX-License-Identifier: MIT */
/* Selection of a part of a capture: blocks of a core, samples and calls of a context. */
#include "capture/decoders.h"
#include "capture/stacks.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

static bool selects_contexts(const struct capture_selection *selection)
{
	return selection->of_context || selection->context_name != NULL || selection->except_count > 0;
}

static bool selects_context(const struct capture_selection *selection, const struct capture_block *block,
                            uint32_t context)
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
	if (!selects_context(selection, block, context))
		return false;
	for (size_t i = 0; i < selection->except_count; i++)
		if (selects_context(&selection->except[i], block, context))
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

static bool copy_slices(const struct capture_block *from, struct capture_block *to,
                        const struct capture_selection *selection)
{
	const unsigned width = from->header.order.address_size;
	size_t count = 0, size = 0;

	for (size_t i = 0; i < from->slice_count; i++)
		if (is_selected(selection, from, from->slices[i].context)) {
			count++;
			size += slice_memory_size(&from->slices[i], width);
		}
	to->slices = calloc(count + 1, sizeof *to->slices);
	to->slice_memory = malloc(size + 1);
	to->slice_count = 0;
	if (to->slices == NULL || to->slice_memory == NULL)
		return false;
	uint8_t *memory = to->slice_memory;
	for (size_t i = 0; i < from->slice_count; i++)
		if (is_selected(selection, from, from->slices[i].context)) {
			struct capture_slice *slice = &to->slices[to->slice_count++];

			*slice = from->slices[i];
			memory = slice_move(slice, width, memory);
		}
	return true;
}

/* A path belongs to the context of its root. */
static bool copy_paths(const struct capture_block *from, struct capture_block *to,
                       const struct capture_selection *selection)
{
	const struct capture_path_node *nodes = from->path_nodes;
	uint32_t *places = calloc(from->path_node_count + 1, sizeof *places);
	size_t count = 0;

	for (size_t i = 0; places != NULL && i < from->path_node_count; i++) {
		places[i] = nodes[i].kind == BAREPROF_PATH_IS_ROOT
		                    ? is_selected(selection, from, (uint32_t)nodes[i].key)
		                    : places[nodes[i].parent];
		count += places[i];
	}
	to->path_nodes = places != NULL ? calloc(count + 1, sizeof *to->path_nodes) : NULL;
	if (to->path_nodes != NULL)
		to->path_node_count = paths_keep(nodes, from->path_node_count, places, to->path_nodes);
	free(places);
	return to->path_nodes != NULL;
}

static bool copy_block(const struct capture_block *from, struct capture_block *to,
                       const struct capture_selection *selection)
{
	*to = *from;
	to->cells = NULL;
	to->arcs = NULL;
	to->contexts = NULL;
	to->slices = NULL;
	to->slice_memory = NULL;
	to->path_nodes = NULL;
	to->is_part =
	        from->is_part || (selects_contexts(selection) && !is_selected(selection, from, CAPTURE_NO_CONTEXT));
	return copy_cells(from, to, selection) && copy_arcs(from, to, selection) &&
	       copy_contexts(from, to, selection) && copy_slices(from, to, selection) &&
	       copy_paths(from, to, selection);
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
