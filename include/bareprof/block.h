/* SPDX-License-Identifier: MIT */
/*
 * The bytes of the profile block, shared by the recorder (which writes them) and the host tool (which reads them by
 * offset). docs/FORMAT.md explains each field and how it may change while it is read.
 *
 * All offsets are from the start of the block, in bytes. Integers are in the byte order of the target.
 */
#ifndef BAREPROF_BLOCK_H
#define BAREPROF_BLOCK_H

#define BAREPROF_MAGIC        "BAREPROF"
#define BAREPROF_MAGIC_SIZE   8
#define BAREPROF_FORMAT_MAJOR 1
/* The minor that firmware writes. Older firmware writes 2, or 0 if its blocks lack the random word and the cost of a
 * tick. */
#define BAREPROF_FORMAT_MINOR    3
#define BAREPROF_FORMAT_MERGED   1 /* the minor of merged blocks, which have totals, and samples by extent of code */
#define BAREPROF_BYTE_ORDER_MARK 0x0102

/* The header. The same offsets on 32- and 64-bit targets. */
#define BAREPROF_OFFSET_MAGIC           0x00 /* 8 bytes */
#define BAREPROF_OFFSET_BYTE_ORDER      0x08 /* u16 */
#define BAREPROF_OFFSET_MAJOR           0x0A /* u8 */
#define BAREPROF_OFFSET_MINOR           0x0B /* u8 */
#define BAREPROF_OFFSET_ADDRESS_SIZE    0x0C /* u8, 4 or 8 */
#define BAREPROF_OFFSET_DIRECTORY_COUNT 0x0D /* u8, entries, unused ones included */
#define BAREPROF_OFFSET_HEADER_SIZE \
	0x0E /* u16, header, directory, ranges and the recorder's private words after them */
#define BAREPROF_OFFSET_BLOCK_ADDRESS       0x10 /* u64 */
#define BAREPROF_OFFSET_BLOCK_SIZE          0x18 /* u32 */
#define BAREPROF_OFFSET_CLOCK_HZ            0x1C /* u32, 0: unknown */
#define BAREPROF_OFFSET_PERIOD              0x20 /* u32, clock units between samples, 0: unknown */
#define BAREPROF_OFFSET_GATE                0x24 /* u32, BAREPROF_GATE(block address, BAREPROF_STATE_*) */
#define BAREPROF_OFFSET_CONTROL_ARGUMENT    0x28 /* u32, written by the host */
#define BAREPROF_OFFSET_CONTROL_REQUEST     0x2C /* u32, written by the host, last */
#define BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE 0x30 /* u32, written by the target */
#define BAREPROF_OFFSET_EPOCH               0x34 /* u32 */
#define BAREPROF_OFFSET_RESET_COUNT         0x38 /* u32, warm resets that kept the block */
#define BAREPROF_OFFSET_TICKS               0x3C /* u32, handler entries while running */
#define BAREPROF_OFFSET_TICKS_MISSED        0x40 /* u32, BAREPROF_UNKNOWN where the timer cannot count them */
#define BAREPROF_OFFSET_SAMPLES_OUTSIDE     0x44 /* u32, PC in no range */
#define BAREPROF_OFFSET_SAMPLES_TABLE_FULL  0x48 /* u32, fell back to a coarse bin */
#define BAREPROF_OFFSET_ARCS_DROPPED        0x4C /* u32, calls that found a full table */
#define BAREPROF_OFFSET_SATURATED           0x50 /* u32, increments lost to counters at their limit */
#define BAREPROF_OFFSET_LEFT_TO_CLEAR       0x54 /* u32, private to the recorder */
#define BAREPROF_OFFSET_IDENTITY_KIND       0x58 /* u8, BAREPROF_IDENTITY_* */
#define BAREPROF_OFFSET_IDENTITY_SIZE       0x59 /* u8, 0..32 */
#define BAREPROF_OFFSET_CORE                0x5A /* u8, number of the core that records here */
#define BAREPROF_OFFSET_IDENTITY            0x5C /* 32 bytes */
#define BAREPROF_OFFSET_BOARD               0x7C /* 16 bytes, NUL padded */
/* u32, from minor 2 on: the state of the generator that draws the distances between samples. Samples came at fixed
 * distances if it is 0, because no distance was drawn, or if the period is below BAREPROF_DITHERED_PERIOD_MIN. */
#define BAREPROF_OFFSET_RANDOM    0x8C
#define BAREPROF_OFFSET_DIRECTORY 0x90

#define BAREPROF_IDENTITY_CAPACITY 32
#define BAREPROF_BOARD_CAPACITY    16
#define BAREPROF_UNKNOWN           0xFFFFFFFFu
#define BAREPROF_COUNTER_LIMIT     0xFFFFFF00u /* counters of 32 bits stop here, or a little above */

/* One directory entry. Decoders go by these numbers and skip kinds that they do not know. */
#define BAREPROF_DIRECTORY_CAPACITY 4
#define BAREPROF_ENTRY_SIZE         16
#define BAREPROF_ENTRY_KIND         0x0 /* u8, BAREPROF_SECTION_*, 0: unused */
#define BAREPROF_ENTRY_PARAMETER    0x1 /* u8, meaning depends on the kind */
#define BAREPROF_ENTRY_ITEM_SIZE    0x2 /* u16, bytes of one item */
#define BAREPROF_ENTRY_OFFSET       0x4 /* u32, of the first item */
#define BAREPROF_ENTRY_CAPACITY     0x8 /* u32, items there is room for */
#define BAREPROF_ENTRY_USED         0xC /* u32, the number of first items that may be in use; 0: skip the section */

#define BAREPROF_SECTION_UNUSED       0
#define BAREPROF_SECTION_RANGES       1  /* pairs of addresses: start, end */
#define BAREPROF_SECTION_BINS         2  /* counters of samples; parameter = log2 of the bytes of code per bin */
#define BAREPROF_SECTION_ARCS         3  /* hash table of arcs; parameter = BAREPROF_ARC_* */
#define BAREPROF_SECTION_GRANULES     4  /* hash table of granules of code; parameter = log2 of the bytes of one */
#define BAREPROF_SECTION_COARSE       5  /* bins for samples that found the granules full; parameter as for bins */
#define BAREPROF_SECTION_CONTEXTS     6  /* one item per context, by its number; parameter = BAREPROF_CONTEXT_* */
#define BAREPROF_SECTION_SLICES       9  /* copies of interrupted stacks; parameter = BAREPROF_SLICE_* bits */
#define BAREPROF_SECTION_STACK_TOTALS 10 /* counters of slices or of the tree, see BAREPROF_STACK_TOTAL_* */
#define BAREPROF_SECTION_PATHS        11 /* nodes of a path tree; parameter = BAREPROF_PATHS_* bits */
/* In merged captures only, which the host writes: */
#define BAREPROF_SECTION_TOTALS    7 /* counts of 64 bits in place of the header's, see BAREPROF_TOTAL_* */
#define BAREPROF_SECTION_STRETCHES 8 /* samples by the code they fell on, from any store */

/* Parameter bits of an arc section. */
#define BAREPROF_ARC_WIDE_COUNT 0x01 /* counts are u64 (merged captures) */
#define BAREPROF_ARC_CONTEXT    0x02 /* a u32 context follows the count */

/*
 * A slot of an arc section. Free while its count is 0; claimed by an exclusive write of count 1, then the caller is
 * written, then the callee. A count with callee 0 is a slot in flight. Two slots may hold one arc: their counts add up.
 */
#define BAREPROF_ARC_CALLER(address_size) 0              /* return address into the caller, as in the core's register */
#define BAREPROF_ARC_CALLEE(address_size) (address_size) /* an address in the callee, never 0 */
#define BAREPROF_ARC_COUNT(address_size)  (2 * (address_size)) /* u32 */

/*
 * A slot of the table of granules. Free while its count is 0; the number of the granule is written before the count.
 * When a slot reaches the limit, its granule gets another one: readers add their counts.
 */
#define BAREPROF_GRANULE_NUMBER(address_size)  0                    /* address >> parameter */
#define BAREPROF_GRANULE_COUNT(address_size)   (address_size)       /* u32 */
#define BAREPROF_GRANULE_CONTEXT(address_size) ((address_size) + 4) /* u32, where the item has room for it */

/*
 * A slice: registers and a piece of the stack of interrupted code. The number of the tick that took it is at its front
 * and at its end; ticks that offer a slice are counted from 1. The recorder writes 0 to the front, then the slice, then
 * the number at the end, and last the number at the front. So a slice whose numbers differ is being written, and a
 * slice whose numbers are both 0 was never used.
 *
 * A reservoir keeps the slices (algorithm R: Knuth, The Art of Computer Programming 2, 3.4.2, exercise 10), so the
 * slices in the block are a uniform sample of all ticks that offered a slice.
 */
#define BAREPROF_SLICE_NUMBER              0x0 /* u32 */
#define BAREPROF_SLICE_CONTEXT             0x4 /* u32, all ones = none */
#define BAREPROF_SLICE_BYTES               0x8 /* u16, bytes of the stack, which follow the registers */
#define BAREPROF_SLICE_FLAGS               0xA /* u16, BAREPROF_SLICE_IS_* */
#define BAREPROF_SLICE_ENTRY               0xC /* u32, EXC_RETURN on Arm, otherwise 0 */
#define BAREPROF_SLICE_PC                  0x10
#define BAREPROF_SLICE_LR(address_size)    (0x10 + (address_size))
#define BAREPROF_SLICE_SP(address_size)    (0x10 + 2 * (address_size)) /* as before the interrupt */
#define BAREPROF_SLICE_FP(address_size)    (0x10 + 3 * (address_size)) /* r7 on Arm, s0 on RISC-V */
#define BAREPROF_SLICE_WORDS(address_size) (0x10 + 4 * (address_size)) /* the stack, from SP up */
/* `bytes`: the room for the stack. Padding to the size of an address follows, and then the number again. */
#define BAREPROF_SLICE_SIZE(address_size, bytes) (BAREPROF_SLICE_WORDS(address_size) + (bytes) + (address_size))
#define BAREPROF_SLICE_NUMBER_AGAIN(item_size)   ((item_size)-4)
#define BAREPROF_SLICE_IS_BAD                    0x1 /* SP was not aligned or in no stack: no bytes of a stack */
#define BAREPROF_SLICE_IS_WHOLE                  0x2 /* the bytes end where the stack ends */
#define BAREPROF_SLICE_IS_WITHHELD               0x4 /* the stack belongs to a security state that is not to be copied */
/*
 * In a filtered slice, words that unwinding does not need are left out. For each group of 8 * address_size words of the
 * stack there is a word of bits, where bit n is set if word n was kept, then the words that were kept.
 * BAREPROF_SLICE_BYTES includes the bytes that were left out.
 */
#define BAREPROF_SLICE_GROUP_WORDS(address_size) (8 * (address_size))
/* Parameter bits of a section of slices. */
#define BAREPROF_SLICES_FILTERED \
	0x01 /* only words that unwinding may need were kept: groups of bits and words, see above */
#define BAREPROF_SLICES_WEIGHTED 0x02 /* u64 before each slice: the ticks that it stands for, in 1/65,536 (merged) */
#define BAREPROF_SLICE_WEIGHT    65536

/* The items of the totals of slices or of the tree: u32, in merged captures u64. */
#define BAREPROF_STACK_TOTAL_OFFERED   0 /* ticks that offered a stack */
#define BAREPROF_STACK_TOTAL_BAD       1 /* ticks of OFFERED that would have kept a stack, but had a bad SP */
#define BAREPROF_STACK_TOTAL_TIMED     2 /* ticks whose cost was measured */
#define BAREPROF_STACK_TOTAL_COST      3 /* clock units since they began, low half; in merged captures all of it */
#define BAREPROF_STACK_TOTAL_COST_HIGH 4
#define BAREPROF_STACK_TOTAL_RANDOM    5 /* private to the recorder: the generator of the reservoir */
#define BAREPROF_STACK_TOTAL_TREE_FULL 6 /* ticks whose path found no room in the tree */
#define BAREPROF_STACK_TOTAL_TABLE_CRC 7 /* of the unwind table that the target used; 0: none */
/* From minor 3 on. */
#define BAREPROF_STACK_TOTAL_OVERRUNS 13 /* ticks of TIMED that took longer than the timer's distance */
#define BAREPROF_STACK_TOTALS         14
/* In a running profile every Nth tick is timed, beginning with the first. Once the counter of ticks is at its limit,
 * every tick is timed. */
#define BAREPROF_TIMED_TICKS 64
/* In merged captures only: losses that the decoder counted, and capacities of the target. */
#define BAREPROF_STACK_TOTAL_IN_FLIGHT      8  /* slices that were being written */
#define BAREPROF_STACK_TOTAL_PATHS_BAD      9  /* nodes of the tree that were left out */
#define BAREPROF_STACK_TOTAL_SLICE_CAPACITY 10 /* slices */
#define BAREPROF_STACK_TOTAL_SLICE_BYTES    11 /* room in a slice after the registers */
#define BAREPROF_STACK_TOTAL_PATH_CAPACITY  12 /* nodes */
#define BAREPROF_STACK_TOTALS_MERGED        13 /* in older sums, without OVERRUNS */

/*
 * A node of the path tree. Free while its count and its flags are 0. A root has no parent; its key is the number of its
 * context, and its flags state how its paths end. Below it are return addresses, the outermost first. The last node is
 * a leaf; its key is the start of the row of the unwind table that contains the interrupted PC. Only leaves have a
 * count.
 */
#define BAREPROF_PATH_KEY(address_size)    0
#define BAREPROF_PATH_PARENT(address_size) (address_size)       /* u16, index of a node; all ones: none */
#define BAREPROF_PATH_FLAGS(address_size)  ((address_size) + 2) /* u16 */
#define BAREPROF_PATH_COUNT(address_size)  ((address_size) + 4) /* u32 */
#define BAREPROF_PATH_SIZE(address_size)   ((address_size) + 8)
#define BAREPROF_PATH_NO_PARENT            0xFFFFu
#define BAREPROF_PATH_IS_ROOT              0x1
#define BAREPROF_PATH_IS_CALL              0x2
#define BAREPROF_PATH_IS_LEAF              0x4
#define BAREPROF_PATH_CALLS                64                     /* a path with more calls is cut, BAREPROF_END_CUT */
#define BAREPROF_PATH_END(flags)           ((flags) >> 8 & 0xFFu) /* of a root: BAREPROF_END_* */
#define BAREPROF_PATHS_WIDE                0x01                   /* the nodes are wide (merged captures) */
/* A wide node, with a count of 64 bits. */
#define BAREPROF_WIDE_PATH_PARENT(address_size) (address_size)       /* u32, all ones: none */
#define BAREPROF_WIDE_PATH_FLAGS(address_size)  ((address_size) + 4) /* u32 */
#define BAREPROF_WIDE_PATH_COUNT(address_size)  ((address_size) + 8) /* u64 */
#define BAREPROF_WIDE_PATH_SIZE(address_size)   ((address_size) + 16)
#define BAREPROF_WIDE_PATH_NO_PARENT            0xFFFFFFFFu

/* How a path ends, from the sampled function outwards. */
#define BAREPROF_END_ROOT      0 /* the function that the reset enters */
#define BAREPROF_END_TASK      1 /* the entry of a task, whose return address leads nowhere */
#define BAREPROF_END_EXCEPTION 2 /* a handler that interrupted other code */
#define BAREPROF_END_CUT       3 /* the slice is too short, or the path too long */
#define BAREPROF_END_NO_ROW    4 /* code without frame information */
#define BAREPROF_END_BAD       5 /* a stack that contradicts itself */
#define BAREPROF_END_WITHHELD  6 /* the stack belongs to a security state that is not to be copied */
#define BAREPROF_ENDS          7

/* The items of totals, u64 each. */
#define BAREPROF_TOTAL_BLOCKS           0 /* blocks that were added up */
#define BAREPROF_TOTAL_FLAGS            1 /* BAREPROF_TOTAL_IS_* */
#define BAREPROF_TOTAL_TICKS            2
#define BAREPROF_TOTAL_TICKS_MISSED     3 /* all ones: unknown */
#define BAREPROF_TOTAL_SKEW             4 /* ticks while the blocks were read; all ones: unknown */
#define BAREPROF_TOTAL_SAMPLES_OUTSIDE  5
#define BAREPROF_TOTAL_TABLE_FULL       6
#define BAREPROF_TOTAL_ARCS_DROPPED     7
#define BAREPROF_TOTAL_ARCS_IN_FLIGHT   8
#define BAREPROF_TOTAL_SATURATED        9  /* increments lost to full counters */
#define BAREPROF_TOTAL_CELLS_SATURATED  10 /* counters of samples that were found full */
#define BAREPROF_TOTAL_ARCS_SATURATED   11
#define BAREPROF_TOTAL_RESETS           12
#define BAREPROF_TOTAL_SECTIONS_SKIPPED 13
#define BAREPROF_TOTAL_BIN_SIZE         14 /* bytes of code that a bin stood for, 0: there were none */
#define BAREPROF_TOTAL_GRANULE_SIZE     15
#define BAREPROF_TOTAL_COARSE_SIZE      16
#define BAREPROF_TOTAL_GRANULE_CAPACITY 17 /* maximum over the blocks */
#define BAREPROF_TOTAL_ARC_CAPACITY     18
#define BAREPROF_TOTAL_TICK_COST        19   /* clock units that all sampling interrupts took; all ones: unknown */
#define BAREPROF_TOTALS                 20   /* 19 in older sums, without the cost of ticks */
#define BAREPROF_TOTAL_IS_GMON          0x1  /* from gmon.out, which records no losses */
#define BAREPROF_TOTAL_IS_CONTRADICTORY 0x2  /* in some block, samples and ticks did not add up */
#define BAREPROF_TOTAL_IS_SAMPLED       0x4  /* sampled by a debug probe, which sees no calls; no recorder wrote it */
#define BAREPROF_TOTAL_IS_FIXED         0x8  /* samples of some block came at fixed distances */
#define BAREPROF_TOTAL_IS_DITHERED      0x10 /* all samples were dithered; neither FIXED nor DITHERED: unknown */

/* An extent of code: its first address, its length and its samples. */
#define BAREPROF_STRETCH_BYTES(address_size)   (address_size)
#define BAREPROF_STRETCH_COUNT(address_size)   (2 * (address_size))      /* u64 */
#define BAREPROF_STRETCH_CONTEXT(address_size) (2 * (address_size) + 8)  /* u32, all ones = none */
#define BAREPROF_STRETCH_FLAGS(address_size)   (2 * (address_size) + 12) /* u32 */
#define BAREPROF_STRETCH_SIZE(address_size)    (2 * (address_size) + 16)
#define BAREPROF_STRETCH_IS_COARSE             0x1 /* which part of its code ran is unknown */

/* The PC of a sample in Secure code, taken by a Non-secure handler on Armv8-M. No code runs at this address, which is
 * in the system region of the memory map (Armv8-M ARM B6.1). */
#define BAREPROF_PC_SECURE 0xFEFFFFFEu
/*
 * The value of DWT_PCSR while the core sleeps, is halted, or runs code that a debugger may not see (Armv7-M ARM C1.8,
 * Armv6-M ARM C1.7.2).
 */
#define BAREPROF_PC_UNAVAILABLE 0xFFFFFFFFu

/* The ranges follow the directory and belong to the header. */
#define BAREPROF_RANGE_CAPACITY            4
#define BAREPROF_OFFSET_RANGES             (BAREPROF_OFFSET_DIRECTORY + BAREPROF_DIRECTORY_CAPACITY * BAREPROF_ENTRY_SIZE)
#define BAREPROF_HEADER_SIZE(address_size) (BAREPROF_OFFSET_RANGES + BAREPROF_RANGE_CAPACITY * 2 * (address_size) + 16)

/* u32, from minor 2 on, after the ranges and three words that are private to the recorder: the clock units that one
 * sampling interrupt takes, from the moment its timer fires to its return; 0: unknown. */
#define BAREPROF_OFFSET_TICK_COST(directory_count, address_size)             \
	(BAREPROF_OFFSET_DIRECTORY + (directory_count)*BAREPROF_ENTRY_SIZE + \
	 BAREPROF_RANGE_CAPACITY * 2 * (address_size) + 12)
#define BAREPROF_DITHERED_PERIOD_MIN 512

/*
 * With contexts the header has one more directory entry, which moves the ranges by 16 bytes, and 8 more bytes at its
 * end. Readers find the ranges through the directory.
 */
#define BAREPROF_CONTEXT_HEADER_SIZE 24
/* With slices or a tree the header has two more directory entries, and the totals of stacks before the words that
 * contexts add at its end. */
#define BAREPROF_STACK_HEADER_SIZE (32 + 4 * BAREPROF_STACK_TOTALS)
#define BAREPROF_OFFSET_STACK_TOTALS(directory_count, address_size) \
	(BAREPROF_OFFSET_TICK_COST(directory_count, address_size) + 4)

/* An item of the section of contexts: the name, NUL padded, then the number of switches to the context. */
#define BAREPROF_CONTEXT_NAME_CAPACITY 16
#define BAREPROF_CONTEXT_SWITCHES      16 /* u32, where the item has room for it */
/* Parameter bits of a section of contexts. */
#define BAREPROF_CONTEXT_WIDE_COUNT 0x01 /* the count is u64, all ones = unknown (merged captures) */
/*
 * The last item is for tasks that find no context: calls and samples under its number and all larger ones are filed
 * there. In place of a name it begins with a u32: bit (number - index of the item) % 32 is set for each such number.
 */
#define BAREPROF_CONTEXT_OTHERS 0x02

/*
 * The gate is the state of the profile minus the low 32 bits of the block's address. So only one in 2^32 words that RAM
 * may hold at power-up opens it. No valid gate is 0, because the block is aligned to 8 bytes and is not at address 0.
 * States are made of bits; 0 is running.
 */
#define BAREPROF_GATE(address, state) ((uint32_t)((uint32_t)(state) - (uint32_t)(address)))

#define BAREPROF_STATE_RUNNING            0
#define BAREPROF_STATE_ARMED              1 /* starts at the next call of the trigger's function */
#define BAREPROF_STATE_STOPPED            2
#define BAREPROF_STATE_CLEARING           4 /* a reset is under way; the other bits say what follows it */
#define BAREPROF_STATE_CLEARING_TO_RUN    4
#define BAREPROF_STATE_CLEARING_TO_ARM    5
#define BAREPROF_STATE_CLEARING_TO_STOP   6
#define BAREPROF_STATE_IS_CLEARING(state) ((state) >= BAREPROF_STATE_CLEARING && (state) <= BAREPROF_STATE_MAX)
#define BAREPROF_STATE_MAX                6 /* more: the block was never prepared */

#define BAREPROF_IDENTITY_BUILD_ID 1 /* the GNU build-id note of the linker; none if its size is 0 */
/* A hash of code in flash: four u32, the low half of the address of its first byte, the number of bytes, and a and b,
 * which begin at 0 and change with each word w: a = 31 * a + w; b = (b ^ w), rotated right by 7 bits. */
#define BAREPROF_IDENTITY_CODE_HASH 2

/* A request is (sequence << 8 | command); the sequence differs from the last one acknowledged. */
#define BAREPROF_COMMAND_START              1
#define BAREPROF_COMMAND_STOP               2
#define BAREPROF_COMMAND_RESET              3
#define BAREPROF_COMMAND_PERIOD             4    /* argument: the new period in clock units; implies a reset */
#define BAREPROF_COMMAND_TRIGGER_START      5    /* argument: address of the first byte of the trigger's function */
#define BAREPROF_COMMAND_TRIGGER_END        6    /* argument: address after its last byte */
#define BAREPROF_COMMAND_ARM                7    /* argument: ticks after which the profile stops, 0: none */
#define BAREPROF_COMMAND_REFUSED            0x80 /* set in the acknowledge word if the command is unknown or impossible */
#define BAREPROF_REQUEST(sequence, command) ((uint32_t)(sequence) << 8 | (uint32_t)(command))

#endif
