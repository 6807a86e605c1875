/* SPDX-License-Identifier: MIT */
/*
 * The format of valgrind's callgrind ("Callgrind Format Specification"), for KCachegrind and callgrind_annotate. A
 * cycle is written as a function of its own, which its callers call and which calls its members: readers that do not
 * know cycles would otherwise count time within them several times. Every cfn= has a cfi=, because readers differ in
 * their default; positions are absolute, because not all readers understand relative ones. A measured profile has no
 * cycles.
 */
#include "base/array.h"
#include "base/text/text.h"
#include "profile/arc_sites.h"
#include "profile/lines.h"
#include "profile/stacks/stacks.h"
#include "report/callgrind_calls.h"
#include "report/output.h"
#include "report/views.h"

#include <inttypes.h>
#include <math.h>
#include <search.h>

#define UNKNOWN_FILE "???"

/* A file and its number. */
struct file {
	const char *name;
	size_t id;
};

struct callgrind_writer {
	const struct profile *profile;
	FILE *stream;
	struct demangler *names;
	bool has_time;
	double time_per_sample;
	void *files; /* a search tree */
	size_t file_count;
	bool *is_named;    /* by node, then by cycle: its number is known */
	uint64_t *samples; /* by node */
	/* The first sampled code and call site that are not printed yet; both are in the order of nodes and arcs. */
	size_t next_code, next_site;
	/* The calls of a measured profile, and the index of the first call that is not printed yet. */
	struct callgrind_call *calls;
	size_t call_count, next_call;
	const char *file; /* the current one */
	struct scratch scratch;
	bool is_short_of_memory;
};

/* --- Costs: samples, and nanoseconds if the time of a sample is known. */

struct cost {
	uint64_t samples, nanoseconds;
};

/* A sum that is rounded where it is divided into costs, so that rounding errors do not add up. */
struct running {
	double samples, nanoseconds;
	struct cost written;
};

static struct cost next_cost(struct running *running, double samples, double time)
{
	running->samples += samples;
	running->nanoseconds += time * 1e9;
	const struct cost cost = {
	        .samples = profile_count_of(running->samples) - running->written.samples,
	        .nanoseconds = profile_count_of(running->nanoseconds) - running->written.nanoseconds,
	};
	running->written.samples += cost.samples;
	running->written.nanoseconds += cost.nanoseconds;
	return cost;
}

/* The cost of propagated time. */
static struct cost cost_of_time(const struct callgrind_writer *writer, double time)
{
	double samples = writer->time_per_sample > 0 ? time / writer->time_per_sample : 0;

	return (struct cost){profile_count_of(samples), profile_count_of(time * 1e9)};
}

/* Time is first, because viewers sort by the first event, and the report's percentages are of time. */
static void print_cost_values(const struct callgrind_writer *writer, struct cost cost)
{
	if (writer->has_time)
		fprintf(writer->stream, " %" PRIu64, cost.nanoseconds);
	fprintf(writer->stream, " %" PRIu64 "\n", cost.samples);
}

static void print_line_cost(const struct callgrind_writer *writer, int line, struct cost cost)
{
	fprintf(writer->stream, "%d", line > 0 ? line : 0);
	print_cost_values(writer, cost);
}

/* --- Names, each written once with its number. */

static int compare_named_files(const void *left, const void *right)
{
	const struct file *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* Prints `KEY=(ID) NAME`; from the second time on without the name. */
static void print_file_id(struct callgrind_writer *writer, const char *key, const char *name)
{
	struct file *file = malloc(sizeof *file);
	struct file **found;

	if (file == NULL) {
		writer->is_short_of_memory = true;
		return;
	}
	*file = (struct file){name == NULL ? UNKNOWN_FILE : name, writer->file_count + 1};
	found = tsearch(file, &writer->files, compare_named_files);
	if (found == NULL || *found != file)
		free(file);
	if (found == NULL) {
		writer->is_short_of_memory = true;
		return;
	}
	fprintf(writer->stream, "%s=(%zu)", key, (*found)->id);
	if (*found == file) {
		writer->file_count++;
		fputc(' ', writer->stream);
		text_print(writer->stream, (*found)->name);
	}
	fputc('\n', writer->stream);
}

/* Cycle n has the number of node node_count + n. It is named after a member: KCachegrind, which finds cycles itself,
 * numbers them in an order of its own. */
static void print_function_id(struct callgrind_writer *writer, const char *key, size_t number)
{
	const struct profile *profile = writer->profile;

	fprintf(writer->stream, "%s=(%zu)", key, number + 1);
	if (!writer->is_named[number]) {
		bool is_cycle = number >= profile->node_count;
		size_t node = is_cycle ? profile->cycles[number - profile->node_count].members[0] : number;

		writer->is_named[number] = true;
		fputs(is_cycle ? " <cycle of " : " ", writer->stream);
		text_print(writer->stream, views_name(writer->names, profile, node));
		fputs(is_cycle ? ">" : "", writer->stream);
	}
	fputc('\n', writer->stream);
}

/* A line in another file than the function's file belongs to an inlined function. */
static void enter_callgrind_file(struct callgrind_writer *writer, const char *file)
{
	file = file == NULL ? UNKNOWN_FILE : file;
	if (strcmp(writer->file, file) != 0)
		print_file_id(writer, "fi", file);
	writer->file = file;
}

/* The file and line where a function begins. */
static const char *first_line_of(const struct profile *profile, size_t node, int *line)
{
	const char *file = NULL;

	*line = 0;
	if (node < profile->node_count)
		profile_node_line(profile->image, &profile->nodes[node], &file, line);
	return file;
}

/* --- Functions. */

static void begin_callgrind_function(struct callgrind_writer *writer, size_t number, int *line)
{
	const char *file = first_line_of(writer->profile, number, line);

	fputc('\n', writer->stream);
	print_file_id(writer, "fl", file);
	print_function_id(writer, "fn", number);
	writer->file = file == NULL ? UNKNOWN_FILE : file;
}

static void print_self_costs(struct callgrind_writer *writer, size_t node, const char *file, int line)
{
	const struct profile_node *values = &writer->profile->nodes[node];
	double own_time = values->self_time - profile_node_handler_time(writer->profile, node);
	double per_sample = values->self_samples > 0 ? own_time / values->self_samples : 0;
	struct running running = {.samples = 0};

	for (; writer->next_code < writer->profile->sampled_code_count; writer->next_code++) {
		const struct profile_code *code = &writer->profile->sampled_code[writer->next_code];

		if (code->node > node)
			break;
		if (code->node < node)
			continue;
		enter_callgrind_file(writer, code->file);
		print_line_cost(writer, code->line, next_cost(&running, code->samples, code->samples * per_sample));
	}
	const struct cost rest = {
	        .samples = writer->samples[node] - running.written.samples,
	        .nanoseconds = profile_count_of(values->self_time * 1e9) - running.written.nanoseconds,
	};
	if (rest.samples > 0 || rest.nanoseconds > 0) {
		enter_callgrind_file(writer, file);
		print_line_cost(writer, line, rest);
	}
}

/* A call of a function or cycle at a line of the current file. */
static void print_call_cost(struct callgrind_writer *writer, size_t callee, uint64_t count, int line, struct cost cost)
{
	int callee_line;
	const char *file = first_line_of(writer->profile, callee, &callee_line);

	print_file_id(writer, "cfi", file);
	print_function_id(writer, "cfn", callee);
	fprintf(writer->stream, "calls=%" PRIu64 " %d\n", count, callee_line > 0 ? callee_line : 0);
	print_line_cost(writer, line, cost);
}

static bool is_in_cycle(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->caller].cycle;

	return arc->caller == arc->callee || (cycle != PROFILE_NONE && cycle == profile->nodes[arc->callee].cycle);
}

/* Prints the calls of an arc by call site; calls without a site are at the first line of the caller. */
static void print_arc_calls(struct callgrind_writer *writer, size_t index, const char *file, int line)
{
	const struct profile *profile = writer->profile;
	const struct profile_arc *arc = &profile->arcs[index];
	size_t cycle = profile->nodes[arc->callee].cycle;
	bool calls_cycle = cycle != PROFILE_NONE && !is_in_cycle(profile, arc);
	size_t callee = calls_cycle ? profile->node_count + cycle : arc->callee;
	double time = arc->self_time + arc->child_time;
	uint64_t left = arc->count;
	struct running running = {.samples = 0};
	const struct cost whole = cost_of_time(writer, time);

	for (; writer->next_site < profile->call_site_count; writer->next_site++) {
		const struct profile_call_site *site = &profile->call_sites[writer->next_site];

		if (site->arc > index)
			break;
		if (site->arc < index || left == 0)
			continue;
		uint64_t count = site->count < left ? site->count : left;
		double part = (double)count / (double)arc->count;
		const char *call_file = NULL;
		int call_line = 0;

		image_instruction_line(profile->image, site->address, &call_file, &call_line);
		enter_callgrind_file(writer, call_file);
		print_call_cost(writer, callee, count, call_line,
		                next_cost(&running, (double)whole.samples * part, time * part));
		left -= count;
	}
	if (left > 0 || running.written.samples < whole.samples) {
		enter_callgrind_file(writer, file);
		print_call_cost(writer, callee, left, line,
		                (struct cost){whole.samples - running.written.samples,
		                              whole.nanoseconds - running.written.nanoseconds});
	}
}

/* An unknown count is written as 1: readers need a count, and callgrind_annotate takes the cost of 0 calls for the
 * caller's own cost. */
static void print_measured_calls(struct callgrind_writer *writer, size_t node, const char *file, int line)
{
	for (; writer->next_call < writer->call_count; writer->next_call++) {
		const struct callgrind_call *call = &writer->calls[writer->next_call];
		const char *call_file = file;
		int call_line = line;

		if (call->caller > node)
			return;
		if (call->caller < node)
			continue;
		if (call->address != 0) {
			call_file = NULL;
			call_line = 0;
			image_instruction_line(writer->profile->image, call->address, &call_file, &call_line);
		}
		enter_callgrind_file(writer, call_file);
		print_call_cost(writer, call->callee, call->count == 0 ? 1 : call->count, call_line,
		                cost_of_time(writer, call->time));
	}
}

static bool has_callgrind_costs(const struct profile *profile, size_t node)
{
	const struct profile_node *values = &profile->nodes[node];

	return values->self_time > 0 || values->child_time > 0 || profile_node_calls(values) > 0 ||
	       profile->first_arc[node] < profile->first_arc[node + 1];
}

static void print_callgrind_node(struct callgrind_writer *writer, size_t node)
{
	const struct profile *profile = writer->profile;
	int line;
	const char *file = first_line_of(profile, node, &line);

	begin_callgrind_function(writer, node, &line);
	print_self_costs(writer, node, file, line);
	if (profile->measurement != NULL) {
		print_measured_calls(writer, node, file, line);
		return;
	}
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		if (profile->arcs[i].count > 0 && !profile->arcs[i].is_inlined)
			print_arc_calls(writer, i, file, line);
}

/* Calls of a member from outside its cycle. */
static uint64_t count_outside_calls(const struct profile *profile, size_t member)
{
	uint64_t count = 0;

	for (size_t i = profile->first_parent[member]; i < profile->first_parent[member + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		if (!is_in_cycle(profile, arc))
			count += arc->count;
	}
	return count;
}

static void print_callgrind_cycle(struct callgrind_writer *writer, size_t index)
{
	const struct profile *profile = writer->profile;
	const struct profile_cycle *cycle = &profile->cycles[index];
	int line;

	begin_callgrind_function(writer, profile->node_count + index, &line);
	for (size_t i = 0; i < cycle->member_count; i++) {
		size_t member = cycle->members[i];
		uint64_t count = count_outside_calls(profile, member);

		/* callgrind_annotate takes the cost of 0 calls for the caller's own cost. */
		print_call_cost(writer, member, count == 0 ? 1 : count, 0,
		                cost_of_time(writer, profile_node_total(&profile->nodes[member])));
	}
}

/* --- The file. */

static bool prepare_callgrind(struct callgrind_writer *writer)
{
	const struct profile *profile = writer->profile;
	struct scratch *scratch = &writer->scratch;
	double *self_samples = scratch_array(scratch, profile->node_count, sizeof *self_samples);

	writer->is_named = scratch_array(scratch, profile->node_count + profile->cycle_count, sizeof *writer->is_named);
	writer->samples = scratch_array(scratch, profile->node_count, sizeof *writer->samples);
	if (scratch->is_short_of_memory ||
	    (profile->measurement != NULL && !callgrind_find_calls(profile, &writer->calls, &writer->call_count)))
		return false;
	for (size_t i = 0; i < profile->node_count; i++)
		self_samples[i] = profile->nodes[i].self_samples;
	stacks_round(self_samples, 1, profile->node_count, writer->samples);
	return true;
}

static void print_callgrind_head(const struct callgrind_writer *writer)
{
	const struct profile *profile = writer->profile;
	struct cost sum = {.samples = 0};

	for (size_t i = 0; i < profile->node_count; i++) {
		sum.samples += writer->samples[i];
		sum.nanoseconds += profile_count_of(profile->nodes[i].self_time * 1e9);
	}
	fprintf(writer->stream, "# callgrind format\nversion: 1\ncreator: bareprof " BAREPROF_VERSION "\ncmd: ");
	text_print(writer->stream, profile->image->path);
	fputs(profile->measurement != NULL ? "\ndesc: Costs: inclusive ones as measured from stacks\n"
	                                     "desc: Calls: 1 if their number is unknown\n"
	                                   : "\ndesc: Costs: inclusive ones as gprof's propagation implies\n"
	                                     "desc: Cycles: each is a function that calls its members, at least once\n",
	      writer->stream);
	if (profile_part_in_cycles(profile, NULL) >= VIEWS_CYCLES_PART)
		fprintf(writer->stream, "desc: Cycles: " VIEWS_IN_CYCLES "\n",
		        100 * profile_part_in_cycles(profile, NULL));
	fputs(writer->has_time ? "positions: line\nevent: ns : Time (ns)\nevents: ns Samples\nsummary:"
	                       : "positions: line\nevents: Samples\nsummary:",
	      writer->stream);
	print_cost_values(writer, sum);
	fprintf(writer->stream, "\nob=(1) ");
	text_print(writer->stream, profile->image->path);
	fputc('\n', writer->stream);
}

static enum status write_callgrind(const struct profile *profile, FILE *stream, struct error *error)
{
	double sampled = profile->total_time - profile->handler_time;
	struct callgrind_writer writer = {
	        .profile = profile,
	        .stream = stream,
	        .names = views_names_create(profile, error),
	        .has_time = profile->time_unit == PROFILE_SECONDS,
	        .time_per_sample = profile->total_samples > 0 ? sampled / profile->total_samples : 0,
	        .file = UNKNOWN_FILE,
	};
	bool ok = writer.names != NULL && prepare_callgrind(&writer);

	if (ok) {
		print_callgrind_head(&writer);
		for (size_t i = 0; i < profile->node_count; i++)
			if (has_callgrind_costs(profile, i))
				print_callgrind_node(&writer, i);
		for (size_t i = 0; i < profile->cycle_count; i++)
			print_callgrind_cycle(&writer, i);
	}
	tdestroy(writer.files, free);
	free(writer.calls);
	demangler_free(writer.names);
	scratch_free(&writer.scratch);
	return ok && !writer.is_short_of_memory ? STATUS_OK : status_no_memory(error, profile->image->path);
}

const struct output_format output_callgrind = {
        .name = "callgrind",
        .summary = "functions, lines and calls for KCachegrind and callgrind_annotate",
        .total_times = true,
        .lines = true,
        .call_sites = true,
        .write = write_callgrind,
};
