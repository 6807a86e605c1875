/* SPDX-License-Identifier: MIT */
/* A calling context tree with exact counts of instructions. */
#ifndef TESTS_QEMU_CALL_TREE_H
#define TESTS_QEMU_CALL_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct code_function {
	uint64_t start, end;
	const char *name;
};

/* Code that was called along one path of return addresses. */
struct call_node;

/* Reads lines `START END NAME` (hexadecimal, sorted, not overlapping). False if there is none, or another line. */
bool call_tree_read_functions(const char *path);
/* The function that contains the address, or NULL. */
const struct code_function *call_tree_function_at(uint64_t address);

/* The node below a parent (NULL: the root) for a return address; it is made if there is none yet. */
struct call_node *call_tree_child(struct call_node *parent, uint64_t return_address);
/* The counter of the instructions that a function executed at the node (NULL: the root). */
uint64_t *call_tree_counter(struct call_node *node, const struct code_function *function);
void call_tree_clear(void);

/*
 * Writes `function START NAME SELF INCLUSIVE` and `arc CALLER_START CALLEE_START INCLUSIVE`. A function or arc that is
 * on a path several times is counted once.
 */
void call_tree_write(FILE *file);

#endif
