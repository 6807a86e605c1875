/* SPDX-License-Identifier: MIT */
/* A shadow call stack of a task or of a handler, which follows from the instructions that are executed. */
#ifndef TESTS_QEMU_CALL_STACK_H
#define TESTS_QEMU_CALL_STACK_H

#include "branches.h"
#include "call_tree.h"

struct instruction {
	struct instruction *next;
	uint64_t address, end;
	struct branch branch;
	bool is_handler;
	bool is_conditional; /* in an IT block of Arm */
	const struct code_function *function;
};

struct frame {
	uint64_t return_address;
	uint64_t serial; /* of this call */
	struct call_node *node;
	bool is_part; /* called from the function itself, elsewhere than at its start */
};

/* A call of setjmp(), where longjmp() continues. */
struct jump_buffer {
	uint64_t return_address;
	uint64_t serial; /* of the frame that called it */
	size_t depth;
};

struct call_stack {
	struct frame *frames;
	size_t depth, capacity;
	const struct instruction *last; /* NULL: none was executed yet */
	const char *end;                /* of its paths: root, task or exception */
	/* Ticks that came after the last instruction. Their path is known when the code goes on. */
	uint64_t *ticks;
	size_t tick_count, tick_capacity;
	struct jump_buffer *buffers;
	size_t buffer_count, buffer_capacity;
	uint64_t *counter; /* of the instructions of the function below here; NULL: not looked up yet */
	const struct code_function *counted;
};

struct call_statistics {
	uint64_t calls, longjmps;
};

/* Empties a stack. end is not copied. */
void call_stack_reset(struct call_stack *stack, const char *end);

/* Whether a task continues elsewhere than where it was left: it was deleted, and another one has its stack. */
bool call_stack_begins_again(const struct call_stack *stack, const struct instruction *at);
/* Empties the stack, except for ticks that came since the last instruction. */
void call_stack_forget(struct call_stack *stack);

/*
 * Follows from the last instruction of the stack to the next one, without an exception between them. false: this step
 * is impossible. setjmp is the entry of that function. The first function of a task may be entered by a return.
 */
bool call_stack_follow(struct call_stack *stack, const struct instruction *at, uint64_t setjmp, bool is_task,
                       struct call_statistics *statistics);

/* Whether a call or a return was not taken, because its condition did not hold. */
bool call_stack_falls_through(const struct instruction *last, const struct instruction *at);

/* Notes a tick that came after the last instruction. */
void call_stack_note_tick(struct call_stack *stack, uint64_t number);

/* Counts an instruction in the call tree. */
void call_stack_count(struct call_stack *stack, const struct instruction *at);

#endif
