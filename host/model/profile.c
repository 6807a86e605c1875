/* SPDX-License-Identifier: MIT */
/* Creates the profile and finds or makes its nodes. Knows nothing of the passes that fill in times and arcs. */
#include "model/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_PAGE 4096u
#define UNKNOWN_MAX  1000 /* rows of unknown code; what comes later shares one more */
#define UNKNOWN_REST UINT64_MAX

static bool tells_time(const struct capture *capture)
{
	for (size_t i = 0; i < capture->block_count; i++)
		if (capture->blocks[i].header.clock_hz == 0 || capture->blocks[i].header.period == 0)
			return false;
	return true;
}

static enum profile_time_unit common_time_unit(const struct capture *const *captures, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!tells_time(captures[i]))
			return PROFILE_SAMPLES;
	return PROFILE_SECONDS;
}

/* Where the recorder's own code lies; empty if the firmware has none or its script does not bound it. */
static struct capture_range recorder_code(const struct image *image)
{
	struct capture_range range = {0};
	if (!image_symbol(image, "bareprof_code_start", &range.start) ||
	    !image_symbol(image, "bareprof_code_end", &range.end))
		return (struct capture_range){0};
	return range;
}

static void add_functions(struct profile *profile, const struct image *image)
{
	profile->recorder = recorder_code(image);
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool recorder = function->start >= profile->recorder.start && function->start < profile->recorder.end;
		profile->nodes[profile->node_count++] = (struct profile_node){
		        .kind = recorder ? PROFILE_BAREPROF : PROFILE_FUNCTION,
		        .name = function->name,
		        .address = function->start,
		        .end = function->end,
		        .cycle = PROFILE_NONE,
		};
	}
}

enum status profile_create(const struct image *image, const struct capture *const *captures, size_t capture_count,
                           struct profile **profile, struct error *error)
{
	struct profile *made = calloc(1, sizeof *made);
	if (made != NULL)
		made->nodes = calloc(image->function_count + 1, sizeof *made->nodes);
	if (made == NULL || made->nodes == NULL) {
		profile_free(made);
		return status_fail(error, "%s: out of memory for %zu functions", image->path, image->function_count);
	}
	made->image = image;
	made->captures = captures;
	made->capture_count = capture_count;
	made->time_unit = common_time_unit(captures, capture_count);
	made->losses.ticks_missed_known = true;
	made->losses.skew_known = true;
	add_functions(made, image);
	*profile = made;
	return STATUS_OK;
}

void profile_free(struct profile *profile)
{
	if (profile == NULL)
		return;
	for (size_t i = 0; i < profile->made_name_count; i++)
		free(profile->made_names[i]);
	free(profile->made_names);
	free(profile->nodes);
	free(profile->arcs);
	free(profile->first_arc);
	free(profile->parent_arcs);
	free(profile->first_parent);
	free(profile->cycles);
	free(profile->cycle_members);
	free(profile);
}

/* Keeps a copy of name for as long as the profile lives; NULL when memory runs out. */
static const char *keep_name(struct profile *profile, const char *name)
{
	char **names = realloc(profile->made_names, (profile->made_name_count + 1) * sizeof *names);
	if (names == NULL)
		return NULL;
	profile->made_names = names;
	names[profile->made_name_count] = strdup(name);
	return names[profile->made_name_count] == NULL ? NULL : names[profile->made_name_count++];
}

static size_t add_node(struct profile *profile, enum profile_node_kind kind, const char *name, uint64_t address)
{
	struct profile_node *nodes = realloc(profile->nodes, (profile->node_count + 1) * sizeof *nodes);
	if (nodes == NULL)
		return PROFILE_NONE;
	profile->nodes = nodes;
	const char *kept = keep_name(profile, name);
	if (kept == NULL)
		return PROFILE_NONE;
	nodes[profile->node_count] = (struct profile_node){
	        .kind = kind,
	        .name = kept,
	        .address = address,
	        .end = address,
	        .cycle = PROFILE_NONE,
	};
	return profile->node_count++;
}

/* Among the nodes that are no functions: at most UNKNOWN_MAX and a few, so a walk will do. */
static size_t find_made_node(const struct profile *profile, enum profile_node_kind kind, uint64_t address)
{
	for (size_t i = profile->image->function_count; i < profile->node_count; i++)
		if (profile->nodes[i].kind == kind && profile->nodes[i].address == address)
			return i;
	return PROFILE_NONE;
}

/* Where the unnamed stretch around address begins: behind the function before it, in its section, or in its page where
 * there is no section. behind is the first function that ends behind address. */
static uint64_t unknown_start(const struct image *image, size_t behind, uint64_t address)
{
	const struct image_code *code = image_code_at(image, address);
	uint64_t start = code != NULL ? code->address : address / UNKNOWN_PAGE * UNKNOWN_PAGE;
	uint64_t end = behind == 0 ? 0 : image->functions[behind - 1].end;
	return end > start ? end : start;
}

static size_t unknown_node(struct profile *profile, uint64_t start)
{
	if (profile->node_count - profile->image->function_count > UNKNOWN_MAX)
		start = UNKNOWN_REST;
	size_t found = find_made_node(profile, PROFILE_UNKNOWN, start);
	if (found != PROFILE_NONE)
		return found;
	char name[40] = "<unknown elsewhere>";
	if (start != UNKNOWN_REST)
		snprintf(name, sizeof name, "<unknown 0x%08llx>", (unsigned long long)start);
	return add_node(profile, PROFILE_UNKNOWN, name, start);
}

size_t profile_node_at(struct profile *profile, uint64_t address)
{
	const struct image *image = profile->image;
	size_t behind = image_first_function_behind(image, address);
	if (behind == image->function_count || image->functions[behind].start > address)
		return unknown_node(profile, unknown_start(image, behind, address));
	return profile_node_of_function(profile, behind);
}

size_t profile_node_of_function(struct profile *profile, size_t function)
{
	bool recorder = profile->nodes[function].kind == PROFILE_BAREPROF;
	return recorder ? profile_node_of_kind(profile, PROFILE_BAREPROF) : function;
}

static const char *const kind_names[] = {
        [PROFILE_BAREPROF] = "<bareprof>",       [PROFILE_EXCEPTION] = "<exception>",
        [PROFILE_SECURE_CALL] = "<secure call>", [PROFILE_OUTSIDE] = "<outside the sampled ranges>",
        [PROFILE_TABLE_FULL] = "<table full>",
};

size_t profile_node_of_kind(struct profile *profile, enum profile_node_kind kind)
{
	size_t found = find_made_node(profile, kind, 0);
	return found != PROFILE_NONE ? found : add_node(profile, kind, kind_names[kind], 0);
}

#define EXC_RETURN_FIRST 0xFF000000u
#define FNC_RETURN_FIRST 0xFEFFFFFEu

enum profile_node_kind profile_caller_kind(const struct image *image, uint64_t return_address)
{
	if (image->isa != IMAGE_ISA_ARM || return_address < FNC_RETURN_FIRST)
		return PROFILE_FUNCTION;
	return return_address >= EXC_RETURN_FIRST ? PROFILE_EXCEPTION : PROFILE_SECURE_CALL;
}

uint64_t profile_call_site(const struct image *image, uint64_t return_address)
{
	uint64_t thumb_bit = image->isa == IMAGE_ISA_ARM ? 1 : 0;
	uint64_t address = return_address & ~thumb_bit;
	if (address == 0 || profile_caller_kind(image, return_address) != PROFILE_FUNCTION)
		return return_address;
	return address - 1;
}

uint64_t profile_add_calls(uint64_t left, uint64_t right)
{
	return left + right < left ? UINT64_MAX : left + right;
}

double profile_node_total(const struct profile_node *node)
{
	return node->self_time + node->child_time;
}

const char *profile_identity_text(const struct profile *profile)
{
	static const char *const texts[] = {
	        [PROFILE_IDENTITY_SAME] = "the build that was profiled",
	        [PROFILE_IDENTITY_UNKNOWN] = "identity not checked",
	        [PROFILE_IDENTITY_OTHER] = "not the build that was profiled (--force)",
	};
	return texts[profile->identity];
}

double profile_sample_time(const struct profile *profile, const struct capture_block *block)
{
	if (profile->time_unit == PROFILE_SAMPLES)
		return 1.0;
	return (double)block->header.period / block->header.clock_hz;
}
