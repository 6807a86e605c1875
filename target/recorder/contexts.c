/* SPDX-License-Identifier: MIT */
/* Contexts: the current one, the switches to each, and their names. */
#include "counter.h"
#include "recorder.h"

#if BAREPROF_CONTEXTS != 0

_Static_assert(offsetof(struct header, context) == HEADER_SIZE - 8, "the hooks in target/isa/ read it elsewhere");

BAREPROF_INLINE uint32_t context_filed_under(uint32_t number)
{
	const uint32_t capacity = context_capacity();

	return number < capacity ? number : capacity;
}

BAREPROF_CODE(bareprof_context_restore) uint32_t bareprof_context_restore(uint32_t context)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return 0;
	const uint32_t before = header->context;
	header->context = context_filed_under(context);
	return before;
}

BAREPROF_CODE(bareprof_context_switch) uint32_t bareprof_context_switch(uint32_t context)
{
	volatile struct header *header = block_header();
	const uint32_t before = bareprof_context_restore(context);
	const uint32_t entered = context_filed_under(context);
	volatile struct context *item = &block_contexts(header)[entered];

	if (block_state(header) != BAREPROF_STATE_RUNNING)
		return before;
	if (context >= context_capacity())
		item->refused |= 1u << (context - entered) % 32u;
	if (entered != before && !bareprof_counter_increment(&item->switches))
		bareprof_counter_increment(&header->saturated);
	return before;
}

BAREPROF_CODE(bareprof_context_name) void bareprof_context_name(uint32_t context, const char *name)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header) || context >= context_capacity())
		return;
	volatile char *text = block_contexts(header)[context].name;
	for (uint32_t i = 0; i < BAREPROF_CONTEXT_NAME_CAPACITY - 1; i++) {
		text[i] = *name;
		if (*name != '\0')
			name++;
	}
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_contexts_are_off;

#endif
