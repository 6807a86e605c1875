/* SPDX-License-Identifier: MIT */
/* Contexts: which one is being recorded under, and their names. Knows nothing of tables and of tasks. */
#include "recorder.h"

#if BAREPROF_CONTEXTS != 0

_Static_assert(offsetof(struct header, context) == HEADER_SIZE - 8, "the hooks in target/isa/ read it elsewhere");

#define CAPACITY bareprof_layout.sections[BAREPROF_DIRECTORY_CONTEXTS].capacity

uint32_t bareprof_context_switch(uint32_t context)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return 0;
	const uint32_t before = header->context;
	header->context = context < CAPACITY ? context : 0;
	return before;
}

void bareprof_context_name(uint32_t context, const char *name)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header) || context >= CAPACITY)
		return;
	volatile char *text = ((volatile struct context_name *)(header + 1))[context].text;
	for (uint32_t i = 0; i < BAREPROF_CONTEXT_NAME_CAPACITY - 1; i++) {
		text[i] = *name;
		if (*name != '\0')
			name++;
	}
}

#else

/* ISO C wants something in every file. */
typedef int bareprof_contexts_are_off;

#endif
