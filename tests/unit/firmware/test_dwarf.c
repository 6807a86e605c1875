/* SPDX-License-Identifier: MIT */
/* DWARF read within a budget: finds the same entries as libdw, and compiler output stays far below the limits. */
#include "firmware/line_units.h"
#include "firmware/private.h"
#include "firmware/scopes.h"
#include "test.h"
#include "workshop.h"

#include <dwarf.h>

#define LINK \
	" && arm-none-eabi-ld -e outer -Ttext=0x8000 --unresolved-symbols=ignore-all $WORKSHOP/nested.o -o $WORKSHOP/"
#define GCC                                                                                           \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -ffunction-sections -c $FIRMWARE/nested.c -o " \
	"$WORKSHOP/nested.o "
#define CLANG "clang --target=thumbv7m-none-eabi -O2 -c -ffreestanding $FIRMWARE/nested.c -o $WORKSHOP/nested.o "

static const char *const firmwares[] = {"gcc2.elf",   "gcc4.elf", "gcc5.elf", "clang4.elf",
                                        "clang5.elf", "64.elf",   "types.elf"};

static int build(void **state)
{
	return workshop_open_with(GCC "-gdwarf-2" LINK "gcc2.elf && " GCC "-gdwarf-4" LINK "gcc4.elf && " GCC
	                              "-gdwarf-5" LINK "gcc5.elf && " CLANG "-gdwarf-4" LINK "clang4.elf && " CLANG
	                              "-gdwarf-5" LINK "clang5.elf && " GCC "-gdwarf-5 -gdwarf64" LINK "64.elf && " GCC
	                              "-gdwarf-5 -fdebug-types-section" LINK "types.elf");
}

/* The functions with code that libdw finds in a unit. */
struct walk {
	const struct dwarf_tree *tree;
	size_t count;
};

/* Returns the parent of the functions within the entry. */
static size_t expect_entry(struct walk *walk, Dwarf_Die *entry, size_t parent, unsigned depth)
{
	int tag = dwarf_tag(entry);
	bool is_inlined = tag == DW_TAG_inlined_subroutine;
	bool has_code = dwarf_hasattr(entry, DW_AT_low_pc) || dwarf_hasattr(entry, DW_AT_ranges);

	assert_true(dwarf_tree_has_entry(walk->tree, dwarf_dieoffset(entry)));
	if (!is_inlined && tag != DW_TAG_subprogram)
		return parent;
	if (!is_inlined && !has_code)
		return DWARF_NONE;
	assert_true(walk->count < walk->tree->function_count);
	const struct dwarf_function *function = &walk->tree->functions[walk->count];
	assert_int_equal(function->offset, dwarf_dieoffset(entry));
	assert_int_equal(function->depth, depth);
	assert_int_equal(function->is_inlined, is_inlined);
	assert_int_equal(function->parent, is_inlined ? parent : DWARF_NONE);
	return walk->count++;
}

static void expect_unit(struct walk *walk, const Dwarf_Die *unit)
{
	struct {
		Dwarf_Die entry;
		size_t parent;
	} levels[64] = {{*unit, DWARF_NONE}};
	unsigned depth = 0;

	do {
		Dwarf_Die next;
		size_t inner = expect_entry(walk, &levels[depth].entry, levels[depth].parent, depth);

		if (dwarf_child(&levels[depth].entry, &next) == 0) {
			levels[++depth].parent = inner;
			assert_true(depth + 1 < sizeof levels / sizeof *levels);
		} else {
			while (depth > 0 && dwarf_siblingof(&levels[depth].entry, &next) != 0)
				depth--;
		}
		levels[depth].entry = next;
	} while (depth > 0);
}

ALL_TESTS(build, workshop_close);

TEST(functions_match_libdw)
{
	for (size_t i = 0; i < sizeof firmwares / sizeof *firmwares; i++) {
		struct image *image = workshop_image(firmwares[i]);
		const struct line_units *units = image_line_units(image);
		struct walk walk = {.tree = &units->tree};
		Dwarf_CU *cursor = NULL;
		Dwarf_Die entry;
		size_t unit_count = 0;

		while (dwarf_get_units(units->sections.dwarf, cursor, &cursor, NULL, NULL, &entry, NULL) == 0) {
			assert_int_equal(units->tree.units[unit_count++].first, dwarf_dieoffset(&entry));
			expect_unit(&walk, &entry);
		}
		assert_true(walk.count > 2);
		assert_int_equal(walk.count, units->tree.function_count);
		assert_int_equal(unit_count, units->tree.unit_count);
	}
}

/* Scales the limits, which have a minimum, to the size of the file. */
static void expect_small_costs(const char *name)
{
	struct image *image = workshop_image(name);
	size_t size = image->private->size;
	const struct dwarf_budget limits = dwarf_budget_of(size);

	assert_non_null(image_scopes(image));
	const struct dwarf_budget *budget = &image_line_units(image)->budget;
	assert_null(image_unreadable_lines(image));
	for (size_t i = 0; i < DWARF_COSTS; i++) {
		uint64_t cost = limits.left[i] - budget->left[i];
		double limit = (double)limits.left[i] / 65536 * (double)size;

		if ((double)cost > 0.4 * limit)
			fail_msg("%s: cost %zu is %.0f, the limit %.0f", name, i, (double)cost, limit);
	}
}

TEST(compiler_output_is_far_from_any_limit)
{
	for (size_t i = 0; i < sizeof firmwares / sizeof *firmwares; i++) {
		workshop_run(
		        "arm-none-eabi-objcopy --compress-debug-sections=zlib $WORKSHOP/%s $WORKSHOP/compressed.elf",
		        firmwares[i]);
		expect_small_costs(firmwares[i]);
		expect_small_costs("compressed.elf");
	}
}
