/* SPDX-License-Identifier: MIT */
/* Checks of call sites, see call_sites.h. The code is divided into segments once, without decoding; a function is
 * decoded when one of its addresses is looked up. A call that the code does not rule out counts as possible. */
#include "firmware/calls/call_sites.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/code_unit.h"

#define UNIT_NONE SIZE_MAX

/* Tail calls are followed through this many functions and jumps; code further away counts as reached. */
#define REACHED_MAX 64
#define JUMPS_MAX   1024

struct call_sites {
	const struct image *image;
	const struct decoder *decoder; /* NULL: no call can be ruled out */
	struct unit_hook hook;
	struct image_extent *extents;
	size_t extent_count;
	struct segment *segments; /* in ascending order, none overlapping */
	size_t segment_count;
	size_t *unit_of;         /* by segment */
	size_t *first_segment;   /* by unit, and the end of the last one */
	struct code_unit *units; /* decoded, or all zero */
	size_t unit_count;
};

/* --- Segments and units. */

static bool code_overlaps(const struct image *image)
{
	for (size_t i = 1; i < image->code_count; i++)
		if (image->code[i].address - image->code[i - 1].address < image->code[i - 1].size)
			return true;
	return false;
}

static bool add_segments(struct call_sites *sites, const struct image_code *code)
{
	struct segment_walk walk;
	struct segment segment;

	segment_walk_begin(&walk, sites->image, code, sites->extents, sites->extent_count);
	while (segment_walk_next(&walk, &segment))
		if (!array_append(&sites->segments, &sites->segment_count, &segment, sizeof segment))
			return false;
	return true;
}

/* A function with data in it has several segments. */
static bool is_same_unit(const struct segment *before, const struct segment *segment)
{
	return before->function == segment->function && before->code == segment->code;
}

static bool divide_into_units(struct call_sites *sites)
{
	sites->unit_of = calloc(sites->segment_count + 1, sizeof *sites->unit_of);
	sites->first_segment = calloc(sites->segment_count + 1, sizeof *sites->first_segment);
	sites->units = calloc(sites->segment_count + 1, sizeof *sites->units);
	if (sites->unit_of == NULL || sites->first_segment == NULL || sites->units == NULL)
		return false;
	for (size_t i = 0; i < sites->segment_count; i++) {
		if (i == 0 || !is_same_unit(&sites->segments[i - 1], &sites->segments[i]))
			sites->first_segment[sites->unit_count++] = i;
		sites->unit_of[i] = sites->unit_count - 1;
	}
	sites->first_segment[sites->unit_count] = sites->segment_count;
	return true;
}

static bool divide_code(struct call_sites *sites)
{
	const struct image *image = sites->image;
	bool ok = image_data_in_code(image, &sites->extents, &sites->extent_count);

	for (size_t i = 0; ok && i < image->code_count; i++)
		ok = add_segments(sites, &image->code[i]);
	return ok && divide_into_units(sites);
}

struct call_sites *call_sites_create(const struct image *image)
{
	struct call_sites *sites = calloc(1, sizeof *sites);

	if (sites == NULL)
		return NULL;
	sites->image = image;
	sites->decoder = code_overlaps(image) ? NULL : decoder_of(image);
	sites->hook.is_known = image_symbol(image, "__cyg_profile_func_enter", &sites->hook.address);
	if (sites->decoder == NULL || divide_code(sites))
		return sites;
	call_sites_free(sites);
	return NULL;
}

void call_sites_free(struct call_sites *sites)
{
	if (sites == NULL)
		return;
	for (size_t i = 0; i < sites->unit_count; i++)
		code_unit_free(&sites->units[i]);
	free(sites->units);
	free(sites->first_segment);
	free(sites->unit_of);
	free(sites->segments);
	free(sites->extents);
	free(sites);
}

/* The unit with an instruction that covers address; UNIT_NONE if there is none. */
static size_t unit_at(const struct call_sites *sites, uint64_t address)
{
	size_t segment = first_above(sites->segments, sites->segment_count, sizeof *sites->segments,
	                             offsetof(struct segment, end), address);
	bool is_code = segment < sites->segment_count && sites->segments[segment].start <= address;

	return is_code ? sites->unit_of[segment] : UNIT_NONE;
}

/* NULL when out of memory. */
static const struct code_unit *decoded_unit(struct call_sites *sites, size_t index)
{
	struct code_unit *unit = &sites->units[index];
	size_t first = sites->first_segment[index], count = sites->first_segment[index + 1] - first;

	if (unit->ends == NULL && !code_unit_decode(sites->image, &sites->segments[first], count, &sites->hook, unit))
		return NULL;
	return unit;
}

/* --- Destinations of a call. */

/* The function of a unit, the same for all of its extents and outlined parts; SIZE_MAX: none. */
static size_t owner_of_unit(const struct call_sites *sites, size_t unit)
{
	const struct image *image = sites->image;
	const struct image_function *function = sites->segments[sites->first_segment[unit]].function;

	return function == NULL ? SIZE_MAX : image_containing_function(image, image->functions[function->first].first);
}

static bool have_same_owner(const struct call_sites *sites, size_t unit, size_t other)
{
	size_t owner = owner_of_unit(sites, unit);

	return unit == other || (owner != SIZE_MAX && owner == owner_of_unit(sites, other));
}

/* The units reachable from a call without another call or a return. */
struct unit_reach {
	struct call_sites *sites;
	size_t wanted; /* the callee's unit */
	size_t units[REACHED_MAX];
	size_t count, jumps;
	bool may_reach; /* the callee: it was found, or cannot be ruled out */
	bool out_of_memory;
};

static void reach_unit(struct unit_reach *reach, size_t unit)
{
	if (unit == UNIT_NONE || have_same_owner(reach->sites, unit, reach->wanted)) {
		reach->may_reach = true;
		return;
	}
	for (size_t i = 0; i < reach->count; i++)
		if (reach->units[i] == unit)
			return;
	if (reach->count == REACHED_MAX)
		reach->may_reach = true;
	else
		reach->units[reach->count++] = unit;
}

static void reach_address(struct unit_reach *reach, uint64_t address)
{
	const struct call_sites *sites = reach->sites;

	if (++reach->jumps > JUMPS_MAX)
		reach->may_reach = true;
	else
		reach_unit(reach, unit_at(sites, veneer_end(sites->decoder, sites->image, address)));
}

/* A function with several units may continue in the next one without a known jump, for example through a switch. */
static void follow_exits(struct unit_reach *reach, size_t index)
{
	struct call_sites *sites = reach->sites;
	const struct code_unit *unit = decoded_unit(sites, index);

	reach->out_of_memory = unit == NULL;
	if (unit == NULL)
		return;
	reach->may_reach = unit->goes_anywhere;
	for (size_t i = 0; !reach->may_reach && i < unit->exit_count; i++)
		reach_address(reach, unit->exits[i]);
	if (!reach->may_reach && index + 1 < sites->unit_count && have_same_owner(sites, index, index + 1))
		reach_unit(reach, index + 1);
}

/* Sets *can_reach if a call to target may reach the unit at callee. False when out of memory. */
static bool check_reach(struct call_sites *sites, uint64_t target, uint64_t callee, bool *can_reach)
{
	struct unit_reach reach = {.sites = sites, .wanted = unit_at(sites, callee)};

	*can_reach = true;
	if (reach.wanted == UNIT_NONE)
		return true;
	reach_address(&reach, target);
	for (size_t i = 0; i < reach.count && !reach.may_reach && !reach.out_of_memory; i++)
		follow_exits(&reach, reach.units[i]);
	*can_reach = reach.may_reach;
	return !reach.out_of_memory;
}

/* --- The instruction before a return address. */

/* Checks the bytes alone, ignoring where earlier instructions begin. */
static bool looks_like_call(const struct call_sites *sites, uint64_t return_address)
{
	const struct image_code *code = image_code_at(sites->image, return_address - 1);
	uint64_t room = code == NULL ? 0 : return_address - code->address;

	for (unsigned length = INSTRUCTION_ALIGNMENT; length <= INSTRUCTION_MAX && length <= room;
	     length += INSTRUCTION_ALIGNMENT) {
		const struct code_place place = {sites->image, code->bytes + (room - length), length,
		                                 return_address - length};
		struct known_registers registers = {.known = 0};
		struct instruction instruction = {.length = 0};

		sites->decoder->decode(&place, &registers, &instruction);
		if (instruction.length == length && (instruction.flow == FLOW_CALL || instruction.may_be_table_jump))
			return true;
	}
	return false;
}

/* A32 code returns to an even address. */
static bool is_after_a32(const struct call_sites *sites, uint64_t return_address)
{
	size_t index = first_extent_after(sites->extents, sites->extent_count, return_address - 1);
	bool is_even = (return_address & 1) == 0;

	return is_even && index < sites->extent_count && sites->extents[index].start < return_address &&
	       sites->extents[index].content == IMAGE_CONTENT_A32;
}

/* If no instruction ends at address, the decoder may be out of step after unmarked data; then the bytes decide. */
static bool may_be_missed_call(const struct call_sites *sites, const struct code_unit *unit, uint64_t address)
{
	bool may_end = address % INSTRUCTION_ALIGNMENT == 0;

	return unit != NULL && may_end && !code_unit_has_end(unit, address) && looks_like_call(sites, address);
}

/* An entry of a function; its symbol may have any type. */
static bool is_entry_address(const struct call_sites *sites, uint64_t address)
{
	return address == 0 || function_with_entry(sites->image, address) != NULL;
}

bool call_sites_check(struct call_sites *sites, uint64_t return_address, uint64_t callee, struct call_site *site)
{
	uint64_t address = return_address & ~image_thumb_bit(sites->image);

	*site = (struct call_site){.is_false = false};
	if (sites->decoder == NULL)
		return true;
	size_t before = address == 0 ? UNIT_NONE : unit_at(sites, address - 1);
	const struct code_unit *unit = before == UNIT_NONE ? NULL : decoded_unit(sites, before);
	if (before != UNIT_NONE && unit == NULL)
		return false;
	const struct unit_call *call = unit == NULL ? NULL : code_unit_call(unit, address);
	bool can_reach = true;
	if (call == NULL) {
		/* This proves nothing outside code, where a call may have been missed, or after A32 code. */
		bool is_in_code = address == 0 || unit_at(sites, address) != UNIT_NONE;

		can_reach = !is_in_code || may_be_missed_call(sites, unit, address) ||
		            (address != 0 && unit == NULL && is_after_a32(sites, return_address));
	} else if (call->has_target) {
		site->has_target = true;
		site->target = veneer_end(sites->decoder, sites->image, call->target);
		if (!check_reach(sites, call->target, callee & ~image_thumb_bit(sites->image), &can_reach))
			return false;
	}
	site->is_false = !can_reach;
	site->is_entry = site->is_false && is_entry_address(sites, address);
	return true;
}
