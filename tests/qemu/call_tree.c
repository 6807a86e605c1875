/* SPDX-License-Identifier: MIT */
/* See call_tree.h. */
#include "call_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 65536u

struct counter {
	struct counter *next;
	const struct code_function *function;
	uint64_t count;
};

struct call_node {
	struct call_node *next; /* in its bucket */
	struct call_node *parent;
	uint64_t return_address;
	struct counter *counters;
};

/* Instructions of a function, or of a caller's calls of a callee. stamp: the last path that was added to inclusive. */
struct sum {
	struct sum *next;
	const struct code_function *caller, *callee;
	uint64_t self, inclusive, stamp;
};

static struct code_function *functions;
static size_t function_count;
static struct call_node root;
static struct call_node *nodes[BUCKETS];
static struct sum *sums[BUCKETS];

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (memory == NULL)
		abort();
	return memory;
}

/* The content of a file, with a zero after it, or NULL. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");

	if (file == NULL)
		return NULL;
	fseek(file, 0, SEEK_END);
	const size_t size = (size_t)ftell(file);
	char *text = allocate(size + 1);
	rewind(file);
	const bool is_read = fread(text, 1, size, file) == size;
	fclose(file);
	return is_read ? text : NULL;
}

bool call_tree_read_functions(const char *path)
{
	char *text = read_text(path);
	size_t capacity = 0;

	if (text == NULL)
		return false;
	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		struct code_function function;
		int name = 0;

		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &function.start, &function.end, &name) != 2 || name == 0)
			return false;
		function.name = line + name;
		if (function_count == capacity) {
			capacity = capacity == 0 ? 256 : 2 * capacity;
			functions = realloc(functions, capacity * sizeof(*functions));
			if (functions == NULL)
				abort();
		}
		functions[function_count++] = function;
	}
	return function_count != 0;
}

const struct code_function *call_tree_function_at(uint64_t address)
{
	size_t low = 0, high = function_count;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < function_count && functions[low].start <= address ? &functions[low] : NULL;
}

static size_t bucket_of(const void *left, uint64_t right)
{
	const uint64_t key = ((uint64_t)(uintptr_t)left >> 4) * UINT64_C(0x9E3779B97F4A7C15) + right;

	return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 48) % BUCKETS;
}

struct call_node *call_tree_child(struct call_node *parent, uint64_t return_address)
{
	struct call_node **bucket = &nodes[bucket_of(parent, return_address)];

	for (struct call_node *node = *bucket; node != NULL; node = node->next)
		if (node->parent == parent && node->return_address == return_address)
			return node;
	struct call_node *node = allocate(sizeof(*node));
	*node = (struct call_node){.next = *bucket, .parent = parent, .return_address = return_address};
	*bucket = node;
	return node;
}

uint64_t *call_tree_counter(struct call_node *node, const struct code_function *function)
{
	if (node == NULL)
		node = &root;
	for (struct counter *counter = node->counters; counter != NULL; counter = counter->next)
		if (counter->function == function)
			return &counter->count;
	struct counter *counter = allocate(sizeof(*counter));
	*counter = (struct counter){.next = node->counters, .function = function};
	node->counters = counter;
	return &counter->count;
}

static void clear_counters(struct call_node *node)
{
	for (struct counter *counter = node->counters; counter != NULL; counter = counter->next)
		counter->count = 0;
}

void call_tree_clear(void)
{
	clear_counters(&root);
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct call_node *node = nodes[i]; node != NULL; node = node->next)
			clear_counters(node);
}

/* The sum of an arc, or with caller NULL of a function. */
static struct sum *sum_of(const struct code_function *caller, const struct code_function *callee)
{
	struct sum **bucket = &sums[bucket_of(caller, (uintptr_t)callee)];

	for (struct sum *sum = *bucket; sum != NULL; sum = sum->next)
		if (sum->caller == caller && sum->callee == callee)
			return sum;
	struct sum *sum = allocate(sizeof(*sum));
	*sum = (struct sum){.next = *bucket, .caller = caller, .callee = callee};
	*bucket = sum;
	return sum;
}

static void add_once(struct sum *sum, uint64_t count, uint64_t path)
{
	if (sum->stamp == path)
		return;
	sum->stamp = path;
	sum->inclusive += count;
}

static void add_path(const struct call_node *node, const struct counter *leaf)
{
	static uint64_t path;
	const struct code_function *callee = leaf->function;

	path++;
	if (callee != NULL) {
		sum_of(NULL, callee)->self += leaf->count;
		add_once(sum_of(NULL, callee), leaf->count, path);
	}
	for (; node != NULL; node = node->parent) {
		const struct code_function *caller = call_tree_function_at(node->return_address - 1);

		if (caller != NULL)
			add_once(sum_of(NULL, caller), leaf->count, path);
		if (caller != NULL && callee != NULL)
			add_once(sum_of(caller, callee), leaf->count, path);
		callee = caller;
	}
}

static void add_node(const struct call_node *node, const struct counter *counters)
{
	for (; counters != NULL; counters = counters->next)
		if (counters->count != 0)
			add_path(node, counters);
}

static void write_sum(FILE *file, const struct sum *sum)
{
	if (sum->caller == NULL)
		fprintf(file, "function %" PRIx64 " %s %" PRIu64 " %" PRIu64 "\n", sum->callee->start,
		        sum->callee->name, sum->self, sum->inclusive);
	else
		fprintf(file, "arc %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", sum->caller->start, sum->callee->start,
		        sum->inclusive);
}

void call_tree_write(FILE *file)
{
	add_node(NULL, root.counters);
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct call_node *node = nodes[i]; node != NULL; node = node->next)
			add_node(node, node->counters);
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct sum *sum = sums[i]; sum != NULL; sum = sum->next)
			write_sum(file, sum);
}
