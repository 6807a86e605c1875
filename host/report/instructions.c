/* SPDX-License-Identifier: MIT */
/*
 * The instructions of functions with their times, below the source lines that they were generated from. Samples are
 * counted by bin or granule, so the time of a range of instructions is shown at its first instruction, and the others
 * have a bar.
 */
#include "report/annotation.h"

#include "base/text/text.h"
#include "profile/sampled_ranges.h"
#include "report/objdump.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions with a smaller share of the time are omitted, unless the user names one. */
#define MIN_PART 0.01

#define MNEMONIC_WIDTH 8

/* The listing of one function. */
struct listing {
	struct annotation *annotation;
	struct objdump objdump;
	const char *file; /* where the last line of source came from */
	int line;
};

/* --- Choice. */

/* Inlined functions have no code of their own, so the functions that contain them are disassembled. */
static bool is_disassembly_wanted(const struct annotation *annotation, const struct profile_node *node)
{
	const struct profile *profile = annotation->report->profile;
	const char *function = annotation->options->function;

	if (node->kind != PROFILE_FUNCTION)
		return false;
	if (function == NULL)
		return node->self_time >= MIN_PART * profile->total_time && node->self_time > 0;
	return demangler_matches(annotation->demangler, node->name, function);
}

static size_t choose_listed_functions(const struct annotation *annotation, const struct profile_node **nodes)
{
	const struct profile *profile = annotation->report->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		if (is_disassembly_wanted(annotation, &profile->nodes[i]))
			nodes[count++] = &profile->nodes[i];
	qsort(nodes, count, sizeof *nodes, report_compare_nodes);
	return count;
}

/* --- Source lines. */

/* Prints the source line of an instruction, unless the previous instruction has the same. */
static void print_source_if_new(struct listing *listing, uint64_t address)
{
	const struct report *report = listing->annotation->report;
	const char *file = NULL;
	int line = 0;
	size_t length = 0;

	if (!image_instruction_line(report->profile->image, address, &file, &line) ||
	    (file == listing->file && line == listing->line))
		return;
	listing->file = file;
	listing->line = line;
	const struct source_file *source = sources_find(&listing->annotation->sources, file);
	annotation_print_values(listing->annotation, NULL);
	text_begin(report->stream, report->colour, TEXT_DIM);
	text_print(report->stream, file);
	fprintf(report->stream, ":%d  ", line);
	if (source != NULL) {
		const char *text = source_line(source, (size_t)line, &length);

		text_print_source(report->stream, text, length < SOURCE_LENGTH_MAX ? length : SOURCE_LENGTH_MAX);
	}
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* --- Instructions. */

/* objdump separates mnemonic, operands and comments by tabs. */
static void print_instruction_text(const struct report *report, const char *text)
{
	size_t mnemonic = strcspn(text, "\t");
	bool has_operands = text[mnemonic] != '\0';

	for (size_t i = 0; i < mnemonic; i++)
		fputc(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?', report->stream);
	if (has_operands)
		fprintf(report->stream, "%*s ", mnemonic < MNEMONIC_WIDTH ? MNEMONIC_WIDTH - (int)mnemonic : 0, "");
	text_print_source(report->stream, text + mnemonic + has_operands, strlen(text + mnemonic + has_operands));
}

/* range: the samples that cover the instruction, or NULL; is_first: no earlier instruction has them. */
static void print_instruction(const struct annotation *annotation, const struct objdump_line *line,
                              const struct profile_sampled_range *range, bool is_first)
{
	const struct report *report = annotation->report;
	struct annotation_row row = {.file = NULL};

	if (range != NULL && is_first) {
		row.self_time = range->time;
		row.self_variance = range->variance;
	}
	annotation_print_values(annotation, &row);
	text_begin(report->stream, report->colour, range != NULL ? TEXT_BOLD : TEXT_DIM);
	fprintf(report->stream, "%c %8" PRIx64 "  ", range != NULL && !is_first ? '|' : ' ', line->address);
	print_instruction_text(report, line->text);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static enum status print_instructions(struct listing *listing, const struct profile_node *node, struct error *error)
{
	const struct profile *profile = listing->annotation->report->profile;
	const struct profile_sampled_range *last = NULL;
	struct objdump_line line;
	enum status status = objdump_begin(&listing->objdump, node->address, node->end, error);

	while (status == STATUS_OK && objdump_next(&listing->objdump, &line)) {
		const struct profile_sampled_range *range = profile_find_sampled_range(profile, line.address);

		print_source_if_new(listing, line.address);
		print_instruction(listing->annotation, &line, range, range != last);
		last = range != NULL ? range : last;
	}
	return status == STATUS_OK ? objdump_end(&listing->objdump, error) : status;
}

static enum status print_function_listing(struct listing *listing, const struct profile_node *node, struct error *error)
{
	const struct report *report = listing->annotation->report;

	fputc('\n', report->stream);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	text_print(report->stream, demangler_name(report->names, node->name));
	text_end(report->stream, report->colour);
	fprintf(report->stream, ": %.2f %%\n\n", report_percent(node->self_time, report->whole_time));
	annotation_print_headings(listing->annotation, "   address  instruction");
	listing->file = NULL;
	sources_trim(&listing->annotation->sources);
	return print_instructions(listing, node, error);
}

enum status annotation_print_instructions(struct annotation *annotation, struct error *error)
{
	const struct profile *profile = annotation->report->profile;
	const struct profile_node **nodes = calloc(profile->node_count + 1, sizeof(const struct profile_node *));
	struct listing listing = {
	        .annotation = annotation,
	        .objdump = {.program = annotation->report->options->objdump, .image = profile->image},
	};

	enum status status = nodes == NULL ? status_no_memory(error, profile->image->path) : STATUS_OK;
	size_t count = nodes == NULL ? 0 : choose_listed_functions(annotation, nodes);

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		status = print_function_listing(&listing, nodes[i], error);
	free(nodes);
	return status;
}
