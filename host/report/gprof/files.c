/* SPDX-License-Identifier: MIT */
/* An order of object files, derived from the order of functions and a map from functions to files. */
#include "report/gprof/report.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* The file of a function; both names point into the text of the map. */
struct origin {
	const char *function, *file;
	size_t file_length;
	size_t rank; /* rank of the function in the order; SIZE_MAX: not in the profile */
};

struct map {
	char *text;
	struct origin *origins;
	size_t count;
};

/* Reads a line of nm --print-file-name, FILE:ADDRESS TYPE FUNCTION; ignores other lines. False when out of memory. */
static bool take_map_line(struct map *map, char *line)
{
	char *colon = strrchr(line, ':');
	char *function = strrchr(line, ' ');

	if (colon == NULL || function == NULL || function < colon || function[1] == '\0')
		return true;
	const struct origin origin = {function + 1, line, (size_t)(colon - line), SIZE_MAX};
	return array_append(&map->origins, &map->count, &origin, sizeof origin);
}

static bool take_map_text(struct map *map, const char *text, size_t size)
{
	map->text = strndup(text, size);
	char *rest = map->text, *line;
	bool ok = map->text != NULL;
	while (ok && (line = strsep(&rest, "\n")) != NULL)
		ok = take_map_line(map, line);
	return ok;
}

static int compare_origin_functions(const void *left, const void *right)
{
	const struct origin *a = left, *b = right;
	int by_function = strcmp(a->function, b->function);

	return by_function != 0 ? by_function : (a->file > b->file) - (a->file < b->file);
}

/* By file; within a file, the first function first. */
static int compare_origin_files(const void *left, const void *right)
{
	const struct origin *a = left, *b = right;
	size_t shorter = a->file_length < b->file_length ? a->file_length : b->file_length;
	int by_text = memcmp(a->file, b->file, shorter);

	if (by_text != 0)
		return by_text;
	if (a->file_length != b->file_length)
		return a->file_length > b->file_length ? 1 : -1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_origin_ranks(const void *left, const void *right)
{
	const struct origin *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return (a->file > b->file) - (a->file < b->file);
}

/* The first line of the map that names the function. */
static struct origin *find_origin(const struct map *map, const char *function)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(map->origins[middle].function, function) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	bool is_found = low < map->count && strcmp(map->origins[low].function, function) == 0;
	return is_found ? &map->origins[low] : NULL;
}

static void rank_origins(struct map *map, const struct profile *profile, const size_t *nodes)
{
	qsort(map->origins, map->count, sizeof *map->origins, compare_origin_functions);
	for (size_t i = 0; i < profile->node_count; i++) {
		struct origin *origin = find_origin(map, profile->nodes[nodes[i]].name);

		if (origin != NULL && origin->rank == SIZE_MAX)
			origin->rank = i;
	}
}

/* Keeps one line of the map per file. */
static void keep_first_of_files(struct map *map)
{
	size_t kept = 0;

	qsort(map->origins, map->count, sizeof *map->origins, compare_origin_files);
	for (size_t i = 0; i < map->count; i++) {
		const struct origin *last = kept > 0 ? &map->origins[kept - 1] : NULL, *next = &map->origins[i];

		if (last == NULL || last->file_length != next->file_length ||
		    memcmp(last->file, next->file, next->file_length) != 0)
			map->origins[kept++] = *next;
	}
	map->count = kept;
	qsort(map->origins, map->count, sizeof *map->origins, compare_origin_ranks);
}

static void print_ordered_files(struct gprof_report *report, const struct map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		char *file = strndup(map->origins[i].file, map->origins[i].file_length);

		if (file != NULL)
			gprof_print_safe(report, file);
		layout_text(&report->layout, "\n");
		free(file);
	}
}

enum status gprof_print_file_order(struct gprof_report *report, struct error *error)
{
	struct map map = {0};
	size_t *nodes;
	enum status status = gprof_order_functions(report->profile, &nodes, error);

	if (status != STATUS_OK)
		return status;
	if (!take_map_text(&map, report->options->file_map, report->options->file_map_size))
		status = status_no_memory(error, report->options->file_map_path);
	if (status == STATUS_OK && map.count == 0)
		status = status_fail(error, "%s: no line FILE:ADDRESS TYPE FUNCTION, as nm -A prints them",
		                     report->options->file_map_path);
	if (status == STATUS_OK) {
		rank_origins(&map, report->profile, nodes);
		keep_first_of_files(&map);
		print_ordered_files(report, &map);
	}
	free(map.origins);
	free(map.text);
	free(nodes);
	return status;
}
