/* SPDX-License-Identifier: MIT */
/*
 * The page's source of the functions with the most time, each line with its instructions. A function's lines are
 * ordered as in the source, its own file first. Samples are counted by bin or granule, so the time of all instructions
 * in one is shown at the first.
 */
#include "base/array.h"
#include "capture/count.h"
#include "profile/lines.h"
#include "profile/sampled_ranges.h"
#include "report/html.h"
#include "report/objdump.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The page has source only for functions with at least this share of the time as self time or, if total times of lines
 * were measured, as total time, and for at most FUNCTIONS_MAX functions. */
#define MIN_PART       0.005
#define MIN_TOTAL_PART 0.05
#define FUNCTIONS_MAX  200
/* The maximum number of lines without code that are shown between two lines with code. */
#define GAP_MAX 12
/* The maximum number of bytes shown of a line: lines of generated code can be megabytes long. */
#define LENGTH_MAX 400
#define TAB_WIDTH  8

struct code_line {
	const char *file; /* NULL: unknown */
	int line;
	double self_time, self_variance, inlined_time;
	uint64_t calls;
	double total_time, total_variance; /* measured; 0: unknown */
	bool is_lower_bound;               /* whether total_time is one */
};

struct code_instruction {
	uint64_t address;
	char *text;
	const char *file;
	int number;
	double time, variance; /* time < 0: in the same range as the previous instruction */
};

/* The code of one function. */
struct code {
	struct html *html;
	const struct profile_node *node;
	const char *file; /* where the function is defined; NULL: unknown */
	struct code_line *lines;
	size_t line_count;
	struct code_instruction *instructions;
	size_t instruction_count;
	bool is_short_of_memory;
};

/* --- Lines. */

static int compare_own_file_first(const char *own, const char *left, const char *right)
{
	const bool left_is_own = own != NULL && left != NULL && strcmp(left, own) == 0;
	const bool right_is_own = own != NULL && right != NULL && strcmp(right, own) == 0;

	if (left_is_own != right_is_own)
		return left_is_own ? -1 : 1;
	if (left == NULL || right == NULL)
		return (left == NULL) - (right == NULL);
	return strcmp(left, right);
}

static int compare_code_lines(const void *left, const void *right, void *context)
{
	const struct code_line *a = left, *b = right;
	const struct code *code = context;
	const int order = compare_own_file_first(code->file, a->file, b->file);

	return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static void add_code_line(struct code *code, const struct code_line *line)
{
	if (!array_append(&code->lines, &code->line_count, line, sizeof *line))
		code->is_short_of_memory = true;
}

/* Several functions that were inlined here may contain code from the same line. */
static void merge_code_lines(struct code *code)
{
	size_t count = 0;

	if (code->line_count == 0)
		return;
	qsort_r(code->lines, code->line_count, sizeof *code->lines, compare_code_lines, code);
	for (size_t i = 1; i < code->line_count; i++) {
		struct code_line *last = &code->lines[count];
		const struct code_line *next = &code->lines[i];

		if (compare_code_lines(last, next, code) != 0) {
			code->lines[++count] = *next;
			continue;
		}
		last->self_time += next->self_time;
		last->self_variance += next->self_variance;
		last->inlined_time += next->inlined_time;
		count_add(&last->calls, next->calls);
	}
	code->line_count = count + 1;
}

static void find_code_lines(struct code *code, size_t node)
{
	const struct profile *profile = code->html->report.profile;

	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *line = &profile->lines[i];

		if (line->node == node && line->file != NULL)
			add_code_line(code,
			              &(struct code_line){line->file, line->line, line->self_time, line->self_variance,
			                                  line->inlined_time, line->calls, 0, 0, false});
	}
	for (size_t i = 0; i < code->instruction_count; i++)
		add_code_line(code, &(struct code_line){.file = code->instructions[i].file,
		                                        .line = code->instructions[i].number});
	for (size_t i = 0; i < profile->line_total_count; i++)
		if (profile->line_totals[i].node == node && profile->line_totals[i].time > 0)
			add_code_line(code, &(struct code_line){.file = profile->line_totals[i].file,
			                                        .line = profile->line_totals[i].line});
	merge_code_lines(code);
	for (size_t i = 0; i < code->line_count; i++) {
		const struct profile_line_total *total =
		        profile_find_line_total(profile, code->lines[i].file, code->lines[i].line);

		if (total != NULL) {
			code->lines[i].total_time = total->time;
			code->lines[i].total_variance = total->variance;
			code->lines[i].is_lower_bound = total->is_lower_bound;
		}
	}
}

/* --- Instructions. */

static void add_code_instruction(struct code *code, const struct objdump_line *line,
                                 const struct profile_sampled_range **last)
{
	const struct profile *profile = code->html->report.profile;
	const struct profile_sampled_range *range = profile_find_sampled_range(profile, line->address);
	struct code_instruction instruction = {.address = line->address, .text = strdup(line->text)};

	if (!image_instruction_line(profile->image, line->address, &instruction.file, &instruction.number))
		instruction.file = NULL;
	if (range != NULL && range == *last)
		instruction.time = -1;
	else if (range != NULL)
		instruction.time = range->time, instruction.variance = range->variance;
	*last = range != NULL ? range : *last;
	if (instruction.text == NULL ||
	    !array_append(&code->instructions, &code->instruction_count, &instruction, sizeof instruction)) {
		free(instruction.text);
		code->is_short_of_memory = true;
	}
}

/* Without a program that disassembles, the page has only source, and *problem states the reason. */
static void disassemble_function(struct code *code, struct objdump *objdump, struct error *problem)
{
	const struct profile_sampled_range *last = NULL;
	struct objdump_line line;

	if (problem->message[0] != '\0' ||
	    objdump_begin(objdump, code->node->address, code->node->end, problem) != STATUS_OK)
		return;
	while (objdump_next(objdump, &line))
		add_code_instruction(code, &line, &last);
	objdump_end(objdump, problem);
}

/* --- JSON. */

/* Expands tabs, which JSON would escape. */
static void add_expanded_text(struct json *json, const char *text, size_t length)
{
	char expanded[LENGTH_MAX + 1];
	size_t column = 0;

	for (size_t i = 0; i < length && column < LENGTH_MAX; i++) {
		const size_t width = text[i] == '\t' ? TAB_WIDTH - column % TAB_WIDTH : 1;

		for (size_t j = 0; j < width && column < LENGTH_MAX; j++)
			expanded[column++] = text[i] == '\t' ? ' ' : text[i];
	}
	expanded[column] = '\0';
	json_add_string(json, NULL, expanded);
}

static void add_source_text(struct json *json, const struct source_file *source, int number)
{
	size_t length = 0;
	const char *text = source == NULL ? NULL : source_line(source, (size_t)number, &length);

	if (text == NULL)
		json_add_null(json, NULL);
	else
		add_expanded_text(json, text, length);
}

static void add_json_line(struct json *json, const struct source_file *source, const struct code_line *line,
                          bool is_measured)
{
	json_open(json, NULL, '[');
	json_add_number(json, NULL, line->line);
	add_source_text(json, source, line->line);
	if (line->self_time > 0 || line->inlined_time > 0 || line->calls > 0 || line->total_time > 0) {
		json_add_rounded(json, NULL, line->self_time);
		json_add_rounded(json, NULL, sqrt(line->self_variance));
		json_add_rounded(json, NULL, line->inlined_time);
		json_add_count_if(json, NULL, line->calls > 0, line->calls);
		if (is_measured) {
			json_add_rounded(json, NULL, line->total_time);
			json_add_rounded(json, NULL, sqrt(line->total_variance));
			json_add_flag(json, NULL, line->is_lower_bound);
		}
	}
	json_close(json, ']');
}

/* Adds the lines without code between two lines of the function. */
static void add_gap(struct json *json, const struct source_file *source, const struct code_line *before,
                    const struct code_line *after)
{
	if (source == NULL || after->line - before->line > GAP_MAX)
		return;
	for (int number = before->line + 1; number < after->line; number++)
		add_json_line(json, source, &(struct code_line){.line = number}, false);
}

/* Adds the lines of one file, from lines[first] on. Returns the index after its last line. */
static size_t add_code_file(const struct code *code, struct json *json, size_t first)
{
	struct html *html = code->html;
	const struct code_line *lines = code->lines;
	const bool has_name = !html->report.options->without_source && lines[first].file != NULL;
	const struct source_file *source = has_name ? sources_find(&html->sources, lines[first].file) : NULL;
	size_t i = first;

	json_open(json, NULL, '{');
	json_add_string(json, "name", lines[first].file == NULL ? "" : lines[first].file);
	json_add_flag(json, "is_found", source != NULL);
	json_open(json, "lines", '[');
	for (; i < code->line_count && compare_own_file_first(NULL, lines[first].file, lines[i].file) == 0; i++) {
		if (i > first)
			add_gap(json, source, &lines[i - 1], &lines[i]);
		add_json_line(json, source, &lines[i], html->report.profile->measurement != NULL);
	}
	json_close(json, ']');
	json_close(json, '}');
	return i;
}

static void add_instructions(const struct code *code, struct json *json)
{
	char address[20];

	json_open(json, "instructions", '[');
	for (size_t i = 0; i < code->instruction_count; i++) {
		const struct code_instruction *instruction = &code->instructions[i];

		snprintf(address, sizeof address, "%" PRIx64, instruction->address);
		json_open(json, NULL, '[');
		json_add_string(json, NULL, address);
		add_expanded_text(json, instruction->text, strlen(instruction->text));
		json_add_string(json, NULL, instruction->file == NULL ? "" : instruction->file);
		json_add_number(json, NULL, instruction->number);
		json_add_rounded(json, NULL, instruction->time);
		json_add_rounded(json, NULL, sqrt(instruction->variance));
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void add_function_code(struct code *code, struct json *json, size_t node)
{
	json_open(json, NULL, '{');
	json_add_count(json, "function", node);
	json_open(json, "files", '[');
	for (size_t i = 0; i < code->line_count;)
		i = add_code_file(code, json, i);
	json_close(json, ']');
	add_instructions(code, json);
	json_close(json, '}');
}

static void free_code(struct code *code)
{
	for (size_t i = 0; i < code->instruction_count; i++)
		free(code->instructions[i].text);
	free(code->instructions);
	free(code->lines);
}

/* --- Functions. */

static bool is_chosen(const struct profile *profile, const struct profile_node *node)
{
	const bool is_hot = node->self_time > 0 && node->self_time >= MIN_PART * profile->total_time;
	const bool has_totals = profile->line_total_count > 0 && profile_node_total(node) > 0;

	return node->kind == PROFILE_FUNCTION &&
	       (is_hot || (has_totals && profile_node_total(node) >= MIN_TOTAL_PART * profile->total_time));
}

/* The caller frees the list; NULL when out of memory. */
static const struct profile_node **choose_functions(const struct profile *profile, size_t *count)
{
	const struct profile_node **chosen = calloc(profile->node_count + 1, sizeof(const struct profile_node *));

	*count = 0;
	for (size_t i = 0; chosen != NULL && i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];

		if (is_chosen(profile, node))
			chosen[(*count)++] = node;
	}
	if (chosen != NULL)
		qsort(chosen, *count, sizeof *chosen, report_compare_nodes);
	*count = *count > FUNCTIONS_MAX ? FUNCTIONS_MAX : *count;
	return chosen;
}

static bool add_hot_function(struct html *html, struct json *json, const struct profile_node *node,
                             struct objdump *objdump, struct error *problem)
{
	const size_t index = (size_t)(node - html->report.profile->nodes);
	struct code code = {.html = html, .node = node};
	int unused;

	if (!profile_node_line(html->report.profile->image, node, &code.file, &unused))
		code.file = NULL;
	sources_trim(&html->sources);
	disassemble_function(&code, objdump, problem);
	find_code_lines(&code, index);
	add_function_code(&code, json, index);
	free_code(&code);
	return !code.is_short_of_memory;
}

void html_add_code(struct html *html, struct json *json)
{
	struct objdump objdump = {.program = html->report.options->objdump, .image = html->report.profile->image};
	struct error problem = {0};
	size_t count;
	const struct profile_node **chosen = choose_functions(html->report.profile, &count);
	bool has_memory = chosen != NULL;

	json_open(json, "code", '[');
	for (size_t i = 0; chosen != NULL && !html->report.options->without_source && i < count; i++)
		has_memory &= add_hot_function(html, json, chosen[i], &objdump, &problem);
	json_close(json, ']');
	json_add_string(json, "no_instructions", problem.message);
	free(chosen);
	if (!has_memory)
		html->status = status_no_memory(html->error, html->report.profile->image->path);
}
