/* SPDX-License-Identifier: MIT */
/* Contexts found by name, so that tasks need no numbers of their own. */
#include "recorder.h"

#if BAREPROF_CONTEXTS != 0

#define NAME_LENGTH (BAREPROF_CONTEXT_NAME_CAPACITY - 1)

BAREPROF_INLINE bool is_named(const volatile struct context *context, const char *name)
{
	for (uint32_t i = 0; i < NAME_LENGTH; i++) {
		if (context->name[i] != name[i])
			return false;
		if (name[i] == '\0')
			return true;
	}
	return true;
}

/* A number beyond all contexts. Most names get different numbers, so bareprof_context_switch() can count the tasks. */
BAREPROF_INLINE uint32_t refused_number(const char *name)
{
	uint32_t hash = 0;

	for (uint32_t i = 0; i < NAME_LENGTH && name[i] != '\0'; i++)
		hash = 5u * hash + (uint8_t)name[i];
	return context_capacity() + hash % 32u;
}

BAREPROF_CODE(bareprof_context_named) uint32_t bareprof_context_named(const char *name)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header) || *name == '\0')
		return 0;
	const volatile struct context *contexts = block_contexts(header);
	const uint32_t capacity = context_capacity();
	for (uint32_t context = 1; context < capacity; context++) {
		if (contexts[context].name[0] == '\0')
			bareprof_context_name(context, name);
		if (is_named(&contexts[context], name))
			return context;
	}
	return refused_number(name);
}

BAREPROF_CODE(bareprof_context_enter) uint32_t bareprof_context_enter(uint32_t context, const char *name)
{
	/* Each core numbers its contexts itself. */
	if (context == 0 || BAREPROF_CORES > 1)
		context = bareprof_context_named(name);
	bareprof_context_switch(context);
	return context;
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_context_names_are_off;

#endif
