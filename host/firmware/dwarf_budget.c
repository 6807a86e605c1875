/* SPDX-License-Identifier: MIT */
/* See dwarf_budget.h. */
#include "firmware/dwarf_budget.h"

/* Smaller files have the limits of a file of this size. */
#define FILE_SIZE_MIN 65536u

/* limit = file size * times / per. Real files stay below a third of each, even with compressed sections (docs/DESIGN.md
 * has the figures). All limits together keep libdw and this folder below 300 times the file size. */
static const struct limit {
	const char *reason;
	unsigned times, per;
} limits[DWARF_COSTS] = {
        [DWARF_EXPANSION] = {"its debug sections expand to far more than the file holds", 32, 1},
        [DWARF_UNITS] = {"its compilation units are too many for a file of its size", 1, 16},
        [DWARF_ABBREVIATIONS] = {"its units share abbreviations that are too large for a file of its size", 2, 1},
        [DWARF_ATTRIBUTES] = {"its entries have too many attributes for a file of its size", 16, 1},
        [DWARF_FUNCTIONS] = {"its functions are too many for a file of its size", 1, 4},
        [DWARF_RANGES] = {"its range lists are too long for a file of its size", 1, 2},
        [DWARF_LINES] = {"its line tables are too long for a file of its size", 2, 1},
        [DWARF_FILES] = {"its file names are too long for a file of its size", 16, 1},
};

struct dwarf_budget dwarf_budget_of(size_t file_size)
{
	uint64_t size = file_size < FILE_SIZE_MIN ? FILE_SIZE_MIN : file_size;
	struct dwarf_budget budget = {.exceeded = NULL};

	for (size_t i = 0; i < DWARF_COSTS; i++)
		budget.left[i] = size * limits[i].times / limits[i].per;
	return budget;
}

bool dwarf_pay(struct dwarf_budget *budget, enum dwarf_cost kind, uint64_t cost)
{
	if (budget->exceeded == NULL && cost > budget->left[kind])
		budget->exceeded = limits[kind].reason;
	if (budget->exceeded != NULL)
		return false;
	budget->left[kind] -= cost;
	return true;
}
