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
	PAIRED_BY_MOVED_NAME, /* a local function, and the only one of its name: in another file, or not local */
	PAIRED_BY_CLONE, /* the name without what compilers add: .constprop.N, .isra.N, .part.N, .cold, .lto_priv.N,
	                    .llvm.HASH; clones of one function are one */
	PAIRED_BY_PLACE, /* file and line of definition */
	PAIRED_BY_CODE,  /* the same instructions except for addresses, unlike any other function */
	PAIRED_NOT,      /* the other build does not have it */
};

/* A function in both builds, or in only one. */
struct pairing_pair {
	const char *names[BUILD_COUNT]; /* without what compilers add; owned by the images or the pairing; NULL: not in
	                                   this build, unless inlined */
	const char *files[BUILD_COUNT]; /* for local functions whose file is known; otherwise NULL */
	size_t functions[BUILD_COUNT];  /* how many of the image's functions it stands for: its clones */
	bool is_inlined[BUILD_COUNT];   /* its code is only inside other functions (image_split_inlined()) */
	bool has_inlined[BUILD_COUNT];  /* some or all of its code is inside other functions */
	enum pairing_how how;
};

struct pairing {
	/* By index of the image's functions: the first of the functions that are treated as one with it. An inlined
	 * function is a separate one for each function that it was inlined into. */
	size_t *owners[BUILD_COUNT];
	/* By index of the image's functions: its pair. */
	size_t *pair_of[BUILD_COUNT];
	struct pairing_pair *pairs;
	size_t count;
	char **kept; /* names that are not in an image */
	size_t kept_count;
};

/*
 * Pairs the functions of two images of the same ISA. Functions that the builds inlined differently are split off in
 * both, so that no other function contains their code, even where both builds inlined it. Functions that both builds
 * inlined into the same functions stay parts of them. The recorder's own code is treated like other code. The images
 * must outlive the pairing, which pairing_free() frees, also after a failure.
 */
enum status pairing_find(struct image *old, struct image *new, struct pairing *pairing, struct error *error);
void pairing_free(struct pairing *pairing);

/* The names of the functions that contain the inlined code of a pair in a build, each once, by address; at most
 * capacity are stored. Returns how many there are. */
size_t pairing_inlined_into(const struct pairing *pairing, const struct image *image, size_t pair, enum build build,
                            const char **names, size_t capacity);

/* "by code", "by file and line", ...; NULL for PAIRED_BY_NAME and PAIRED_NOT. */
const char *pairing_how_text(enum pairing_how how);

#endif
