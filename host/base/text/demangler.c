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
	char *plain;     /* the name of a template, without parameters; set on first use */
	bool has_plain;
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
			free(known->plain);
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

static struct known_name *find_in_bucket(struct known_name *known, const char *name)
{
	for (unsigned depth = 0; known != NULL && depth < CHAIN_MAX; depth++, known = known->next)
		if (strcmp(known->name, name) == 0)
			return known;
	return NULL;
}

/* NULL: not mangled, or not demangled within the limits. */
static struct known_name *find_or_demangle(struct demangler *demangler, const char *name)
{
	if (demangler->style.options == 0)
		return NULL;
	struct known_name **bucket = bucket_of(demangler, name);
	struct known_name *known = find_in_bucket(*bucket, name);
	if (known != NULL || demangler->steps_left == 0 || (known = malloc(sizeof *known)) == NULL)
		return known;
	*known = (struct known_name){
	        .next = *bucket,
	        .name = name,
	        .demangled = demangle_name(name, demangler->style, &demangler->steps_left),
	};
	*bucket = known;
	return known;
}

const char *demangler_find(struct demangler *demangler, const char *name)
{
	const struct known_name *known = find_or_demangle(demangler, name);

	return known == NULL ? NULL : known->demangled;
}

const char *demangler_name(struct demangler *demangler, const char *name)
{
	const char *demangled = demangler_find(demangler, name);

	return demangled == NULL ? name : demangled;
}

const char *demangler_find_template(struct demangler *demangler, const char *name)
{
	struct known_name *known = find_or_demangle(demangler, name);

	if (known == NULL || known->demangled == NULL || strchr(known->demangled, '<') == NULL)
		return NULL;
	if (!known->has_plain)
		known->plain = demangle_plain_name(name, demangler->style, &demangler->steps_left);
	known->has_plain = true;
	return known->plain;
}

static bool is_end_of_name(const char *text)
{
	return *text == '\0' || *text == '(';
}

static bool is_without_parameters(const char *demangled, const char *wanted)
{
	size_t length = strlen(wanted);

	return strncmp(demangled, wanted, length) == 0 && is_end_of_name(demangled + length);
}

/* The length of the bracket that opens template arguments at text, with a blank before it after operators; 0: none. */
static size_t opening_length(const char *text)
{
	static const char *const openings[] = {"<", " <", "::<"};

	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
		if (strncmp(text, openings[i], strlen(openings[i])) == 0)
			return strlen(openings[i]);
	return 0;
}

/* The length of the arguments, including the bracket; 0: they have no end, so the bracket is part of an operator. */
static size_t arguments_length(const char *text, size_t opening)
{
	size_t angles = 1, brackets = 0;

	for (size_t i = opening; text[i] != '\0'; i++) {
		brackets += text[i] == '(';
		brackets -= text[i] == ')' && brackets > 0;
		angles += text[i] == '<' && brackets == 0;
		angles -= text[i] == '>' && text[i - 1] != '-' && brackets == 0;
		if (angles == 0)
			return i + 1;
	}
	return 0;
}

/* Compares the names, skipping template arguments that wanted leaves out. */
static bool is_template(const char *plain, const char *wanted)
{
	for (;; plain++, wanted++) {
		size_t opening = opening_length(plain);

		if (opening > 0 && strncmp(plain, wanted, opening) != 0)
			plain += arguments_length(plain, opening);
		if (*wanted == '\0')
			return is_end_of_name(plain);
		if (*plain != *wanted)
			return false;
	}
}

bool demangler_matches(struct demangler *demangler, const char *name, const char *wanted)
{
	if (strcmp(name, wanted) == 0)
		return true;
	const char *demangled = demangler_find(demangler, name);
	if (demangled == NULL)
		return false;
	const char *plain = demangler_find_template(demangler, name);
	return is_without_parameters(demangled, wanted) || (plain != NULL && is_template(plain, wanted));
}
