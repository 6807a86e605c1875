/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture from a description on standard input, for golden tests: `make_capture >RUN.bprof <DESCRIPTION`.
 * A description has one setting per line and numbers in C notation; # begins a comment:
 *
 *	big-endian | address-size N | clock HZ | period N | board NAME | build-id HEX | shift N | bin-bytes N
 *	range START END | sample ADDRESS COUNT | arc RETURN-ADDRESS CALLEE COUNT [CONTEXT]
 *	minor N | random N | tick-cost N
 *	missed N | outside N | full N | dropped N | saturated N | resets N | kind N | state N | ticks N | core N
 *	granules CAPACITY BYTES | granule ADDRESS COUNT [CONTEXT] | context NAME
 *	switches CONTEXT COUNT | refused BITS
 *	slice-room BYTES | filtered | slice NUMBER PC BYTES [CONTEXT] | torn-slice NUMBER PC BYTES |
 *	bad-slice NUMBER PC | withheld-slice NUMBER PC
 *	node KEY PARENT FLAGS COUNT | stack-total ITEM COUNT
 *
 * `refused` makes the last context that of tasks that found no context. With granules, `sample` adds to the coarse bins
 * of 2^shift bytes of code. `block` begins the block of another core, which has only the ranges and the rate of the one
 * before.
 */
#include "build_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long number(const char *text)
{
	char *end;

	unsigned long long value = text != NULL ? strtoull(text, &end, 0) : 0;
	if (text == NULL || *text == '\0' || *end != '\0') {
		fprintf(stderr, "make_capture: '%s' is not a number\n", text != NULL ? text : "");
		exit(1);
	}
	return value;
}

/* Parses an optional number. */
static uint32_t number_or_0(const char *text)
{
	return text != NULL ? (uint32_t)number(text) : 0;
}

static void set_build_id(struct build_block *block, const char *hex)
{
	for (unsigned byte; sscanf(hex, "%2x", &byte) == 1 && block->identity_size < 32; hex += 2)
		block->identity[block->identity_size++] = (uint8_t)byte;
}

/* Parses a setting that is one number. */
static bool set_number(struct build_block *block, const char *name, const char *text)
{
	const struct {
		const char *name;
		uint32_t *value;
	} settings[] = {
	        {"address-size", &block->address_size},
	        {"clock", &block->clock_hz},
	        {"period", &block->period},
	        {"shift", &block->bin_shift},
	        {"bin-bytes", &block->bin_bytes},
	        {"minor", &block->minor},
	        {"random", &block->random},
	        {"tick-cost", &block->tick_cost},
	        {"missed", &block->ticks_missed},
	        {"outside", &block->outside},
	        {"full", &block->table_full},
	        {"dropped", &block->arcs_dropped},
	        {"saturated", &block->saturated},
	        {"resets", &block->reset_count},
	        {"refused", &block->contexts_refused},
	        {"state", &block->state},
	        {"ticks", &block->ticks},
	        {"core", &block->core},
	        {"kind", &block->extra_kind},
	        {"slice-room", &block->slice_room},
	};

	for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (strcmp(settings[i].name, name) != 0)
			continue;
		*settings[i].value = (uint32_t)number(text);
		return true;
	}
	return false;
}

static void add_context(struct build_block *block, const char *name)
{
	if (block->context_count < BUILD_CONTEXTS_MAX)
		block->contexts[block->context_count++] = strdup(name != NULL ? name : "");
}

static void add_switches(struct build_block *block, unsigned long long context, uint32_t count)
{
	if (context < BUILD_CONTEXTS_MAX)
		block->switches[context] += count;
	block->counts_switches = true;
}

static struct build_slice *add_slice(struct build_block *block, char *words[4])
{
	return build_block_slice(block, (uint32_t)number(words[0]), number(words[1]), (unsigned)number(words[2]));
}

static void set_stack_total(struct build_block *block, unsigned long long item, uint32_t count)
{
	if (item < sizeof block->stack_totals / sizeof *block->stack_totals)
		block->stack_totals[item] = count;
	block->has_stacks = true;
}

/* Parses a setting that adds stacks. */
static bool add_stacks(struct build_block *block, const char *name, char *words[4])
{
	if (strcmp(name, "slice") == 0)
		add_slice(block, words)->context = words[3] != NULL ? (uint32_t)number(words[3]) : UINT32_MAX;
	else if (strcmp(name, "torn-slice") == 0)
		add_slice(block, words)->number_again = 0;
	else if (strcmp(name, "bad-slice") == 0)
		build_block_slice(block, (uint32_t)number(words[0]), number(words[1]), 0)->flags = 1;
	else if (strcmp(name, "withheld-slice") == 0)
		build_block_slice(block, (uint32_t)number(words[0]), number(words[1]), 0)->flags = 4;
	else if (strcmp(name, "node") == 0)
		build_block_node(block, number(words[0]), (unsigned)number(words[1]), (unsigned)number(words[2]),
		                 (uint32_t)number(words[3]));
	else if (strcmp(name, "stack-total") == 0)
		set_stack_total(block, number(words[0]), (uint32_t)number(words[1]));
	else if (strcmp(name, "filtered") == 0)
		block->slices_filtered = true;
	else
		return false;
	return true;
}

static void check_bins(const struct build_block *block)
{
	uint64_t bins = build_block_bins(block);

	if (bins <= BUILD_BINS_MAX)
		return;
	fprintf(stderr,
	        "make_capture: the ranges have %" PRIu64 " bins, at most %d are possible: set a larger shift first\n",
	        bins, BUILD_BINS_MAX);
	exit(1);
}

static void add_sample(struct build_block *block, char *words[4])
{
	check_bins(block);
	build_block_sample(block, number(words[0]), number(words[1]));
}

/* Parses a setting that adds samples, calls, contexts or switches. */
static bool add(struct build_block *block, const char *name, char *words[4])
{
	if (strcmp(name, "sample") == 0)
		add_sample(block, words);
	else if (strcmp(name, "granule") == 0)
		build_block_granule(block, number(words[0]), (uint32_t)number(words[1]), number_or_0(words[2]));
	else if (strcmp(name, "arc") == 0)
		build_block_arc_of(block, number(words[0]), number(words[1]), (uint32_t)number(words[2]),
		                   number_or_0(words[3]));
	else if (strcmp(name, "context") == 0)
		add_context(block, words[0]);
	else if (strcmp(name, "switches") == 0)
		add_switches(block, number(words[0]), (uint32_t)number(words[1]));
	else
		return false;
	return true;
}

static void set(struct build_block *block, const char *name, char *words[4])
{
	if (set_number(block, name, words[0]) || add(block, name, words) || add_stacks(block, name, words))
		return;
	if (strcmp(name, "big-endian") == 0)
		block->big_endian = true;
	else if (strcmp(name, "board") == 0)
		block->board = strdup(words[0]);
	else if (strcmp(name, "build-id") == 0)
		set_build_id(block, words[0]);
	else if (strcmp(name, "granules") == 0) {
		block->granule_capacity = (unsigned)number(words[0]);
		block->granule_shift = (unsigned)__builtin_ctzll(number(words[1]));
		block->bin_bytes = 4;
	} else if (strcmp(name, "range") == 0 && block->range_count < BUILD_RANGES_MAX) {
		block->ranges[block->range_count][0] = number(words[0]);
		block->ranges[block->range_count++][1] = number(words[1]);
	} else {
		fprintf(stderr, "make_capture: '%s' is not a setting\n", name);
		exit(1);
	}
}

static bool write_block(struct build_block *block)
{
	size_t size;

	check_bins(block);
	block->ticks += block->outside;
	uint8_t *bytes = build_block_bytes(block, &size);
	bool written = fwrite(bytes, 1, size, stdout) == size;
	free(bytes);
	return written;
}

/* Begins the block of the next core: the same firmware, without counts. */
static void begin_block(struct build_block *block)
{
	block->core++;
	block->address += 0x10000;
	block->ticks = block->outside = block->table_full = block->arcs_dropped = block->saturated = 0;
	block->granule_count = block->arc_count = block->context_count = 0;
	block->counts_switches = false;
	block->slice_count = block->node_count = 0;
	memset(block->stack_totals, 0, sizeof block->stack_totals);
	memset(block->switches, 0, sizeof block->switches);
	memset(block->bins, 0, sizeof block->bins);
}

int main(void)
{
	static struct build_block block;
	char line[256];
	bool written = true;

	build_block_defaults(&block);
	while (fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "#\n")] = '\0';
		char *name = strtok(line, " \t");
		char *words[4] = {strtok(NULL, " \t"), strtok(NULL, " \t"), strtok(NULL, " \t"), strtok(NULL, " \t")};
		if (name != NULL && strcmp(name, "block") == 0) {
			written = write_block(&block) && written;
			begin_block(&block);
		} else if (name != NULL) {
			set(&block, name, words);
		}
	}
	written = write_block(&block) && written;
	return written && fflush(stdout) == 0 ? 0 : 1;
}
