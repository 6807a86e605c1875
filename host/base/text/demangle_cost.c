/* SPDX-License-Identifier: MIT */
/* See demangle_cost.h. */
#include "base/text/demangle_cost.h"

#include <libiberty/demangle.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The limit for one name, in printing steps; names of large programs take a few thousand. */
#define COST_MAX ((uint64_t)1 << 17)

/* Printing one part takes as long as visiting this many parts. */
#define PARTS_PER_STEP 8

bool demangle_spend(uint64_t *steps_left, uint64_t steps)
{
	*steps_left -= *steps_left > steps ? steps : *steps_left;
	return *steps_left > 0;
}

/* The sum, saturated just above COST_MAX. */
static uint64_t saturating_sum(uint64_t left, uint64_t right)
{
	uint64_t sum = left > COST_MAX || right > COST_MAX ? COST_MAX + 1 : left + right;

	return sum > COST_MAX ? COST_MAX + 1 : sum;
}

/* The parts of a C++ name as libiberty parsed it. One part may be printed in several places. */
struct parts {
	const struct demangle_component *items;
	size_t count;
	uint64_t *costs;   /* 0: unknown so far */
	uint32_t *pending; /* a stack of parts whose cost is to be computed */
	uint64_t parameter_cost;
	uint64_t pack_length; /* an upper bound; 1: unknown so far */
};

#define NO_PART SIZE_MAX

static size_t index_of(const struct parts *parts, const struct demangle_component *part)
{
	uintptr_t base = (uintptr_t)parts->items, address = (uintptr_t)part;

	if (address < base || address - base >= parts->count * sizeof *part || (address - base) % sizeof *part != 0)
		return NO_PART;
	return (address - base) / sizeof *part;
}

/* The direct children of a part. Where it keeps them depends on its type. */
static void find_children(const struct parts *parts, size_t index, size_t children[2])
{
	const struct demangle_component *part = &parts->items[index];

	children[0] = children[1] = NO_PART;
	switch (part->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		return;
	case DEMANGLE_COMPONENT_CTOR:
		children[0] = index_of(parts, part->u.s_ctor.name);
		return;
	case DEMANGLE_COMPONENT_DTOR:
		children[0] = index_of(parts, part->u.s_dtor.name);
		return;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		children[0] = index_of(parts, part->u.s_extended_operator.name);
		return;
	case DEMANGLE_COMPONENT_FIXED_TYPE:
		children[0] = index_of(parts, part->u.s_fixed.length);
		return;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		children[0] = index_of(parts, part->u.s_unary_num.sub);
		return;
	default:
		children[0] = index_of(parts, part->u.s_binary.left);
		children[1] = index_of(parts, part->u.s_binary.right);
	}
}

/* A template parameter is printed as one of the arguments. */
static uint64_t own_cost(const struct parts *parts, size_t index)
{
	return parts->items[index].type == DEMANGLE_COMPONENT_TEMPLATE_PARAM ? parts->parameter_cost : 1;
}

/* Computes the cost of a part with everything it contains. A part that contains itself costs more than COST_MAX. */
static uint64_t cost_of_part_tree(struct parts *parts, size_t root)
{
	size_t depth = 0;

	parts->pending[depth++] = (uint32_t)root;
	while (depth > 0) {
		size_t index = parts->pending[depth - 1], children[2];

		find_children(parts, index, children);
		uint64_t cost = own_cost(parts, index);
		size_t before = depth;
		for (size_t i = 0; i < 2 && depth == before; i++) {
			if (children[i] == NO_PART)
				continue;
			if (parts->costs[children[i]] == 0 && depth == parts->count)
				return COST_MAX + 1;
			if (parts->costs[children[i]] == 0)
				parts->pending[depth++] = (uint32_t)children[i];
			else
				cost = saturating_sum(cost, parts->costs[children[i]]);
		}
		if (depth > before)
			continue;
		/* A pack expansion prints its pattern for each argument of the pack. */
		if (parts->items[index].type == DEMANGLE_COMPONENT_PACK_EXPANSION)
			cost = cost > COST_MAX / parts->pack_length ? COST_MAX + 1 : cost * parts->pack_length;
		parts->costs[index] = cost;
		depth--;
	}
	return parts->costs[root];
}

/* Counts the parts of a type that the name uses. Their costs are known; other parts are uninitialised. */
static size_t count_type(const struct parts *parts, enum demangle_component_type type)
{
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		count += parts->costs[i] != 0 && parts->items[i].type == type;
	return count;
}

static uint64_t largest_argument(const struct parts *parts)
{
	uint64_t largest = 1;

	for (size_t i = 0; i < parts->count; i++)
		if (parts->costs[i] > largest && parts->items[i].type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
			largest = parts->costs[i];
	return largest;
}

/*
 * An argument may itself contain parameters of an enclosing template. Each typed name can add one level (libiberty,
 * cp-demangle.c: printing one brings its template into scope).
 */
static bool is_cheap_tree(struct parts *parts, size_t root, uint64_t *steps_left)
{
	size_t levels = SIZE_MAX;
	uint64_t previous = 0;

	/* The first level finds the parts in use, which later levels need to know the length of packs. */
	parts->parameter_cost = parts->pack_length = 1;
	for (size_t level = 0; level <= levels && (level < 2 || parts->parameter_cost != previous); level++) {
		memset(parts->costs, 0, parts->count * sizeof *parts->costs);
		if (!demangle_spend(steps_left, parts->count / PARTS_PER_STEP) ||
		    cost_of_part_tree(parts, root) > COST_MAX)
			return false;
		levels = count_type(parts, DEMANGLE_COMPONENT_TYPED_NAME) + 1;
		previous = parts->parameter_cost;
		parts->parameter_cost = largest_argument(parts);
		parts->pack_length = count_type(parts, DEMANGLE_COMPONENT_TEMPLATE_ARGLIST) + 1;
	}
	return demangle_spend(steps_left, parts->costs[root]);
}

bool demangle_is_cheap_cplus(const char *name, int options, uint64_t *steps_left)
{
	void *memory = NULL;
	const struct demangle_component *root = cplus_demangle_v3_components(name, options, &memory);

	if (root == NULL)
		return true;
	/* As many as libiberty allocates (cp-demangle.c, cplus_demangle_init_info). */
	struct parts parts = {.items = memory, .count = 2 * strlen(name)};
	parts.costs = calloc(parts.count, sizeof *parts.costs);
	parts.pending = calloc(parts.count, sizeof *parts.pending);
	size_t root_index = index_of(&parts, root);
	bool is_cheap = parts.costs != NULL && parts.pending != NULL && root_index != NO_PART &&
	                is_cheap_tree(&parts, root_index, steps_left);
	free(parts.costs);
	free(parts.pending);
	free(memory);
	return is_cheap;
}

/* The cost of each prefix of a name. A reference costs as much as the part it refers to. */
struct prefix {
	uint64_t costs[DEMANGLE_MANGLED_MAX + 1];
};

/* Without parsing, the end of the referenced part is unknown, so a reference costs everything in between. */
static uint64_t cost_of_reference(const struct prefix *prefix, size_t from, size_t to)
{
	return from < to ? prefix->costs[to] - prefix->costs[from] : 0;
}

#define NO_NUMBER UINT64_MAX

/* Parses Rust's base-62-number (RFC 2603): the characters before an underscore encode the value minus 1, and "_" alone
 * is 0. Above COST_MAX the result is inexact, but still above COST_MAX. NO_NUMBER: text is not a number. */
static uint64_t parse_base_62_number(const char *text)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	uint64_t value = 0;

	if (*text == '_')
		return 0;

	for (; *text != '_'; text++) {
		const char *digit = *text == '\0' ? NULL : strchr(digits, *text);

		if (digit == NULL)
			return NO_NUMBER;
		value = value > COST_MAX ? value : value * 62 + (uint64_t)(digit - digits);
	}
	return value + 1;
}

/*
 * "B" begins a reference to a position counted from after "_R"; most refer to the root of a crate ("C"), which has no
 * parts. "G" after "F" or "D" begins the number of bound lifetimes, each of which is printed.
 */
static uint64_t cost_of_rust_byte(const char *name, const struct prefix *prefix, size_t at)
{
	uint64_t number = name[at] == 'B' || name[at] == 'G' ? parse_base_62_number(&name[at + 1]) : NO_NUMBER;

	if (number == NO_NUMBER)
		return 1;
	if (name[at] == 'G')
		return at > 0 && (name[at - 1] == 'F' || name[at - 1] == 'D') ? saturating_sum(1, number) : 1;
	if (number + 2 < at && name[number + 2] == 'C')
		return 1;
	return saturating_sum(1, cost_of_reference(prefix, number + 2, at));
}

/* "Q" begins a reference: a base-26 number of bytes to go back, whose last digit is lower case (D language
 * specification, "ABI", back references). */
static uint64_t cost_of_dlang_byte(const char *name, const struct prefix *prefix, size_t at)
{
	uint64_t back = 0;
	size_t end = at + 1;

	if (name[at] != 'Q')
		return 1;
	for (; name[end] >= 'A' && name[end] <= 'Z' && back < at; end++)
		back = back * 26 + (uint64_t)(name[end] - 'A');
	if (name[end] < 'a' || name[end] > 'z')
		return 1;
	back = back * 26 + (uint64_t)(name[end] - 'a');
	return back > at ? 1 : saturating_sum(1, cost_of_reference(prefix, at - back, at));
}

static bool spend_prefix_costs(const char *name, uint64_t (*cost)(const char *, const struct prefix *, size_t),
                               uint64_t *steps_left)
{
	struct prefix prefix;
	size_t length = 0;

	prefix.costs[0] = 0;
	for (; name[length] != '\0'; length++) {
		prefix.costs[length + 1] = saturating_sum(prefix.costs[length], cost(name, &prefix, length));
		if (prefix.costs[length + 1] > COST_MAX)
			return false;
	}
	return demangle_spend(steps_left, prefix.costs[length]);
}

bool demangle_is_cheap_rust(const char *name, uint64_t *steps_left)
{
	return strncmp(name, "_R", 2) != 0 || spend_prefix_costs(name, cost_of_rust_byte, steps_left);
}

bool demangle_is_cheap_dlang(const char *name, uint64_t *steps_left)
{
	return strncmp(name, "_D", 2) != 0 || spend_prefix_costs(name, cost_of_dlang_byte, steps_left);
}
