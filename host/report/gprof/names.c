/* SPDX-License-Identifier: MIT */
/* Names of functions as GNU gprof prints them. They are created on first use, because most functions of a firmware are
 * never printed. */
#include "base/text/text.h"
#include "report/gprof/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Frees plain and returns a copy with unprintable characters escaped; NULL when out of memory. */
static char *escape_name(char *plain)
{
	char *escaped = NULL;
	size_t size;

	if (plain == NULL || text_is_printable(plain))
		return plain;
	FILE *stream = open_memstream(&escaped, &size);
	if (stream != NULL) {
		text_print(stream, plain);
		fclose(stream);
	}
	free(plain);
	return escaped;
}

void gprof_print_safe(struct gprof_report *report, const char *text)
{
	char *escaped = text_is_printable(text) ? NULL : escape_name(strdup(text));

	if (escaped != NULL || text_is_printable(text))
		layout_text(&report->layout, escaped != NULL ? escaped : text);
	free(escaped);
}

/* The demangled name; NULL: name stays as it is. */
static const char *demangled_name(const struct gprof_report *report, const char *name)
{
	const struct output_gprof_options *options = report->options;

	return options->demangle && !options->traditional ? demangler_find(report->demangler, name) : NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* A file directly in the folder is printed with the folder; a file in a subfolder is not. */
static bool is_named_with(const char *file, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(file, folder, length) == 0 && file[length] == '/';
}

const char *gprof_folder(const struct gprof_report *report, const struct profile_node *node)
{
	const char *folder = NULL;

	if (node->file != NULL && node->file[0] != '/')
		folder = image_line_folder(report->profile->image, node->address);
	return folder != NULL && !is_named_with(node->file, folder) ? folder : "";
}

/* Adds the place where the code begins, for lines, or with --inline-file-names for functions. */
static char *append_code_place(const struct gprof_report *report, const struct profile_node *node, const char *name)
{
	const struct output_gprof_options *options = report->options;
	const char *folder = options->full_paths ? gprof_folder(report, node) : "";
	const char *slash = folder[0] != '\0' ? "/" : "";
	const char *file = options->full_paths ? node->file : last_part(node->file);
	char *placed = NULL;
	int size = options->by_line ? asprintf(&placed, "%s (%s%s%s:%d @ %" PRIx64 ")", name, folder, slash, file,
	                                       node->line, node->address)
	                            : asprintf(&placed, "%s (%s%s%s:%d)", name, folder, slash, file, node->line);

	return size < 0 ? NULL : placed;
}

char *gprof_file_of_local(const struct gprof_report *report, size_t node)
{
	const struct output_gprof_options *options = report->options;
	const struct profile_node *named = &report->profile->nodes[node];
	const struct image *image = report->profile->image;

	if (node >= image->function_count || !image->functions[node].is_local || named->file == NULL ||
	    options->by_line || options->traditional)
		return NULL;
	const char *folder = options->full_paths ? gprof_folder(report, named) : "";
	const char *slash = folder[0] != '\0' ? "/" : "";
	char *made = NULL;
	int size =
	        asprintf(&made, " (%s%s%s)", folder, slash, options->full_paths ? named->file : last_part(named->file));
	return size < 0 ? NULL : escape_name(made);
}

static char *make_name(const struct gprof_report *report, const struct profile_node *node)
{
	const struct output_gprof_options *options = report->options;
	const char *demangled = demangled_name(report, node->name);
	const char *name = demangled != NULL ? demangled : node->name;
	char *made = NULL;

	if (node->file != NULL && (options->by_line || options->inline_file_names))
		made = append_code_place(report, node, name);
	if (made == NULL && (demangled != NULL || !text_is_printable(name)))
		made = strdup(name);
	return escape_name(made);
}

const char *gprof_name(struct gprof_report *report, size_t node)
{
	const struct profile_node *named = &report->profile->nodes[node];

	if (report->names[node] == NULL) {
		report->made_names[node] = make_name(report, named);
		report->names[node] = report->made_names[node] != NULL ? report->made_names[node] : named->name;
	}
	return report->names[node];
}

void gprof_print_number(struct gprof_report *report, size_t number, bool is_shown)
{
	layout_text(&report->layout, " ");
	layout_bracketed(&report->layout, number, is_shown ? "[]" : "()", 0);
}

void gprof_print_index_cell(struct gprof_report *report, const char *number, int width)
{
	if (strlen(number) <= strlen("[12345]"))
		layout_cut_cell(&report->layout, number, width);
	else
		layout_cell(&report->layout, number, width);
}

void gprof_print_name(struct gprof_report *report, size_t node)
{
	const struct profile_node *named = &report->profile->nodes[node];

	layout_text(&report->layout, gprof_name(report, node));
	if (named->cycle != PROFILE_NONE) {
		layout_text(&report->layout, " <cycle ");
		layout_count(&report->layout, named->cycle + 1, 0);
		layout_text(&report->layout, ">");
	}
	if (report->is_numbered)
		gprof_print_number(report, report->node_number[node], named->wanted.is_shown);
}
