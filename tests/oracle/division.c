/* SPDX-License-Identifier: MIT */
/* See division.h. The rules are GNU gprof 2.40's, found by running it. */
#include "division.h"

#include <stdlib.h>
#include <string.h>

struct candidate {
	const struct elf_symbol *symbol;
	size_t place; /* index in the ELF, where local symbols come first */
	bool is_global, is_function;
};

/* By address, functions first, then global symbols, then in the order of the ELF. */
static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->symbol->address != b->symbol->address)
		return a->symbol->address < b->symbol->address ? -1 : 1;
	if (a->is_function != b->is_function)
		return a->is_function ? -1 : 1;
	if (a->is_global != b->is_global)
		return a->is_global ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Whether the later of two symbols at one address is chosen. */
static bool is_preferred(const struct candidate *later, const struct candidate *former)
{
	const char *name = later->symbol->name, *other = former->symbol->name;

	if (later->is_global != former->is_global)
		return later->is_global;
	if (later->is_function != former->is_function)
		return later->is_function;
	return (name[0] != '_' && other[0] == '_') || (name[1] != '_' && other[1] == '_');
}

static bool is_included(const struct candidate *candidate, struct division_rule rule)
{
	if (candidate->is_global || rule.from_file)
		return true;
	return !rule.no_static && (!rule.functions_only || candidate->symbol->type == STT_FUNC);
}

static size_t collect(const struct firmware *firmware, struct division_rule rule, struct candidate *candidates)
{
	size_t count = 0;

	for (size_t i = 0; i < firmware->symbol_count; i++) {
		const struct elf_symbol *symbol = &firmware->symbols[i];
		bool is_global = symbol->binding != STB_LOCAL;
		const struct candidate candidate = {
		        .symbol = symbol,
		        .place = i + (is_global && !rule.from_file ? SYMBOLS_MAX : 0),
		        .is_global = is_global,
		        .is_function = rule.from_file || symbol->type == STT_FUNC,
		};

		if (!firmware->is_ignored[i] && is_included(&candidate, rule))
			candidates[count++] = candidate;
	}
	return count;
}

void division_make(const struct firmware *firmware, struct division_rule rule, struct division *division)
{
	static struct candidate candidates[SYMBOLS_MAX];
	size_t count = collect(firmware, rule, candidates);

	qsort(candidates, count, sizeof *candidates, compare_candidates);
	const struct candidate *last = NULL;
	division->count = 0;
	for (const struct candidate *next = candidates; next < candidates + count; next++) {
		bool is_alias = last != NULL && last->symbol->address == next->symbol->address;

		if (is_alias && !is_preferred(next, last))
			continue;
		if (!is_alias)
			division->count++;
		division->owners[division->count - 1] =
		        (struct owner){next->symbol->address, next->symbol->name, next->is_function};
		last = next;
	}
}

size_t division_find(const struct division *division, uint64_t address)
{
	size_t low = 0, high = division->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (division->owners[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || low == division->count ? division->count : low - 1;
}
