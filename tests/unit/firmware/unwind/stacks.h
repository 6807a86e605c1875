/* SPDX-License-Identifier: MIT */
/* Stacks for tests of unwinding, written word by word, and checks of their paths. */
#ifndef UNIT_FIRMWARE_UNWIND_STACKS_H
#define UNIT_FIRMWARE_UNWIND_STACKS_H

#include "firmware/unwind/unwind.h"

#define STACKS_WORDS_MAX 64
#define STACKS_SP        0x20001000u

/* An ELF made of a source in tests/unit/firmware/unwind/firmware/, and its unwinder. */
struct stacks {
	struct image *image;
	struct unwinder *unwinder;
};

void stacks_open_riscv(struct stacks *stacks, unsigned bits);
/* The same with the entry point of the ELF at another symbol than `reset`. */
void stacks_open_riscv_at(struct stacks *stacks, unsigned bits, const char *entry);
void stacks_open_thumb_at(struct stacks *stacks, const char *entry);
void stacks_close(struct stacks *stacks);

/* The ELF of thumb.S in a THUMB_TEST. */
extern struct stacks thumb;
int stacks_set_up_thumb(void **state);
int stacks_tear_down_thumb(void **state);
#define THUMB_TEST(name) TEST_WITH(name, stacks_set_up_thumb, stacks_tear_down_thumb)

/* The address of a symbol, which must exist. */
uint64_t stacks_at(const struct stacks *stacks, const char *name);
/* The same as a return address, with the Thumb bit. */
uint64_t stacks_return(const struct stacks *stacks, const char *name);

/* A stack that begins at STACKS_SP + 4 * skipped; registers are 0 unless set in *stack. */
struct stacks_case {
	struct unwind_stack stack;
	uint64_t words[STACKS_WORDS_MAX];
	size_t word_count;
};

/* A RISC-V case at a place that a handler of a trap called through `outer`: the frames of both have 16 bytes. */
struct stacks_case stacks_in_trap(const struct stacks *stacks, const char *place);

/* Unwinds the case; the test fails unless the path ends so, after returns to these symbols, the last one NULL. */
void stacks_expect(const struct stacks *stacks, const struct stacks_case *item, enum unwind_end end,
                   const char *const *returns);
/* The same; sets the needed bytes. */
uint64_t stacks_needed(const struct stacks *stacks, const struct stacks_case *item, enum unwind_end end);

#define RETURNS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_RETURNS   ((const char *const[]){NULL})

#endif
