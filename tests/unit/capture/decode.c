/* SPDX-License-Identifier: MIT */
/* See decode.h. */
#include "decode.h"
#include "test.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct capture *decode_bytes(const char *path, const uint8_t *bytes, size_t size)
{
	struct capture *capture;

	assert_success(capture_decode(path, bytes, size, &capture, &failure), &failure);
	return close_capture_later(capture);
}

void assert_bytes_refused(const uint8_t *bytes, size_t size, const char *words)
{
	struct capture *capture = NULL;

	assert_failure(capture_decode("block.bprof", bytes, size, &capture, &failure), &failure, words);
	assert_null(capture);
	assert_contains(failure.message, "block.bprof");
}

uint8_t *bytes_of_block(const struct build_block *block, size_t *size)
{
	return release_later(build_block_bytes(block, size), free);
}

static uint8_t *patched_bytes(const struct build_block *block, const struct patch *patch, size_t *size)
{
	uint8_t *bytes = bytes_of_block(block, size);

	for (unsigned i = 0; patch != NULL && i < patch->size; i++)
		bytes[patch->offset + i] = (uint8_t)(patch->value >> (8 * i));
	return bytes;
}

struct capture *decode_block(const struct build_block *block, const struct patch *patch)
{
	size_t size;
	uint8_t *bytes = patched_bytes(block, patch, &size);

	return decode_bytes("block.bprof", bytes, size);
}

void assert_block_refused(const struct build_block *block, const struct patch *patch, const char *words)
{
	size_t size;
	uint8_t *bytes = patched_bytes(block, patch, &size);

	assert_bytes_refused(bytes, size, words);
}

uint8_t *file_of_blocks(const struct build_block *blocks, size_t count, const struct capture_trailer *trailer,
                        size_t *size)
{
	uint8_t *all = NULL, *file;
	size_t all_size = 0;

	for (size_t i = 0; i < count; i++) {
		size_t block_size;
		const uint8_t *bytes = bytes_of_block(&blocks[i], &block_size);

		all = realloc(all, all_size + block_size);
		memcpy(all + all_size, bytes, block_size);
		all_size += block_size;
	}
	assert_success(capture_encode(all, all_size, trailer, &file, size, &failure), &failure);
	free(all);
	return release_later(file, free);
}

uint8_t *written(const struct capture *capture, size_t *size)
{
	uint8_t *file = NULL;

	assert_success(capture_write(capture, &file, size, &failure), &failure);
	return release_later(file, free);
}

struct capture *write_and_decode(const struct capture *capture)
{
	size_t size;
	const uint8_t *file = written(capture, &size);

	return decode_bytes("again.bprof", file, size);
}

size_t allocated(void)
{
	const struct mallinfo2 information = mallinfo2();

	return information.uordblks + information.hblkhd;
}

static void put(uint8_t *bytes, uint32_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
}

static void put_node(uint8_t *node, uint32_t key, unsigned parent, unsigned flags, uint32_t count)
{
	put(node, key, 4);
	put(node + 4, parent, 2);
	put(node + 6, flags, 2);
	put(node + 8, count, 4);
}

uint8_t *tree_bytes(unsigned chain, unsigned leaves, size_t *size)
{
	const unsigned nodes = chain + leaves;
	struct build_block block;

	build_block_defaults(&block);
	uint8_t *header = bytes_of_block(&block, size);
	*size = CHAIN_AT + (size_t)nodes * 12;
	uint8_t *bytes = release_later(calloc(1, *size), free);
	memcpy(bytes, header, 0x90);
	bytes[0x0D] = 1;
	put(bytes + 0x18, (uint32_t)*size, 4);
	put(bytes + 0x90, 11 | 12 << 16, 4);
	put(bytes + 0x94, CHAIN_AT, 4);
	put(bytes + 0x98, nodes, 4);
	put(bytes + 0x9C, nodes, 4);
	for (unsigned i = 0; i < nodes; i++) {
		uint8_t *node = bytes + CHAIN_AT + (size_t)i * 12;

		if (i >= chain)
			put_node(node, i, 0, 4, 1);
		else if (i + 1 < chain)
			put_node(node, i, i + 1, 2, 0);
		else
			put_node(node, i, 0xFFFF, 1, 0);
	}
	return bytes;
}

static void print_context(FILE *stream, uint32_t context)
{
	if (context != CAPTURE_NO_CONTEXT)
		fprintf(stream, "@%u", context);
}

static void print_cells(FILE *stream, const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];

		fprintf(stream, "%lx-%lx %lu", cell->low, cell->high, cell->count);
		print_context(stream, cell->context);
		fputs(cell->is_coarse ? " coarse\n" : "\n", stream);
	}
}

static void print_arcs(FILE *stream, const struct capture_block *block)
{
	for (size_t i = 0; i < block->arc_count; i++) {
		const struct capture_arc *arc = &block->arcs[i];

		fprintf(stream, "%lx>%lx %lu", arc->caller, arc->callee, arc->count);
		print_context(stream, arc->context);
		fputc('\n', stream);
	}
}

static bool is_kept(const struct capture_slice *slice, size_t word)
{
	return slice->kept == NULL || (slice->kept[word / 8] >> word % 8 & 1) != 0;
}

static void print_stack(FILE *stream, const struct capture_slice *slice, unsigned width)
{
	const uint8_t *byte = slice->bytes;

	for (size_t i = 0; i < slice->size; i++)
		if (is_kept(slice, i / width))
			fprintf(stream, "%02x", *byte++);
		else
			fputs("--", stream);
}

static void print_slices(FILE *stream, const struct capture_block *block)
{
	for (size_t i = 0; i < block->slice_count; i++) {
		const struct capture_slice *slice = &block->slices[i];

		fprintf(stream, "%u %lx %lx %lx %lx %x ", slice->number, slice->pc, slice->lr, slice->sp, slice->fp,
		        slice->entry);
		print_stack(stream, slice, block->header.order.address_size);
		fprintf(stream, "*%.4f", (double)slice->weight / 65536);
		print_context(stream, slice->context);
		fprintf(stream, "%s%s%s\n", slice->is_bad ? " bad" : "", slice->is_whole ? " whole" : "",
		        slice->is_withheld ? " withheld" : "");
	}
}

static void print_paths(FILE *stream, const struct capture_block *block)
{
	for (size_t i = 0; i < block->path_node_count; i++) {
		const struct capture_path_node *node = &block->path_nodes[i];

		if (node->parent == UINT32_MAX)
			fprintf(stream, "root %d end %u\n", (int)node->key, node->end);
		else if (node->kind == 2)
			fprintf(stream, "%u call %lx\n", node->parent, node->key);
		else
			fprintf(stream, "%u leaf %lx %lu\n", node->parent, node->key, node->count);
	}
}

static void print_stacks(FILE *stream, const struct capture_block *block)
{
	const struct capture_stack_totals *totals = &block->stack_totals;

	print_slices(stream, block);
	print_paths(stream, block);
	fprintf(stream, "stacks %d, filtered %d: %u of %u bytes, in flight %lu; %u nodes, bad %lu\n",
	        block->has_stack_totals, block->slices_filtered, block->slice_capacity, block->slice_bytes,
	        block->slices_in_flight, block->path_node_capacity, block->path_nodes_bad);
	fprintf(stream, "offered %lu, bad %lu, full %lu, timed %lu, cost %lu, overruns %lu, table %x\n",
	        totals->offered, totals->bad, totals->tree_full, totals->timed, totals->cost, totals->overruns,
	        totals->table_crc);
}

static void print_header(FILE *stream, const struct capture_header *header)
{
	fprintf(stream, "order %d %u, block at %lx\n", header->order.big_endian, header->order.address_size,
	        header->block_address);
	fprintf(stream, "state %u, clock %u, period %u, epoch %u\n", header->state, header->clock_hz, header->period,
	        header->epoch);
	fprintf(stream, "resets %lu, ticks %lu, missed %lu, outside %lu, full %lu, dropped %lu, saturated %lu\n",
	        header->reset_count, header->ticks, header->ticks_missed, header->samples_outside,
	        header->samples_table_full, header->arcs_dropped, header->saturated);
	fprintf(stream, "board %s, core %u, identity %u %u", header->board, header->core, header->identity_kind,
	        header->identity_size);
	for (size_t i = 0; i < sizeof header->identity; i++)
		fprintf(stream, " %x", header->identity[i]);
	fputc('\n', stream);
}

static void print_block(FILE *stream, const struct capture_block *block)
{
	print_header(stream, &block->header);
	print_cells(stream, block);
	print_arcs(stream, block);
	print_stacks(stream, block);
	for (size_t i = 0; i < block->range_count; i++)
		fprintf(stream, "range %lx-%lx\n", block->ranges[i].start, block->ranges[i].end);
	fprintf(stream, "has contexts %d\n", block->has_contexts);
	for (size_t i = 0; i < block->context_count; i++)
		fprintf(stream, "context %s %lu\n", block->contexts[i].name, block->contexts[i].switches);
	fprintf(stream, "sizes %u %u %u, capacities %u %u\n", block->bin_size, block->granule_size, block->coarse_size,
	        block->granule_capacity, block->arc_capacity);
	fprintf(stream, "in flight %lu, saturated %lu %lu, skipped %lu\n", block->arcs_in_flight,
	        block->cells_saturated, block->arcs_saturated, block->sections_skipped);
	fprintf(stream, "skew %d %lu, cost %d %lu, distances %d\n", block->has_skew,
	        block->ticks_after - block->ticks_before, block->has_tick_cost, block->tick_cost, block->distances);
	fprintf(stream, "merged %lu, contradictory %d, gmon %d\n", block->merged_count, block->is_contradictory,
	        block->is_gmon);
}

/* The output of print(). */
static const char *print_to_text(const struct capture_block *block,
                                 void (*print)(FILE *stream, const struct capture_block *block))
{
	struct printed *printed = printed_begin();

	print(printed->stream, block);
	return printed_text(printed);
}

void assert_cells(const struct capture_block *block, const char *expected)
{
	assert_string_equal(print_to_text(block, print_cells), expected);
}

void assert_arcs(const struct capture_block *block, const char *expected)
{
	assert_string_equal(print_to_text(block, print_arcs), expected);
}

void assert_slices(const struct capture_block *block, const char *expected)
{
	assert_string_equal(print_to_text(block, print_slices), expected);
}

void assert_paths(const struct capture_block *block, const char *expected)
{
	assert_string_equal(print_to_text(block, print_paths), expected);
}

void assert_same_block(const struct capture_block *left, const struct capture_block *right)
{
	assert_string_equal(print_to_text(left, print_block), print_to_text(right, print_block));
}
