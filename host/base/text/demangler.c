/* SPDX-License-Identifier: MIT */
/* The cache of demangled names, see demangle.h. */
#include "base/text/demangle.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS   65536u
#define CHAIN_MAX 16u /* hostile names can share one bucket: only its newest names are searched */

struct known_name {
	struct known_name *next;
	const char *name;
	char *demangled; /* NULL: not mangled */
};

struct demangler {
	struct demangle_style style;
	uint64_t steps_left;
	struct known_name *buckets[BUCKETS]; /* newest first */
};

struct demangler *demangler_create(struct demangle_style style)
{
	struct demangler *demangler = calloc(1, sizeof *demangler);

	if (demangler == NULL)
		return NULL;
	demangler->style = style;
	demangler->steps_left = DEMANGLE_STEPS_MAX;
	return demangler;
}

void demangler_free(struct demangler *demangler)
{
	for (size_t i = 0; demangler != NULL && i < BUCKETS; i++) {
		while (demangler->buckets[i] != NULL) {
			struct known_name *known = demangler->buckets[i];

			demangler->buckets[i] = known->next;
			free(known->demangled);
			free(known);
		}
	}
	free(demangler);
}

/* 32-bit FNV-1a (Fowler, Noll, Vo), folded to 16 bits. */
static struct known_name **bucket_of(struct demangler *demangler, const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return &demangler->buckets[(hash >> 16 ^ hash) % BUCKETS];
}

static const struct known_name *find_known(const struct known_name *known, const char *name)
{
	for (unsigned depth = 0; known != NULL && depth < CHAIN_MAX; depth++, known = known->next)
		if (strcmp(known->name, name) == 0)
			return known;
	return NULL;
}

const char *demangler_find(struct demangler *demangler, const char *name)
{
	if (demangler->style.options == 0)
		return NULL;
	struct known_name **bucket = bucket_of(demangler, name);
	const struct known_name *found = find_known(*bucket, name);
	if (found != NULL)
		return found->demangled;
	struct known_name *known = demangler->steps_left > 0 ? malloc(sizeof *known) : NULL;
	if (known == NULL)
		return NULL;
	*known = (struct known_name){
	        .next = *bucket,
	        .name = name,
	        .demangled = demangle_name(name, demangler->style, &demangler->steps_left),
	};
	*bucket = known;
	return known->demangled;
}

bool demangler_is_called(struct demangler *demangler, const char *name, const char *wanted)
{
	if (strcmp(name, wanted) == 0)
		return true;
	const char *demangled = demangler_find(demangler, name);
	size_t length = strlen(wanted);
	return demangled != NULL && strncmp(demangled, wanted, length) == 0 &&
	       (demangled[length] == '\0' || demangled[length] == '(');
}
