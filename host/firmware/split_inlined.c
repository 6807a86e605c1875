/* SPDX-License-Identifier: MIT */
/*
 * Inlined code of chosen functions, split into functions of its own. A containing function keeps its first instruction,
 * because calls are matched to its start. A split function that has no code of its own, but contains other inlined
 * functions, gets their first instruction, so that no function disappears.
 */
#include "base/array.h"
#include "firmware/private.h"
#include "firmware/scopes.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* A wanted function with the chain of wanted functions that it was inlined into; others in between are skipped. */
struct inline_chain {
	const char *name; /* owned by the image */
	size_t outer;     /* the chain that it was inlined into; NONE: only a function of the image */
	bool is_local;
	const char *file;
	int line;
};

/* Code of a chain within a function of the image; chain NONE: the function's own code. */
struct chain_piece {
	uint64_t start, end;
	size_t root; /* the function's first extent before the division */
	size_t chain;
};

/* The owner of pieces, and its first piece. */
struct owner {
	size_t root, chain;
	size_t first;
};

struct split {
	const struct image *image;
	const struct scopes *scopes;
	const char **names; /* wanted, sorted */
	size_t name_count;
	struct inline_chain *chains;
	size_t chain_count;
	void *chain_tree;
	size_t *chain_of; /* by scope: the innermost wanted chain */
	size_t *seen_in;  /* by chain: the last function in which it was seen */
	size_t next;      /* the first extent of a scope that ends after the current function */
	struct chain_piece *pieces;
	size_t piece_count;
	struct owner *owners; /* sorted */
	size_t owner_count;
	bool out_of_memory;
};

/* --- The chains. */

static int compare_split_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Compares files too, because local functions of different files may have the same name. */
static int compare_inline_chains(const void *left, const void *right)
{
	const struct inline_chain *a = left, *b = right;

	if (a->outer != b->outer)
		return a->outer < b->outer ? -1 : 1;
	int by_name = strcmp(a->name, b->name);
	if (by_name != 0 || a->file == NULL || b->file == NULL)
		return by_name != 0 ? by_name : (a->file != NULL) - (b->file != NULL);
	return strcmp(a->file, b->file);
}

/* The chain of a wanted scope, created if new. There is room, because each chain has a scope. */
static size_t chain_with(struct split *split, const struct scope *scope, size_t outer)
{
	struct inline_chain *chain = &split->chains[split->chain_count];

	*chain = (struct inline_chain){
	        .name = scope->name,
	        .outer = outer,
	        .is_local = !scope->is_external,
	        .file = scope->file,
	        .line = scope->line,
	};
	struct inline_chain **found = tsearch(chain, &split->chain_tree, compare_inline_chains);
	if (found == NULL) {
		split->out_of_memory = true;
		return NONE;
	}
	if (*found == chain)
		split->chain_count++;
	return (size_t)(*found - split->chains);
}

/* Callers have lower indices than the scopes inlined into them. */
static void find_chains(struct split *split)
{
	for (size_t i = 0; i < split->scopes->count && !split->out_of_memory; i++) {
		const struct scope *scope = &split->scopes->items[i];

		split->chain_of[i] = NONE;
		if (scope->caller == SCOPE_NONE)
			continue;
		size_t outer = split->chain_of[scope->caller];
		bool is_wanted = bsearch(&scope->name, split->names, split->name_count, sizeof scope->name,
		                         compare_split_names) != NULL;
		split->chain_of[i] = is_wanted ? chain_with(split, scope, outer) : outer;
	}
}

/* --- Their code. */

static void emit_piece(struct split *split, struct chain_piece piece)
{
	struct chain_piece *last = split->piece_count == 0 ? NULL : &split->pieces[split->piece_count - 1];

	if (piece.start == piece.end || split->out_of_memory)
		return;
	if (last != NULL && last->end == piece.start && last->root == piece.root && last->chain == piece.chain) {
		last->end = piece.end;
		return;
	}
	split->out_of_memory = !array_append(&split->pieces, &split->piece_count, &piece, sizeof piece);
}

/* The length of the shortest instruction. */
static uint64_t instruction_size(const struct image *image)
{
	return image->isa == IMAGE_ISA_ARM || image->isa == IMAGE_ISA_RISCV ? 2 : 1;
}

/* The outermost enclosing chain that has no code yet in the function; NONE if all have. */
static size_t outermost_new(const struct split *split, size_t chain, size_t root)
{
	size_t found = NONE;

	for (size_t i = split->chains[chain].outer; i != NONE; i = split->chains[i].outer)
		found = split->seen_in[i] == root ? found : i;
	return found;
}

/* Emits a piece after one instruction for each enclosing chain without code, as far as there is room. */
static void emit_chain(struct split *split, struct chain_piece piece)
{
	uint64_t size = instruction_size(split->image);
	size_t outer;

	while (piece.end - piece.start > size && (outer = outermost_new(split, piece.chain, piece.root)) != NONE) {
		uint64_t end = piece.start + size;

		emit_piece(split, (struct chain_piece){piece.start, end, piece.root, outer});
		split->seen_in[outer] = piece.root;
		piece.start = end;
	}
	emit_piece(split, piece);
}

/* The end of the first instruction, which stays with the function. */
static uint64_t end_of_entry(const struct split *split, size_t index)
{
	const struct image_function *function = &split->image->private->functions[index];
	uint64_t size = function->first == index ? instruction_size(split->image) : 0;

	return size < function->end - function->start ? function->start + size : function->end;
}

/* Marks the chains that have code of their own in the function, so that they need no instruction of another chain. */
static void mark_seen(struct split *split, const struct image_function *function, uint64_t entry_end)
{
	const struct scopes *scopes = split->scopes;

	for (size_t i = split->next; i < scopes->extent_count && scopes->extents[i].low < function->end; i++) {
		size_t chain = split->chain_of[scopes->extents[i].scope];

		if (chain != NONE && scopes->extents[i].high > entry_end)
			split->seen_in[chain] = function->first;
	}
}

static void split_function(struct split *split, size_t index)
{
	const struct scopes *scopes = split->scopes;
	const struct image_function *function = &split->image->private->functions[index];
	uint64_t position = function->start, entry_end = end_of_entry(split, index);

	while (split->next < scopes->extent_count && scopes->extents[split->next].high <= position)
		split->next++;
	mark_seen(split, function, entry_end);
	for (size_t i = split->next; i < scopes->extent_count && scopes->extents[i].low < function->end; i++) {
		const struct scope_extent *extent = &scopes->extents[i];
		uint64_t low = extent->low > entry_end ? extent->low : entry_end;
		uint64_t high = extent->high < function->end ? extent->high : function->end;
		size_t chain = split->chain_of[extent->scope];

		if (chain == NONE || low >= high || image_is_recorder(split->image, low))
			continue;
		emit_piece(split, (struct chain_piece){position, low, function->first, NONE});
		emit_chain(split, (struct chain_piece){low, high, function->first, chain});
		position = high;
	}
	emit_piece(split, (struct chain_piece){position, function->end, function->first, NONE});
}

/* --- Pieces by owner. */

static int compare_owners(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;

	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->chain > b->chain) - (a->chain < b->chain);
}

static int compare_first_pieces(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;
	int by_owner = compare_owners(left, right);

	return by_owner != 0 ? by_owner : (a->first > b->first) - (a->first < b->first);
}

static void find_piece_owners(struct split *split)
{
	struct owner *owners = calloc(split->piece_count + 1, sizeof *owners);

	split->owners = owners;
	split->out_of_memory |= owners == NULL;
	if (owners == NULL || split->piece_count == 0)
		return;
	for (size_t i = 0; i < split->piece_count; i++)
		owners[i] = (struct owner){split->pieces[i].root, split->pieces[i].chain, i};
	qsort(owners, split->piece_count, sizeof *owners, compare_first_pieces);
	for (size_t i = 0; i < split->piece_count; i++)
		if (i == 0 || compare_owners(&owners[i - 1], &owners[i]) != 0)
			owners[split->owner_count++] = owners[i];
}

/* The first piece of an owner; NONE if it has no piece. */
static size_t first_of(const struct split *split, size_t root, size_t chain)
{
	const struct owner key = {.root = root, .chain = chain};
	const struct owner *owner = bsearch(&key, split->owners, split->owner_count, sizeof key, compare_owners);

	return owner == NULL ? NONE : owner->first;
}

/* The function that a piece was inlined into. Skips chains without an instruction; the real function always has one. */
static size_t container_of(const struct split *split, const struct chain_piece *piece)
{
	size_t container = NONE;

	for (size_t chain = piece->chain; chain != NONE && container == NONE;) {
		chain = split->chains[chain].outer;
		container = first_of(split, piece->root, chain);
	}
	return container;
}

static struct image_function function_of_piece(const struct split *split, const struct chain_piece *piece)
{
	struct image_function function = split->image->private->functions[piece->root];

	function.start = piece->start;
	function.end = piece->end;
	function.first = first_of(split, piece->root, piece->chain);
	if (piece->chain == NONE)
		return function;
	const struct inline_chain *chain = &split->chains[piece->chain];
	function.name = chain->name;
	function.sized = true;
	function.is_label = false;
	function.is_local = chain->is_local;
	function.file = chain->file;
	function.line = chain->line;
	function.inlined_into = container_of(split, piece);
	return function;
}

/* NULL when out of memory. */
static struct image_function *create_functions(const struct split *split)
{
	struct image_function *functions = calloc(split->piece_count + 1, sizeof *functions);

	for (size_t i = 0; functions != NULL && i < split->piece_count; i++)
		functions[i] = function_of_piece(split, &split->pieces[i]);
	return functions;
}

/* --- The whole division. */

static bool prepare_split(struct split *split, const char *const *names, size_t count)
{
	split->scopes = image_scopes(split->image);
	if (split->scopes == NULL)
		return false;
	size_t scope_count = split->scopes->count;
	split->names = calloc(count + 1, sizeof *split->names);
	split->chains = calloc(scope_count + 1, sizeof *split->chains);
	split->chain_of = calloc(scope_count + 1, sizeof *split->chain_of);
	split->seen_in = calloc(scope_count + 1, sizeof *split->seen_in);
	if (split->names == NULL || split->chains == NULL || split->chain_of == NULL || split->seen_in == NULL)
		return false;
	for (size_t i = 0; i < scope_count; i++)
		split->seen_in[i] = NONE;
	for (size_t i = 0; i < count; i++)
		split->names[i] = names[i];
	split->name_count = count;
	qsort(split->names, count, sizeof *split->names, compare_split_names);
	return true;
}

/* For tdestroy(): the items belong to an array. */
static void free_nothing(void *chain)
{
	(void)chain;
}

static void release_split(struct split *split)
{
	tdestroy(split->chain_tree, free_nothing);
	free(split->names);
	free(split->chains);
	free(split->chain_of);
	free(split->seen_in);
	free(split->pieces);
	free(split->owners);
}

/* NULL when out of memory. */
static struct image_function *split_functions(struct split *split, const char *const *names, size_t count)
{
	if (!prepare_split(split, names, count))
		return NULL;
	find_chains(split);
	for (size_t i = 0; i < split->image->private->function_count && !split->out_of_memory; i++)
		split_function(split, i);
	find_piece_owners(split);
	return split->out_of_memory ? NULL : create_functions(split);
}

enum status image_split_inlined(struct image *image, const char *const *names, size_t count, struct error *error)
{
	struct split split = {.image = image};
	struct image_function *functions = split_functions(&split, names, count);

	if (functions != NULL) {
		image_replace_functions(image, functions, split.piece_count);
		image->rule = IMAGE_BY_SIZE;
	}
	release_split(&split);
	return functions == NULL ? status_fail(error, "%s: out of memory for its inlined functions", image->path)
	                         : STATUS_OK;
}
