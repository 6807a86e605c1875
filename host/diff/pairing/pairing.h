/* SPDX-License-Identifier: MIT */
/* Pairs the functions of two builds: by name, by name without the suffixes of clones, by place of definition, or by
 * code; never by address. */
#ifndef DIFF_PAIRING_PAIRING_H
#define DIFF_PAIRING_PAIRING_H

#include "base/status.h"
#include "firmware/image.h"

#include <stddef.h>

/* "No such pair", "no such function". */
#define PAIRING_NONE SIZE_MAX

/* One of two builds; also the index of arrays with an item for each. */
enum build { BUILD_OLD, BUILD_NEW, BUILD_COUNT };

/* How a pair was found, the most certain way first. */
enum pairing_how {
	PAIRED_BY_NAME,       /* the linkage name; for local functions also the source file */
	PAIRED_BY_MOVED_NAME, /* a local function, alone of its name: now in another file, or no longer local */
	/* The name without suffixes of compilers: .constprop.N, .isra.N, .part.N, .cold, .lto_priv.N, .llvm.HASH. The
	 * clones of a function count as one function. */
	PAIRED_BY_CLONE,
	PAIRED_BY_PLACE, /* file and line of definition */
	PAIRED_BY_CODE,  /* the same instructions except for addresses, which no other function has */
	PAIRED_NOT,      /* the other build does not have it */
};

/* A function in both builds, or in only one. */
struct pairing_pair {
	/* Without suffixes of compilers; owned by the images or the pairing. NULL: not in this build, unless inlined.
	 */
	const char *names[BUILD_COUNT];
	const char *files[BUILD_COUNT]; /* for local functions whose file is known; otherwise NULL */
	size_t functions[BUILD_COUNT];  /* number of the image's functions in this pair, including clones */
	bool is_inlined[BUILD_COUNT];   /* all of its code is inside other functions (image_split_inlined()) */
	bool has_inlined[BUILD_COUNT];  /* some or all of its code is inside other functions */
	enum pairing_how how;
};

struct pairing {
	/* By index of the image's functions: the first of the functions that are treated as one function. Inlined code
	 * is a separate function in each function that contains it. */
	size_t *owners[BUILD_COUNT];
	/* By index of the image's functions: the function's pair. */
	size_t *pair_of[BUILD_COUNT];
	struct pairing_pair *pairs;
	size_t count;
	char **kept; /* names that are not in an image */
	size_t kept_count;
};

/*
 * Pairs the functions of two images of the same ISA. Functions that the builds inlined differently are split off in
 * both builds: no other function then contains their code, even where both builds inlined it. Functions that both
 * builds inlined into the same functions stay parts of those. The recorder's own code is treated like other code. The
 * images must outlive the pairing, which pairing_free() frees, also after a failure.
 */
enum status pairing_find(struct image *old, struct image *new, struct pairing *pairing, struct error *error);
void pairing_free(struct pairing *pairing);

/* Finds the names of the functions that contain the inlined code of a pair in a build, each once, by address. Stores at
 * most capacity names, and returns their total number. */
size_t pairing_inlined_into(const struct pairing *pairing, const struct image *image, size_t pair, enum build build,
                            const char **names, size_t capacity);

/* "by code", "by file and line", ...; NULL for PAIRED_BY_NAME and PAIRED_NOT. */
const char *pairing_how_text(enum pairing_how how);

#endif
