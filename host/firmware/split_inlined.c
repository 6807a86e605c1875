/* SPDX-License-Identifier: MIT */
/*
 * Splitting inlined code of chosen functions into functions of its own. A function keeps its first instruction, because
 * calls are matched to its start. A split function without code of its own, but into which others were inlined, gets
 * their first instruction, so that no function disappears.
 */
#include "base/array.h"
#include "firmware/private.h"
#include "firmware/scopes.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* A wanted function with the chain of wanted functions that it was inlined into; others in between are skipped. */
struct chain {
	const char *name; /* owned by the image */
	size_t outer;     /* the chain that it was inlined into; NONE: only a function of the image */
	bool is_local;
	const char *file;
	int line;
};

/* Code of a chain within a function of the image; chain NONE: of the function itself. */
struct piece {
	uint64_t start, end;
	size_t root; /* the function's first extent before the division */
	size_t chain;
};

/* The owner of pieces, and its first piece. */
struct owner {
	size_t root, chain;
	size_t first;
};

struct outlining {
	const struct image *image;
	const struct scopes *scopes;
	const char **names; /* wanted, sorted */
	size_t name_count;
	struct chain *chains;
	size_t chain_count;
	void *chain_tree;
	size_t *chain_of; /* by scope: the innermost wanted chain */
	size_t *begun_in; /* by chain: the last function in which it was seen */
	size_t next;      /* the first extent of a scope that ends after the current function */
	struct piece *pieces;
	size_t piece_count;
	struct owner *owners; /* sorted */
	size_t owner_count;
	bool out_of_memory;
};

/* --- The chains. */

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Compares files too, because local functions of different files may have the same name. */
static int compare_chains(const void *left, const void *right)
{
	const struct chain *a = left, *b = right;
	if (a->outer != b->outer)
		return a->outer < b->outer ? -1 : 1;
	int by_name = strcmp(a->name, b->name);
	if (by_name != 0 || a->file == NULL || b->file == NULL)
		return by_name != 0 ? by_name : (a->file != NULL) - (b->file != NULL);
	return strcmp(a->file, b->file);
}

/* The chain of a wanted scope, created if new. There is room, because each chain has a scope. */
static size_t chain_with(struct outlining *outlining, const struct scope *scope, size_t outer)
{
	struct chain *chain = &outlining->chains[outlining->chain_count];
	*chain = (struct chain){
	        .name = scope->name,
	        .outer = outer,
	        .is_local = !scope->is_external,
	        .file = scope->file,
	        .line = scope->line,
	};
	struct chain **found = tsearch(chain, &outlining->chain_tree, compare_chains);
	if (found == NULL) {
		outlining->out_of_memory = true;
		return NONE;
	}
	if (*found == chain)
		outlining->chain_count++;
	return (size_t)(*found - outlining->chains);
}

/* Callers have lower indices than the scopes inlined into them. */
static void find_chains(struct outlining *outlining)
{
	for (size_t i = 0; i < outlining->scopes->count && !outlining->out_of_memory; i++) {
		const struct scope *scope = &outlining->scopes->items[i];
		outlining->chain_of[i] = NONE;
		if (scope->caller == SCOPE_NONE)
			continue;
		size_t outer = outlining->chain_of[scope->caller];
		bool is_wanted = bsearch(&scope->name, outlining->names, outlining->name_count, sizeof scope->name,
		                         compare_names) != NULL;
		outlining->chain_of[i] = is_wanted ? chain_with(outlining, scope, outer) : outer;
	}
}

/* --- Their code. */

static void emit(struct outlining *outlining, struct piece piece)
{
	struct piece *last = outlining->piece_count == 0 ? NULL : &outlining->pieces[outlining->piece_count - 1];
	if (piece.start == piece.end || outlining->out_of_memory)
		return;
	if (last != NULL && last->end == piece.start && last->root == piece.root && last->chain == piece.chain) {
		last->end = piece.end;
		return;
	}
	outlining->out_of_memory = !array_append(&outlining->pieces, &outlining->piece_count, &piece, sizeof piece);
}

/* The length of the shortest instruction. */
static uint64_t instruction_size(const struct image *image)
{
	return image->isa == IMAGE_ISA_ARM || image->isa == IMAGE_ISA_RISCV ? 2 : 1;
}

/* The outermost enclosing chain that has no code yet in the function; NONE if all have. */
static size_t outermost_new(const struct outlining *outlining, size_t chain, size_t root)
{
	size_t found = NONE;
	for (size_t i = outlining->chains[chain].outer; i != NONE; i = outlining->chains[i].outer)
		found = outlining->begun_in[i] == root ? found : i;
	return found;
}

/* Emits a piece after one instruction for each enclosing chain without code, as far as there is room. */
static void emit_chain(struct outlining *outlining, struct piece piece)
{
	uint64_t size = instruction_size(outlining->image);
	size_t outer;
	while (piece.end - piece.start > size && (outer = outermost_new(outlining, piece.chain, piece.root)) != NONE) {
		uint64_t end = piece.start + size;
		emit(outlining, (struct piece){piece.start, end, piece.root, outer});
		outlining->begun_in[outer] = piece.root;
		piece.start = end;
	}
	emit(outlining, piece);
}

/* The end of the first instruction, which stays with the function. */
static uint64_t end_of_entry(const struct outlining *outlining, size_t index)
{
	const struct image_function *function = &outlining->image->private->functions[index];
	uint64_t size = function->first == index ? instruction_size(outlining->image) : 0;
	return size < function->end - function->start ? function->start + size : function->end;
}

/* Marks chains that have code of their own in the function, so they need no instruction of others. */
static void mark_begun(struct outlining *outlining, const struct image_function *function, uint64_t entry_end)
{
	const struct scopes *scopes = outlining->scopes;
	for (size_t i = outlining->next; i < scopes->extent_count && scopes->extents[i].low < function->end; i++) {
		size_t chain = outlining->chain_of[scopes->extents[i].scope];
		if (chain != NONE && scopes->extents[i].high > entry_end)
			outlining->begun_in[chain] = function->first;
	}
}

static void cut_function(struct outlining *outlining, size_t index)
{
	const struct scopes *scopes = outlining->scopes;
	const struct image_function *function = &outlining->image->private->functions[index];
	uint64_t position = function->start, entry_end = end_of_entry(outlining, index);
	while (outlining->next < scopes->extent_count && scopes->extents[outlining->next].high <= position)
		outlining->next++;
	mark_begun(outlining, function, entry_end);
	for (size_t i = outlining->next; i < scopes->extent_count && scopes->extents[i].low < function->end; i++) {
		const struct scope_extent *extent = &scopes->extents[i];
		uint64_t low = extent->low > entry_end ? extent->low : entry_end;
		uint64_t high = extent->high < function->end ? extent->high : function->end;
		size_t chain = outlining->chain_of[extent->scope];
		if (chain == NONE || low >= high || image_is_recorder(outlining->image, low))
			continue;
		emit(outlining, (struct piece){position, low, function->first, NONE});
		emit_chain(outlining, (struct piece){low, high, function->first, chain});
		position = high;
	}
	emit(outlining, (struct piece){position, function->end, function->first, NONE});
}

/* --- Pieces by owner. */

static int compare_owners(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->chain > b->chain) - (a->chain < b->chain);
}

static int compare_firsts(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;
	int by_owner = compare_owners(left, right);
	return by_owner != 0 ? by_owner : (a->first > b->first) - (a->first < b->first);
}

static void find_owners(struct outlining *outlining)
{
	struct owner *owners = calloc(outlining->piece_count + 1, sizeof *owners);
	outlining->owners = owners;
	outlining->out_of_memory |= owners == NULL;
	if (owners == NULL || outlining->piece_count == 0)
		return;
	for (size_t i = 0; i < outlining->piece_count; i++)
		owners[i] = (struct owner){outlining->pieces[i].root, outlining->pieces[i].chain, i};
	qsort(owners, outlining->piece_count, sizeof *owners, compare_firsts);
	for (size_t i = 0; i < outlining->piece_count; i++)
		if (i == 0 || compare_owners(&owners[i - 1], &owners[i]) != 0)
			owners[outlining->owner_count++] = owners[i];
}

/* The first piece of an owner; NONE if it has no piece. */
static size_t first_of(const struct outlining *outlining, size_t root, size_t chain)
{
	const struct owner key = {.root = root, .chain = chain};
	const struct owner *owner =
	        bsearch(&key, outlining->owners, outlining->owner_count, sizeof key, compare_owners);
	return owner == NULL ? NONE : owner->first;
}

/*
 * The function that a piece was inlined into; skips chains that got no instruction. The real function always has one.
 */
static size_t host_of(const struct outlining *outlining, const struct piece *piece)
{
	size_t host = NONE;
	for (size_t chain = piece->chain; chain != NONE && host == NONE;) {
		chain = outlining->chains[chain].outer;
		host = first_of(outlining, piece->root, chain);
	}
	return host;
}

static struct image_function function_of(const struct outlining *outlining, const struct piece *piece)
{
	struct image_function function = outlining->image->private->functions[piece->root];
	function.start = piece->start;
	function.end = piece->end;
	function.first = first_of(outlining, piece->root, piece->chain);
	if (piece->chain == NONE)
		return function;
	const struct chain *chain = &outlining->chains[piece->chain];
	function.name = chain->name;
	function.sized = true;
	function.is_label = false;
	function.is_local = chain->is_local;
	function.file = chain->file;
	function.line = chain->line;
	function.inlined_into = host_of(outlining, piece);
	return function;
}

/* NULL when out of memory. */
static struct image_function *make_functions(const struct outlining *outlining)
{
	struct image_function *functions = calloc(outlining->piece_count + 1, sizeof *functions);
	for (size_t i = 0; functions != NULL && i < outlining->piece_count; i++)
		functions[i] = function_of(outlining, &outlining->pieces[i]);
	return functions;
}

/* --- The whole division. */

static bool prepare(struct outlining *outlining, const char *const *names, size_t count)
{
	outlining->scopes = image_scopes(outlining->image);
	if (outlining->scopes == NULL)
		return false;
	size_t scope_count = outlining->scopes->count;
	outlining->names = calloc(count + 1, sizeof *outlining->names);
	outlining->chains = calloc(scope_count + 1, sizeof *outlining->chains);
	outlining->chain_of = calloc(scope_count + 1, sizeof *outlining->chain_of);
	outlining->begun_in = calloc(scope_count + 1, sizeof *outlining->begun_in);
	if (outlining->names == NULL || outlining->chains == NULL || outlining->chain_of == NULL ||
	    outlining->begun_in == NULL)
		return false;
	for (size_t i = 0; i < scope_count; i++)
		outlining->begun_in[i] = NONE;
	for (size_t i = 0; i < count; i++)
		outlining->names[i] = names[i];
	outlining->name_count = count;
	qsort(outlining->names, count, sizeof *outlining->names, compare_names);
	return true;
}

/* For tdestroy(): the items belong to an array. */
static void keep(void *chain)
{
	(void)chain;
}

static void release(struct outlining *outlining)
{
	tdestroy(outlining->chain_tree, keep);
	free(outlining->names);
	free(outlining->chains);
	free(outlining->chain_of);
	free(outlining->begun_in);
	free(outlining->pieces);
	free(outlining->owners);
}

/* NULL when out of memory. */
static struct image_function *outline(struct outlining *outlining, const char *const *names, size_t count)
{
	if (!prepare(outlining, names, count))
		return NULL;
	find_chains(outlining);
	for (size_t i = 0; i < outlining->image->private->function_count && !outlining->out_of_memory; i++)
		cut_function(outlining, i);
	find_owners(outlining);
	return outlining->out_of_memory ? NULL : make_functions(outlining);
}

enum status image_split_inlined(struct image *image, const char *const *names, size_t count, struct error *error)
{
	struct outlining outlining = {.image = image};
	struct image_function *functions = outline(&outlining, names, count);
	if (functions != NULL) {
		image_replace_functions(image, functions, outlining.piece_count);
		image->rule = IMAGE_BY_SIZE;
	}
	release(&outlining);
	return functions == NULL ? status_fail(error, "%s: out of memory for its inlined functions", image->path)
	                         : STATUS_OK;
}
