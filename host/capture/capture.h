/* SPDX-License-Identifier: MIT */
/*
 * Decoded capture files: one or more profile blocks and the host's trailer (docs/FORMAT.md). The decoder accepts both
 * byte orders and both address sizes, reads by offset and trusts no field.
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to read the words of one target. */
struct capture_order {
	bool big_endian;
	unsigned address_size; /* 4 or 8 */
};

/* Blocks of one capture: one for each core and, in merged captures, for each clock and state. */
#define CAPTURE_BLOCKS_MAX 4096

/* The value of a count that is unknown. */
#define CAPTURE_UNKNOWN UINT64_MAX

/* The fixed header of a block in host order. */
struct capture_header {
	struct capture_order order;
	unsigned major, minor;
	unsigned directory_count;
	uint32_t header_size;
	uint64_t block_address;
	uint32_t block_size;
	uint32_t gate;
	uint32_t control_argument, control_request, control_acknowledge;
	uint32_t state;
	uint32_t epoch;
	uint32_t clock_hz;
	uint32_t period;
	/* Counts: 32 bits in a block, more where captures were merged. */
	uint64_t reset_count;
	uint64_t ticks;
	uint64_t ticks_missed; /* or CAPTURE_UNKNOWN */
	uint64_t samples_outside;
	uint64_t samples_table_full;
	uint64_t arcs_dropped;
	uint64_t saturated;
	uint8_t identity[32];
	unsigned identity_kind, identity_size;
	unsigned core;
	char board[17]; /* NUL-terminated, printable ASCII */
};

/* The distances between samples. */
enum capture_distances {
	CAPTURE_DISTANCES_UNKNOWN,
	CAPTURE_DISTANCES_RANDOM,
	CAPTURE_DISTANCES_FIXED, /* in a merged capture: in at least one block */
};

/* One section of the directory, its bounds checked against the block. */
struct capture_section {
	unsigned kind, parameter, item_size;
	uint32_t offset, capacity, used;
};

/* The context of samples and calls that were recorded without one. */
#define CAPTURE_NO_CONTEXT UINT32_MAX

/* Samples whose program counter was in [low, high). count is never 0. */
struct capture_cell {
	uint64_t low, high;
	uint64_t count;
	uint32_t context;
	bool is_coarse; /* from a coarse bin: the code that ran is unknown */
};

/* caller: the raw return address. callee: an address inside the callee, with Thumb bit. count is never 0. */
struct capture_arc {
	uint64_t caller, callee;
	uint64_t count;
	uint32_t context;
};

struct capture_context {
	char name[17];     /* NUL-terminated, as the target wrote it: escape before printing */
	uint64_t switches; /* to this context; CAPTURE_UNKNOWN: the recorder did not count them */
};

struct capture_range {
	uint64_t start, end;
};

/* A slice: registers and a piece of the stack of interrupted code. */
struct capture_slice {
	uint32_t number;  /* the number of its tick, from 1, which is unique within a block */
	uint32_t context; /* CAPTURE_NO_CONTEXT: none */
	uint64_t pc, lr, sp, fp;
	uint32_t entry;                     /* EXC_RETURN, 0 on other ISAs than Arm */
	bool is_bad, is_whole, is_withheld; /* BAREPROF_SLICE_IS_* */
	uint64_t weight;                    /* the ticks that it stands for, in 1/65,536 */
	size_t size;                        /* bytes of stack, from sp up */
	const uint8_t *bytes;               /* in the order of the target; owned by the block */
	const uint8_t *kept;                /* NULL, or as in struct unwind_stack: only some words are in bytes */
};

/* The deepest path of a tree: nodes below it are bad. */
#define CAPTURE_PATH_DEPTH_MAX 4096

/* A node of the path tree. Parents come before their children. */
struct capture_path_node {
	uint64_t key;    /* a root: its context; a call: the return address; a leaf: an address in the sampled code */
	uint32_t parent; /* index of a node; UINT32_MAX for a root */
	uint8_t kind;    /* BAREPROF_PATH_IS_ROOT, _CALL or _LEAF */
	uint8_t end;     /* how the paths below a root end, BAREPROF_END_* */
	uint64_t count;  /* samples; 0 except for leaves */
};

/* The counters of a store of stacks. */
struct capture_stack_totals {
	uint64_t offered, bad, tree_full;
	uint64_t timed, cost; /* ticks whose cost was measured, and the clock units that these took */
	uint64_t overruns;    /* timed ticks that took longer than the timer's distance */
	uint32_t table_crc;
};

struct capture_block {
	struct capture_header header;
	struct capture_section sections[16];
	size_t section_count;
	uint64_t sections_skipped;      /* sections of unknown kinds */
	struct capture_range ranges[4]; /* not empty, without overlaps */
	size_t range_count;
	/* Bytes of code that a counter of each kind covers; 0: there are no counters of that kind. */
	uint32_t bin_size, granule_size, coarse_size;
	uint32_t granule_capacity;
	struct capture_cell *cells; /* sorted by low */
	size_t cell_count;
	struct capture_arc *arcs; /* in table order; several may have the same key */
	size_t arc_count;
	uint32_t arc_capacity;
	/* Stacks: slices by number, or the nodes of a tree. Without either, calls are known only from arcs. */
	struct capture_slice *slices;
	size_t slice_count;
	uint32_t slice_capacity, slice_bytes; /* room for slices, and for bytes of stack in each */
	uint64_t slices_in_flight;            /* slices that were being written, or contradict themselves */
	uint8_t *slice_memory;                /* owns the bytes of slices */
	struct capture_path_node *path_nodes;
	size_t path_node_count;
	uint32_t path_node_capacity;
	bool slices_filtered;    /* only some words of each stack were kept */
	bool has_stack_totals;   /* there is a store of stacks */
	uint64_t path_nodes_bad; /* nodes left out: impossible, without a parent, or below such a node */
	struct capture_stack_totals stack_totals;
	bool has_contexts;                /* calls and samples were recorded under contexts */
	struct capture_context *contexts; /* by number; cells and arcs may have larger numbers */
	size_t context_count;
	uint32_t contexts_refused;                /* bits, see BAREPROF_CONTEXT_OTHERS; 0: none */
	bool is_part;                             /* only some contexts; samples_outside still covers all */
	uint64_t arcs_in_flight;                  /* slots claimed but not yet written */
	uint64_t cells_saturated, arcs_saturated; /* counters at their maximum; switches count as arcs */
	/* From the trailer: tick counts before and after the read; equal for a stopped target. */
	bool has_skew;
	uint64_t ticks_before, ticks_after;
	/* Clock units that the sampling interrupts of all ticks took, from the timer's event to the return. */
	uint64_t tick_cost; /* valid if has_tick_cost */
	/* How many blocks were added up to make this one; 0: it is not a sum. */
	uint64_t merged_count;
	bool is_contradictory; /* in one of the merged blocks, samples did not add up to ticks */
	bool is_gmon;          /* from gmon.out, which has no board, ticks or losses; header.ticks counts samples */
	bool is_sampled;       /* sampled through a debug probe, without a recorder: no calls, no losses */
	bool has_tick_cost;
	enum capture_distances distances;
	size_t basic_block_count; /* counted in the gmon.out; a capture cannot hold them */
	/* In an interval (capture_since()): ticks that passed while the earlier capture was read. Their samples may be
	 * in the earlier capture. */
	uint64_t earlier_skew;
};

struct capture {
	char *path;
	struct capture_block *blocks;
	size_t block_count;
	bool has_trailer;
	char source[256]; /* where it was pulled from; empty if unknown */
	int64_t time;     /* seconds since 1970; 0 if unknown */
	bool has_code_crc;
	uint32_t code_crc; /* CRC-32 of the code in the target, see firmware/identity.h */
};

/* Whether these are the first bytes of a capture. */
bool capture_is(const uint8_t *bytes, size_t size);

/* Decodes the bytes of a capture file, or of a bare dump of a block; path is for messages. bytes are not kept. On
 * success the caller owns *capture. */
enum status capture_decode(const char *path, const uint8_t *bytes, size_t size, struct capture **capture,
                           struct error *error);
void capture_close(struct capture *capture);

/* Whether the capture is a sum of merged captures. */
bool capture_is_sum(const struct capture *capture);

/* Whether both hold exactly the same samples and calls, so that they are not two independent runs. */
bool capture_is_repeat(const struct capture *capture, const struct capture *other);

/*
 * Decodes the fixed header alone from the size bytes that could be read (at least BAREPROF_OFFSET_RANGES). where names
 * the file or device in messages. Checks magic, byte order, major version and sizes, but not the block's address.
 */
enum status capture_header_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_header *header,
                                  struct error *error);
/* Decodes directory entry index; bounds checked against header->block_size. */
enum status capture_section_decode(const char *where, const uint8_t *bytes, size_t size,
                                   const struct capture_header *header, unsigned index, struct capture_section *section,
                                   struct error *error);

/* The name of a state of the header, such as "running"; "not valid" for an unknown value. */
const char *capture_state_name(uint32_t state);
bool capture_state_is_valid(uint32_t state);
/* Whether the target is resetting its counts. */
bool capture_state_is_clearing(uint32_t state);

/* The course of the counts of a block between two readings, in rising order of severity. */
enum capture_course {
	CAPTURE_CONTINUES,
	CAPTURE_CLEARED,   /* the profile was cleared, or its clock changed */
	CAPTURE_RESTARTED, /* the target was reset and its counts began again, or it is another block */
};

/* Finds the course from two readings of the header. A re-initialized block has acknowledged nothing; if the earlier
 * block had not either, lower counts show the restart. */
enum capture_course capture_course(const struct capture_header *before, const struct capture_header *after);

/*
 * The interval from an earlier capture of the same profile to this one: a capture with the counts that were added,
 * owned by the caller; NULL when out of memory. A block whose counts did not continue is in it with all its counts.
 * *course: the worst course of all blocks. Everything except the counts is copied from the later capture.
 */
struct capture *capture_since(const struct capture *capture, const struct capture *earlier,
                              enum capture_course *course);

/* For qsort(): compare cells by address, then by their other keys, and arcs by their keys, but not by count. */
int capture_compare_cells(const void *left, const void *right);
int capture_compare_arcs(const void *left, const void *right);

/* The tasks that found no context share the last one, which has this name. */
#define CAPTURE_OTHER_TASKS "<other tasks>"

/* The name of a context of the block; "" if it has none. */
const char *capture_context_name(const struct capture_block *block, uint32_t context);

/* Whether every tick is accounted for by a sample: in the tables, outside them, or lost to a saturated counter. */
enum capture_balance {
	CAPTURE_ADDS_UP,
	CAPTURE_ADDS_UP_WITH_SKEW, /* within the skew: the target ran while it was read */
	CAPTURE_DOES_NOT_ADD_UP,
};

/* The samples of a block by where they were counted. */
struct capture_samples {
	uint64_t fine; /* in bins and granules */
	uint64_t coarse;
	uint64_t outside;
	enum capture_balance balance;
};
/* Also checks the sum against the ticks. */
struct capture_samples capture_sum_samples(const struct capture_block *block);

/* Whether the part of each period that the sampling interrupt takes is known. */
enum capture_handler {
	CAPTURE_HANDLER_KNOWN,
	CAPTURE_HANDLER_UNKNOWN,
	CAPTURE_HANDLER_IMPOSSIBLE, /* according to the block's counts, it takes the whole period or more */
};

/* *part: 0 or more and less than 1; 0 if unknown. */
enum capture_handler capture_handler_part(const struct capture_block *block, double *part);

/* "unknown", "random", "fixed". */
const char *capture_distances_name(enum capture_distances distances);

/* Selects blocks, samples and calls of a capture; all zero: all of them. */
struct capture_selection {
	bool of_core;
	unsigned core;
	bool of_context; /* select context, which may be CAPTURE_NO_CONTEXT */
	uint32_t context;
	const char *context_name; /* NULL: any */
	/* Contexts that any of these selects are left out. */
	const struct capture_selection *except;
	size_t except_count;
};

/* A copy of the selected part of a capture, owned by the caller; NULL when out of memory. It has the losses of whole
 * blocks. */
struct capture *capture_select(const struct capture *capture, const struct capture_selection *selection);

uint16_t capture_u16(const struct capture_order *order, const uint8_t *bytes);
uint32_t capture_u32(const struct capture_order *order, const uint8_t *bytes);
uint64_t capture_u64(const struct capture_order *order, const uint8_t *bytes);
/* A number of 1, 2, 4 or 8 bytes. */
uint64_t capture_counter(const struct capture_order *order, const uint8_t *bytes, unsigned size);
uint64_t capture_address(const struct capture_order *order, const uint8_t *bytes);

/* The records that pull adds after the blocks. */
struct capture_trailer {
	const char *source; /* NULL: unknown */
	int64_t time;
	bool has_code_crc;
	uint32_t code_crc;
	const uint32_t (*skews)[2]; /* per block: ticks before and after the read; NULL: unknown */
	size_t skew_count;
};

/* Encodes a file: the blocks in bytes[0..size) and the trailer. The caller frees *file. */
enum status capture_encode(const uint8_t *bytes, size_t size, const struct capture_trailer *trailer, uint8_t **file,
                           size_t *file_size, struct error *error);

/*
 * Encodes a capture with counts that may be too large for a target's block: blocks of format minor 1 and a trailer. The
 * caller frees *file.
 */
enum status capture_write(const struct capture *capture, uint8_t **file, size_t *size, struct error *error);

#endif
