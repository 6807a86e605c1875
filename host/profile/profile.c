/* SPDX-License-Identifier: MIT */
/* Creation of a profile, and its nodes. */
#include "profile/profile.h"

#include "base/array.h"
#include "base/search.h"
#include "capture/count.h"
#include "firmware/unwind/unwind.h"
#include "profile/measurement.h"
#include "profile/split.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_PAGE 4096u
#define MADE_MAX     1000 /* rows for code outside functions; later ranges share one row per kind */
#define ADDRESS_REST UINT64_MAX

/* A gmon.out without samples has no rate. */
static bool is_without_samples(const struct capture_block *block)
{
	return block->is_gmon && block->range_count == 0;
}

static enum profile_time_unit common_time_unit(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_header *header = &profile->blocks[i]->header;

		if (!is_without_samples(profile->blocks[i]) && (header->clock_hz == 0 || header->period == 0))
			return PROFILE_SAMPLES;
	}
	return PROFILE_SECONDS;
}

/* Sets the marks of a new node: the filters that match it. */
static void set_filter_marks(struct profile *profile, struct profile_node *node)
{
	if (profile->filters == NULL)
		return;
	const struct filter_symbol symbol = {.name = node->name, .file = node->file, .line = node->line};
	node->marks = filters_match(profile->filters, &symbol);
	profile->all_marks.included |= node->marks.included;
	profile->all_marks.excluded |= node->marks.excluded;
}

static void add_function_nodes(struct profile *profile, const struct image *image)
{
	/* GNU gprof treats the recorder's functions like any other. */
	profile->has_recorder = image->rule == IMAGE_BY_SIZE && image->recorder_count > 0;
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool recorder = profile->has_recorder && image_is_recorder(image, function->start);
		struct profile_node *node = &profile->nodes[profile->node_count++];

		*node = (struct profile_node){
		        .kind = recorder ? PROFILE_BAREPROF : PROFILE_FUNCTION,
		        .name = function->name,
		        .file = function->file,
		        .line = function->line,
		        .is_label = function->is_label,
		        .address = function->start,
		        .end = function->end,
		        .cycle = PROFILE_NONE,
		};
		set_filter_marks(profile, node);
	}
}

static bool list_blocks(struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->capture_count; i++)
		count += profile->captures[i]->block_count;
	profile->blocks = calloc(count + 1, sizeof *profile->blocks);
	if (profile->blocks == NULL)
		return false;
	for (size_t i = 0; i < profile->capture_count; i++)
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			profile->blocks[profile->block_count++] = &profile->captures[i]->blocks[j];
	return true;
}

/* A profile without functions, with room for nodes. */
static struct profile *allocate_profile(const struct image *image, const struct capture *const *captures,
                                        size_t capture_count, size_t nodes)
{
	struct profile *made = calloc(1, sizeof *made);

	if (made == NULL)
		return NULL;
	made->image = image;
	made->captures = captures;
	made->capture_count = capture_count;
	made->losses.ticks_missed_known = true;
	made->losses.skew_known = true;
	made->nodes = calloc(nodes + 1, sizeof *made->nodes);
	if (made->nodes != NULL && list_blocks(made))
		return made;
	free(made->nodes);
	free(made);
	return NULL;
}

enum status profile_create(const struct image *image, const struct capture *const *captures, size_t capture_count,
                           struct filters *filters, struct profile **profile, struct error *error)
{
	struct profile *made = allocate_profile(image, captures, capture_count, image->function_count);

	if (made == NULL)
		return status_no_memory(error, image->path);
	made->time_unit = common_time_unit(made);
	made->filters = filters;
	add_function_nodes(made, image);
	*profile = made;
	return STATUS_OK;
}

enum status profile_create_part(const struct profile *whole, const struct capture *const *captures,
                                size_t capture_count, struct profile **part, struct error *error)
{
	struct profile *made = allocate_profile(whole->image, captures, capture_count, whole->node_count);

	if (made == NULL)
		return status_no_memory(error, whole->image->path);
	made->time_unit = whole->time_unit;
	made->through_interrupts = whole->through_interrupts;
	made->ignores_handler = whole->ignores_handler;
	made->identity = whole->identity;
	made->filters = whole->filters;
	made->all_marks = whole->all_marks;
	made->arc_order = whole->arc_order;
	made->owners = whole->owners;
	made->has_recorder = whole->has_recorder;
	made->code = whole->code;
	made->unwinder = whole->unwinder;
	for (size_t i = 0; i < whole->node_count; i++) {
		const struct profile_node *node = &whole->nodes[i];

		made->nodes[made->node_count++] = (struct profile_node){
		        .kind = node->kind,
		        .name = node->name,
		        .file = node->file,
		        .line = node->line,
		        .is_label = node->is_label,
		        .is_address_taken = node->is_address_taken,
		        .marks = node->marks,
		        .address = node->address,
		        .end = node->end,
		        .cycle = PROFILE_NONE,
		};
	}
	*part = made;
	return STATUS_OK;
}

/* Frees a profile except for its parts. */
static void release_profile(struct profile *profile)
{
	for (size_t i = 0; i < profile->made_name_count; i++)
		free(profile->made_names[i]);
	free(profile->made_names);
	if (profile->owns_code)
		code_map_free(profile->code);
	free(profile->blocks);
	free(profile->groups);
	free(profile->group_parts);
	free(profile->shares);
	free(profile->nodes);
	free(profile->lines);
	free(profile->sampled_code);
	free(profile->sampled_ranges);
	free(profile->call_sites);
	free(profile->line_totals);
	profile_free_measurement(profile->measurement);
	if (profile->owns_unwinder)
		unwinder_free(profile->unwinder);
	free(profile->regions);
	free(profile->arcs);
	free(profile->first_arc);
	free(profile->parent_arcs);
	free(profile->first_parent);
	free(profile->cycles);
	free(profile->cycle_members);
	free(profile->parts);
	free(profile->contexts);
	free(profile);
}

void profile_free_part(struct profile_part *part)
{
	if (part->profile != NULL)
		release_profile(part->profile);
	for (size_t i = 0; i < part->capture_count; i++)
		capture_close(part->captures[i]);
	free(part->captures);
	part->profile = NULL;
	part->captures = NULL;
	part->capture_count = 0;
}

void profile_free(struct profile *profile)
{
	if (profile == NULL)
		return;
	for (size_t i = 0; i < profile->part_count; i++)
		profile_free_part(&profile->parts[i]);
	release_profile(profile);
}

static size_t append_node(struct profile *profile, enum profile_node_kind kind, const char *name, uint64_t address,
                          uint64_t end)
{
	struct profile_node *nodes = realloc(profile->nodes, (profile->node_count + 1) * sizeof *nodes);

	if (nodes == NULL)
		return PROFILE_NONE;
	profile->nodes = nodes;
	const char *kept = array_append_text(&profile->made_names, &profile->made_name_count, name, strlen(name));
	if (kept == NULL)
		return PROFILE_NONE;
	nodes[profile->node_count] = (struct profile_node){
	        .kind = kind,
	        .name = kept,
	        .address = address,
	        .end = end,
	        .cycle = PROFILE_NONE,
	};
	set_filter_marks(profile, &nodes[profile->node_count]);
	return profile->node_count++;
}

/* Searches the nodes made for code outside functions. There are not many more than MADE_MAX, so a linear search is
 * enough. */
static size_t find_made_node(const struct profile *profile, enum profile_node_kind kind, uint64_t address, uint64_t end)
{
	for (size_t i = profile->image->function_count; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];

		if (node->kind == kind && node->address == address && node->end == end)
			return i;
	}
	return PROFILE_NONE;
}

/* The node of a range of code outside functions, created if there is none yet. Beyond MADE_MAX all ranges share the
 * node named rest. */
static size_t node_of_range(struct profile *profile, enum profile_node_kind kind, uint64_t address, uint64_t end,
                            const char *name, const char *rest)
{
	size_t found = find_made_node(profile, kind, address, end);

	if (found != PROFILE_NONE)
		return found;
	if (profile->node_count - profile->image->function_count <= MADE_MAX)
		return append_node(profile, kind, name, address, end);
	found = find_made_node(profile, kind, ADDRESS_REST, ADDRESS_REST);
	return found != PROFILE_NONE ? found : append_node(profile, kind, rest, ADDRESS_REST, ADDRESS_REST);
}

/* The start of the unnamed code around address: after the previous function, within the section or, outside of
 * sections, within the page. next is the first function that ends after address. */
static uint64_t unknown_start(const struct image *image, size_t next, uint64_t address)
{
	const struct image_code *code = image_code_at(image, address);
	uint64_t start = code != NULL ? code->address : address / UNKNOWN_PAGE * UNKNOWN_PAGE;
	uint64_t end = next == 0 ? 0 : image->functions[next - 1].end;

	return end > start ? end : start;
}

static size_t unknown_node(struct profile *profile, uint64_t start)
{
	char name[40];

	snprintf(name, sizeof name, "<unknown 0x%08" PRIx64 ">", start);
	return node_of_range(profile, PROFILE_UNKNOWN, start, start, name, "<unknown elsewhere>");
}

size_t profile_node_of_full_table(struct profile *profile, uint64_t low, uint64_t high)
{
	char name[64];

	snprintf(name, sizeof name, "<0x%" PRIx64 "-0x%" PRIx64 ", table full>", low, high - 1);
	return node_of_range(profile, PROFILE_TABLE_FULL, low, high, name, "<elsewhere, table full>");
}

size_t profile_node_at(struct profile *profile, uint64_t address)
{
	const struct image *image = profile->image;
	size_t next = image_first_function_after(image, address);

	if (next == image->function_count || image->functions[next].start > address)
		return unknown_node(profile, unknown_start(image, next, address));
	return profile_node_of_function(profile, next);
}

size_t profile_node_of_function(struct profile *profile, size_t function)
{
	size_t owner = profile->owners == NULL ? function : profile->owners[function];
	bool recorder = profile->nodes[owner].kind == PROFILE_BAREPROF;

	return recorder ? profile_node_of_kind(profile, PROFILE_BAREPROF) : owner;
}

static const char *const kind_names[] = {
        [PROFILE_BAREPROF] = "<bareprof>",
        [PROFILE_EXCEPTION] = "<exception>",
        [PROFILE_SECURE_CALL] = "<secure call>",
        [PROFILE_TASK_ENTRY] = "<task entry>",
        [PROFILE_UNKNOWN_CALLER] = "<unknown caller>",
        [PROFILE_CUT] = "<cut>",
        [PROFILE_NO_ROW] = "<no frame information>",
        [PROFILE_BAD_STACK] = "<bad stack>",
        [PROFILE_WITHHELD] = "<withheld>",
        [PROFILE_SECURE] = "<secure>",
        [PROFILE_UNAVAILABLE] = "<asleep or unavailable>",
        [PROFILE_OUTSIDE] = "<outside the sampled ranges>",
};

size_t profile_node_of_kind(struct profile *profile, enum profile_node_kind kind)
{
	size_t found = find_made_node(profile, kind, 0, 0);

	return found != PROFILE_NONE ? found : append_node(profile, kind, kind_names[kind], 0, 0);
}

bool profile_is_hidden(enum profile_node_kind kind)
{
	return kind == PROFILE_CUT || kind == PROFILE_NO_ROW || kind == PROFILE_BAD_STACK || kind == PROFILE_WITHHELD;
}

#define EXC_RETURN_FIRST 0xFF000000u

enum profile_node_kind profile_caller_kind(const struct image *image, uint64_t return_address)
{
	if (!image_is_special_return(image, return_address))
		return PROFILE_FUNCTION;
	return return_address >= EXC_RETURN_FIRST ? PROFILE_EXCEPTION : PROFILE_SECURE_CALL;
}

size_t profile_node_outside_functions(struct profile *profile, uint64_t low, uint64_t high)
{
	bool is_arm = profile->image->isa == IMAGE_ISA_ARM;

	if (is_arm && low <= BAREPROF_PC_SECURE && BAREPROF_PC_SECURE < high)
		return profile_node_of_kind(profile, PROFILE_SECURE);
	if (is_arm && low <= BAREPROF_PC_UNAVAILABLE && BAREPROF_PC_UNAVAILABLE < high)
		return profile_node_of_kind(profile, PROFILE_UNAVAILABLE);
	return profile_node_at(profile, low);
}

uint64_t profile_call_site(const struct image *image, uint64_t return_address)
{
	uint64_t address = return_address & ~image_thumb_bit(image);

	if (address == 0 || profile_caller_kind(image, return_address) != PROFILE_FUNCTION)
		return return_address;
	return address - 1;
}

uint64_t profile_sharing_calls(const struct profile *profile, size_t node)
{
	const struct profile_node *callee = &profile->nodes[node];

	return callee->cycle == PROFILE_NONE ? callee->calls - callee->removed_calls
	                                     : profile->cycles[callee->cycle].calls;
}

bool profile_arc_is_timed(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->caller].cycle;

	return arc->caller != arc->callee && !arc->is_removed &&
	       (cycle == PROFILE_NONE || cycle != profile->nodes[arc->callee].cycle);
}

/* The first arc of a caller, sorted by callee, whose callee is not below this one. */
static size_t lower_bound(const struct profile *profile, size_t caller, size_t callee)
{
	size_t first = profile->first_arc[caller];

	return first + first_number_from(&profile->arcs[first], profile->first_arc[caller + 1] - first,
	                                 sizeof *profile->arcs, offsetof(struct profile_arc, callee),
	                                 sizeof profile->arcs->callee, callee);
}

size_t profile_find_arc(const struct profile *profile, size_t caller, size_t callee)
{
	bool is_sorted = profile->arc_order == PROFILE_BY_NODE;
	size_t arc = is_sorted ? lower_bound(profile, caller, callee) : profile->first_arc[caller];

	while (arc < profile->first_arc[caller + 1] && profile->arcs[arc].callee != callee)
		arc = is_sorted ? profile->first_arc[caller + 1] : arc + 1;
	return arc < profile->first_arc[caller + 1] ? arc : PROFILE_NONE;
}

uint64_t profile_count_of(double samples)
{
	return samples < 0x1p64 ? (uint64_t)(samples + 0.5) : UINT64_MAX;
}

uint64_t profile_node_calls(const struct profile_node *node)
{
	return count_sum(node->calls, node->self_calls);
}

bool profile_node_line(const struct image *image, const struct profile_node *node, const char **file, int *line)
{
	return node->kind == PROFILE_FUNCTION && image_line(image, node->address, file, line);
}

bool profile_knows_calls(const struct profile *profile, uint64_t calls)
{
	return calls > 0 || profile->measurement == NULL;
}

double profile_node_total(const struct profile_node *node)
{
	return node->self_time + node->child_time;
}

double profile_part_in_cycles(const struct profile *profile, size_t *largest)
{
	double time = profile->total_time - profile_recorder_time(profile), sum = 0, max = 0;
	size_t found = PROFILE_NONE;

	for (size_t i = 0; i < profile->cycle_count; i++) {
		const struct profile_cycle *cycle = &profile->cycles[i];
		double total = cycle->has_several_callers ? cycle->self_time + cycle->child_time : 0;

		sum += total;
		found = total > max ? i : found;
		max = total > max ? total : max;
	}
	if (largest != NULL)
		*largest = found;
	return time > 0 ? sum / time : 0;
}

double profile_recorder_time(const struct profile *profile)
{
	double time = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		if (profile->nodes[i].kind == PROFILE_BAREPROF)
			time += profile->nodes[i].self_time;
	return time;
}

bool profile_has_cores(const struct profile *profile)
{
	for (size_t i = 1; i < profile->block_count; i++)
		if (profile->blocks[i]->header.core != profile->blocks[0]->header.core)
			return true;
	return false;
}

/* A gmon.out has no samples of the recorder. */
bool profile_knows_recorder(const struct profile *profile)
{
	return (profile->has_recorder && profile_losses_are_known(&profile->losses)) ||
	       profile_recorder_time(profile) > 0;
}

const char *profile_identity_text(const struct profile *profile)
{
	static const char *const texts[] = {
	        [PROFILE_IDENTITY_SAME] = "the build that was profiled",
	        [PROFILE_IDENTITY_UNKNOWN] = "identity not checked",
	        [PROFILE_IDENTITY_OTHER] = "not the build that was profiled",
	};

	return texts[profile->identity];
}

static double period_of(const struct profile *profile, const struct capture_block *block)
{
	if (profile->time_unit == PROFILE_SAMPLES || is_without_samples(block))
		return 1.0;
	return (double)block->header.period / block->header.clock_hz;
}

static double handler_part(const struct profile *profile, const struct capture_block *block)
{
	double part;

	capture_handler_part(block, &part);
	return profile->ignores_handler ? 0 : part;
}

double profile_sample_time(const struct profile *profile, const struct capture_block *block)
{
	return period_of(profile, block) * (1 - handler_part(profile, block));
}

double profile_handler_time(const struct profile *profile, const struct capture_block *block)
{
	return period_of(profile, block) * handler_part(profile, block);
}

double profile_node_handler_time(const struct profile *profile, size_t node)
{
	bool is_recorder = profile->nodes[node].kind == PROFILE_BAREPROF && node >= profile->image->function_count;

	return is_recorder ? profile->handler_time : 0;
}

enum capture_handler profile_handler(const struct profile *profile)
{
	enum capture_handler worst = CAPTURE_HANDLER_KNOWN;

	for (size_t i = 0; i < profile->block_count; i++) {
		double part;
		enum capture_handler handler = capture_handler_part(profile->blocks[i], &part);

		if (handler > worst)
			worst = handler;
	}
	return worst;
}

enum capture_distances profile_distances(const struct profile *profile)
{
	enum capture_distances worst = CAPTURE_DISTANCES_RANDOM;

	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];

		if (block->header.ticks > 0 && block->distances != CAPTURE_DISTANCES_RANDOM &&
		    worst != CAPTURE_DISTANCES_FIXED)
			worst = block->distances;
	}
	return worst;
}
