/* SPDX-License-Identifier: MIT */
/* Stacks for tests of unwinding, written word by word, and checks of their paths. */
#ifndef UNIT_FIRMWARE_UNWIND_STACKS_H
#define UNIT_FIRMWARE_UNWIND_STACKS_H

#include "firmware/unwind/unwind.h"

#define STACKS_WORDS_MAX 64
#define STACKS_SP        0x20001000u

/* The ELF that was made last of a source in tests/unit/firmware/unwind/firmware/, and its unwinder. */
extern struct stacks {
	struct image *image;
	struct unwinder *unwinder;
} stacks;

void stacks_open_riscv(unsigned bits);
/* The same with the entry point of the ELF at another symbol than `reset`. */
void stacks_open_riscv_at(unsigned bits, const char *entry);
void stacks_open_thumb_at(const char *entry);

/* A test with the ELF of thumb.S. */
int stacks_set_up_thumb(void **state);
#define THUMB_TEST(name) TEST_WITH(name, stacks_set_up_thumb, NULL)

/* The address of a symbol, which must exist. */
uint64_t stacks_at(const char *name);
/* The same as a return address, with the Thumb bit. */
uint64_t stacks_return(const char *name);

/* A stack that begins at STACKS_SP + 4 * skipped; registers are 0 unless set in *stack. */
struct stacks_case {
	struct unwind_stack stack;
	uint64_t words[STACKS_WORDS_MAX];
	size_t word_count;
};

/* A case at a place whose link register leads to another, with these words on the stack. */
#define STACKS_CASE(place, link, ...)                             \
	stacks_case(place, link, (const uint64_t[]){__VA_ARGS__}, \
	            sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
struct stacks_case stacks_case(const char *place, const char *link, const uint64_t *words, size_t count);

/* A RISC-V case at a place that a handler of a trap called through `outer`: the frames of both have 16 bytes. */
struct stacks_case stacks_in_trap(const char *place);

/* Unwinds the case; the test fails unless the path ends so, after returns to these symbols, the last one NULL. */
void stacks_expect(const struct stacks_case *item, enum unwind_end end, const char *const *returns);
/* The same; sets the needed bytes. */
uint64_t stacks_needed(const struct stacks_case *item, enum unwind_end end);

#define RETURNS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_RETURNS   ((const char *const[]){NULL})

#endif
