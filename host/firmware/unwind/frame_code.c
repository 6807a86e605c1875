/* SPDX-License-Identifier: MIT */
/* See frame_code.h. */
#include "firmware/unwind/frame_code.h"

#include "base/search.h"
#include "firmware/calls/call_sites.h"
#include "firmware/calls/segments.h"
#include "firmware/private.h"
#include "firmware/unwind/code_marks.h"

#include <pthread.h>
#include <stdlib.h>

/* Marks of code: the last byte of a call, and the start of a function. */
enum mark { MARK_CALL_END, MARK_START, MARKS };

/* The maximum distance of a function's first call from its start: an instruction may compute the call's target. */
#define FIRST_CALL_MAX 4

struct frame_code {
	const struct image *image;
	const struct decoder *decoder; /* NULL: calls are unknown */
	struct calls calls;
	struct code_marks marks;
	uint8_t *properties; /* by the image's functions in its division by size */
	bool *falls_through; /* whether control may go on to the function after it */
	bool has_vectors;
	const struct image_function *called_entry;
	struct call_sites *sites; /* decodes on demand, so it is locked */
	pthread_mutex_t lock;
};

/* --- Functions. */

/* The index of the function at address; the number of functions if there is none. */
static size_t function_index_at(const struct frame_code *code, uint64_t address)
{
	const struct image_private *private = code->image->private;
	size_t index = first_above(private->functions, private->function_count, sizeof *private->functions,
	                           offsetof(struct image_function, end), address);
	bool is_inside = index < private->function_count && private->functions[index].start <= address;

	return is_inside ? private->functions[index].first : private->function_count;
}

unsigned frame_code_properties(const struct frame_code *code, uint64_t address)
{
	size_t index = function_index_at(code, address);

	return index == code->image->private->function_count ? 0 : code->properties[index];
}

void frame_code_add_property(struct frame_code *code, uint64_t address, enum frame_function property)
{
	size_t index = function_index_at(code, address);

	if (index < code->image->private->function_count)
		code->properties[index] |= (uint8_t)property;
}

bool frame_code_are_in_two_functions(const struct frame_code *code, uint64_t left, uint64_t right)
{
	size_t count = code->image->private->function_count, first = function_index_at(code, left),
	       second = function_index_at(code, right);

	return first < count && second < count && first != second;
}

/* --- One pass over the instructions finds returns from traps, changes of the stack pointer, and functions that
 * continue in the next one. */

static bool scan_segment(void *context, const struct segment *segment)
{
	struct frame_code *code = context;
	struct instruction_walk walk;
	enum instruction_flow last = FLOW_NEXT;
	size_t function = function_index_at(code, segment->start);

	if (function == code->image->private->function_count)
		return true;
	instruction_walk_begin(&walk, code->decoder, code->image, segment);
	while (instruction_walk_next(&walk)) {
		if (walk.instruction.returns == RETURN_FROM_TRAP)
			code->properties[function] |= FRAME_IS_TRAP;
		if (instruction_walk_effect(&walk).moves)
			code->properties[function] |= FRAME_MOVES_STACK;
		last = walk.instruction.flow;
	}
	code->falls_through[function] = last != FLOW_JUMP;
	return true;
}

/* --- Marks. */

static bool mark_code(struct frame_code *code)
{
	const struct image *image = code->image;

	if (!code_marks_create(&code->marks, image, MARKS))
		return false;
	for (size_t i = 0; i < code->calls.count; i++) {
		const struct call *call = &code->calls.items[i];

		if (call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT)
			code_marks_add(&code->marks, call->site + call->length - 1, MARK_CALL_END);
		else if (call->kind == CALL_ADDRESS)
			frame_code_add_property(code, call->target, FRAME_IS_POINTED_TO);
	}
	for (size_t i = 0; i < image->private->function_count; i++)
		if (image->private->functions[i].first == i)
			code_marks_add(&code->marks, image->private->functions[i].start, MARK_START);
	return true;
}

bool frame_code_is_return(const struct frame_code *code, uint64_t address)
{
	return code->decoder == NULL || code_marks_has(&code->marks, address - 1, MARK_CALL_END);
}

bool frame_code_is_start(const struct frame_code *code, uint64_t address)
{
	return code_marks_has(&code->marks, address, MARK_START);
}

/* --- The vector table (Armv7-M ARM B1.5.3). Its first words are the stack pointer and the entry point. */

#define VECTOR_SIZE      4u
#define VECTOR_ALIGNMENT 128u
#define VECTORS_MAX      512u /* Armv8-M ARM B3.30 */
#define VECTORS_MIN      8u   /* bytes, to look for the entry point in */
/* Vectors after HardFault may be 0. Some vendors keep other words in the reserved ones. */
enum {
	VECTOR_RESET = 1,
	VECTOR_FIRST_HANDLER = 2,
	VECTOR_FIRST_OPTIONAL = 4,
	VECTOR_FIRST_RESERVED = 7,
	VECTOR_LAST_RESERVED = 10,
	VECTORS_OF_CORE = 16
};

struct vector_search {
	struct frame_code *code;
	size_t entry;    /* the function at the entry point that the tables state; the number of functions: unknown */
	bool is_by_form; /* find tables by their form, and the entry point in them */
};

static uint64_t vector_at(const struct frame_code *code, const uint8_t *table, size_t number)
{
	return number_from(code->image, table + number * VECTOR_SIZE, VECTOR_SIZE);
}

static bool is_vector(const struct frame_code *code, uint64_t vector)
{
	return (vector & 1) != 0 && frame_code_is_start(code, vector - 1);
}

/* Whether the words are a stack pointer and the vectors of the core. */
static bool has_vector_form(const struct frame_code *code, const uint8_t *table, uint64_t size)
{
	const uint64_t stack = vector_at(code, table, 0);

	if (size < VECTORS_OF_CORE * VECTOR_SIZE || stack == 0 || stack % VECTOR_SIZE != 0 ||
	    image_code_at(code->image, stack) != NULL)
		return false;
	for (size_t i = VECTOR_RESET; i < VECTORS_OF_CORE; i++) {
		const uint64_t vector = vector_at(code, table, i);
		const bool is_reserved = i >= VECTOR_FIRST_RESERVED && i <= VECTOR_LAST_RESERVED;

		if (!is_reserved && !is_vector(code, vector) && (vector != 0 || i < VECTOR_FIRST_OPTIONAL))
			return false;
	}
	return true;
}

/* The table ends before a word that is neither 0 nor a function; there may be other data after it. */
static void mark_handlers(struct frame_code *code, const uint8_t *table, uint64_t size)
{
	for (size_t i = VECTOR_FIRST_HANDLER; i < VECTORS_MAX && i < size / VECTOR_SIZE; i++) {
		uint64_t vector = vector_at(code, table, i);

		if (vector == 0)
			continue;
		if (!is_vector(code, vector))
			return;
		frame_code_add_property(code, vector - 1, FRAME_IS_HANDLER);
	}
}

static void find_vector_tables(void *context, uint64_t address, const uint8_t *bytes, uint64_t size)
{
	struct vector_search *search = context;
	struct frame_code *code = search->code;

	for (uint64_t at = (0 - address) % VECTOR_ALIGNMENT; at + VECTORS_MIN <= size; at += VECTOR_ALIGNMENT) {
		const uint64_t reset = vector_at(code, bytes + at, VECTOR_RESET);
		const size_t function = function_index_at(code, reset - 1);
		const bool is_table =
		        search->is_by_form ? has_vector_form(code, bytes + at, size - at) : function == search->entry;

		if ((reset & 1) == 0 || function == code->image->private->function_count || !is_table)
			continue;
		mark_handlers(code, bytes + at, size - at);
		code->has_vectors = true;
		search->entry = function;
	}
}

/* Marks handlers. Sets *entry to the function at the entry point. The ELF's entry point may be wrong, because the core
 * does not use it: if no vector table leads there, tables are found by their form. */
static bool find_handlers(struct frame_code *code, size_t *entry)
{
	struct vector_search search = {.code = code, .entry = *entry};
	struct image_extent *extents;
	size_t extent_count;

	if (image_thumb_bit(code->image) == 0)
		return true;
	if (!image_data_in_code(code->image, &extents, &extent_count))
		return false;
	each_data(code->image, extents, extent_count, find_vector_tables, &search);
	search.is_by_form = !code->has_vectors;
	if (search.is_by_form)
		each_data(code->image, extents, extent_count, find_vector_tables, &search);
	*entry = search.entry;
	free(extents);
	return true;
}

/* --- The entry point. A linker that finds no entry symbol sets the entry point of the ELF to the start of its code,
 * where any function may be. So paths end in the function there only if no code calls it or takes its address. If code
 * does, the real entry point is among the functions that no call, jump or pointer leads to. */

struct entries {
	struct frame_code *code;
	size_t *references; /* by function: calls, jumps and pointers to it, without jumps by `functions` */
	size_t *functions;  /* functions that the entry point leads to */
	size_t count, done;
};

static void count_references(struct entries *entries)
{
	const struct calls *calls = &entries->code->calls;

	for (size_t i = 0; i < calls->count; i++)
		if (calls->items[i].kind != CALL_INDIRECT)
			entries->references[function_index_at(entries->code, calls->items[i].target)]++;
}

static void add_entry_function(struct entries *entries, size_t function, enum frame_function property)
{
	entries->code->properties[function] |= (uint8_t)property;
	entries->functions[entries->count++] = function;
}

static void add_continuation(struct entries *entries, uint64_t target)
{
	const struct frame_code *code = entries->code;
	size_t function = function_index_at(code, target);

	if (function < code->image->private->function_count &&
	    (code->properties[function] & (FRAME_IS_ENTRY | FRAME_CONTINUES_ENTRY)) == 0)
		add_entry_function(entries, function, FRAME_CONTINUES_ENTRY);
}

/* Follows the jumps out of a function, and its end if it continues in the next one. */
static void follow_function(struct entries *entries, size_t index)
{
	const struct frame_code *code = entries->code;
	const struct image_function *function = &code->image->private->functions[index];
	const struct calls *calls = &code->calls;
	size_t call = first_from(calls->items, calls->count, sizeof *calls->items, offsetof(struct call, site),
	                         function->start);

	for (; call < calls->count && calls->items[call].site < function->end; call++)
		if (calls->items[call].kind == CALL_TAIL) {
			entries->references[function_index_at(code, calls->items[call].target)]--;
			add_continuation(entries, calls->items[call].target);
		}
	if (code->falls_through[index])
		add_continuation(entries, function->end);
}

static void follow_entries(struct entries *entries)
{
	while (entries->done < entries->count)
		follow_function(entries, entries->functions[entries->done++]);
	for (size_t i = 0; i < entries->count; i++)
		if (entries->references[entries->functions[i]] > 0)
			entries->code->properties[entries->functions[i]] |= FRAME_IS_REFERENCED;
}

static void note_called_entry(struct frame_code *code, size_t entry)
{
	const struct image_function *function = &code->image->private->functions[entry];

	for (size_t i = 0; i < code->calls.count; i++)
		if (code->calls.items[i].kind == CALL_DIRECT && code->calls.items[i].target == function->start)
			code->called_entry = function;
}

/* entry: the function at the entry point, or the number of functions. */
static void add_entry_functions(struct entries *entries, size_t entry)
{
	struct frame_code *code = entries->code;
	const size_t count = code->image->private->function_count;
	const bool is_certain = entry < count && (code->has_vectors || entries->references[entry] == 0);

	if (entry < count)
		add_entry_function(entries, entry, is_certain ? FRAME_IS_ENTRY : FRAME_CONTINUES_ENTRY);
	if (entry == count || is_certain)
		return;
	note_called_entry(code, entry);
	for (size_t i = 0; i < count; i++)
		if (entries->references[i] == 0 && code->image->private->functions[i].first == i)
			add_entry_function(entries, i, FRAME_CONTINUES_ENTRY);
}

static bool find_entries(struct frame_code *code)
{
	const size_t count = code->image->private->function_count;
	struct entries entries = {
	        .code = code,
	        .references = calloc(count + 1, sizeof *entries.references),
	        .functions = calloc(count + 1, sizeof *entries.functions),
	};
	GElf_Ehdr header;
	size_t entry = count;
	bool ok = entries.references != NULL && entries.functions != NULL;

	if (gelf_getehdr(code->image->private->elf, &header) != NULL)
		entry = function_index_at(code, header.e_entry & ~image_thumb_bit(code->image));
	ok = ok && find_handlers(code, &entry);
	if (ok) {
		count_references(&entries);
		add_entry_functions(&entries, entry);
		follow_entries(&entries);
	}
	free(entries.references);
	free(entries.functions);
	return ok;
}

const struct image_function *frame_code_called_entry(const struct frame_code *code)
{
	return code->called_entry;
}

/* --- */

static bool read_code(struct frame_code *code)
{
	size_t count = code->image->private->function_count;

	code->properties = calloc(count + 1, 1);
	code->falls_through = calloc(count + 1, sizeof *code->falls_through);
	code->sites = call_sites_create(code->image);
	return code->properties != NULL && code->falls_through != NULL && code->sites != NULL &&
	       (code->decoder == NULL || each_segment(code->image, scan_segment, code)) && mark_code(code) &&
	       find_entries(code);
}

enum status frame_code_create(const struct image *image, struct frame_code **code, struct error *error)
{
	struct frame_code *created = calloc(1, sizeof *created);

	*code = NULL;
	if (created == NULL)
		return status_no_memory(error, image->path);
	created->image = image;
	created->decoder = decoder_of(image);
	pthread_mutex_init(&created->lock, NULL);
	enum status status = calls_find(image, &created->calls, error);
	if (status == STATUS_OK && !read_code(created))
		status = status_no_memory(error, image->path);
	if (status == STATUS_OK)
		*code = created;
	else
		frame_code_free(created);
	return status;
}

void frame_code_free(struct frame_code *code)
{
	if (code == NULL)
		return;
	code_marks_free(&code->marks);
	free(code->properties);
	free(code->falls_through);
	calls_free(&code->calls);
	call_sites_free(code->sites);
	pthread_mutex_destroy(&code->lock);
	free(code);
}

const struct calls *frame_code_calls(const struct frame_code *code)
{
	return &code->calls;
}

/* Checks a call that returns to address, and may have entered the function at callee. */
static struct call_site check_site(struct frame_code *code, uint64_t address, uint64_t callee)
{
	struct call_site site = {.is_false = true};

	pthread_mutex_lock(&code->lock);
	if (!call_sites_check(code->sites, address | image_thumb_bit(code->image), callee, &site))
		site = (struct call_site){.is_false = true};
	pthread_mutex_unlock(&code->lock);
	return site;
}

bool frame_code_can_call(struct frame_code *code, uint64_t address, uint64_t callee)
{
	return !check_site(code, address, callee).is_false;
}

bool frame_code_first_call(struct frame_code *code, uint64_t address, uint64_t callee, struct call *call)
{
	const struct call_site site = check_site(code, address, callee);
	const struct calls *calls = &code->calls;
	size_t first =
	        first_from(calls->items, calls->count, sizeof *calls->items, offsetof(struct call, site), site.target);

	if (!site.has_target || first == calls->count || calls->items[first].kind != CALL_DIRECT ||
	    calls->items[first].site - site.target > FIRST_CALL_MAX)
		return false;
	*call = calls->items[first];
	return true;
}
