/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "names.h"

#include <stdio.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *const words[] = {"main", "poll",   "task",  "isr",  "read",   "write", "crc",  "fft",
                                    "f",    "filter", "motor", "uart", "memcpy", "idle",  "send", "Reset_Handler"};

/* Names that GNU gprof always ignores. */
static const char *const hooks[] = {"mcount",     "_mcount",      "__mcount", "__mcount_internal",
                                    "__mcleanup", "_gprof_mcount"};

static const char *const mangled[] = {
        "_Z3foov",
        "_Z3addii",
        "_ZN5Motor4stepEv",
        "_ZN5Motor4stepEi",
        "_ZNK3net6Packet4sizeEv",
        "_ZSt4sortIPiEvT_S1_",
        "_ZN4core3fmt5write17h0123456789abcdefE",
        "_RNvC7mycrate3foo",
        "_RNvNtCs1234_7mycrate3foo3bar",
        "_ZTV5Motor",
        "_Z",
        "_ZN",
        "_GLOBAL__sub_I_main",
};

static const char *pick(struct random *random, const char *const *table, size_t count)
{
	return table[random_below(random, count)];
}

static void name_plain(struct random *random, char *name, size_t size)
{
	static const char *const fronts[] = {"", "", "", "", "_", "__", "___"};
	const char *front = pick(random, fronts, COUNT(fronts));
	const char *word = pick(random, words, COUNT(words));

	if (random_chance(random, 15))
		snprintf(name, size, "%s%s", front, word);
	else
		snprintf(name, size, "%s%s_%u", front, word, (unsigned)random_magnitude(random, 9999));
}

void name_function(struct random *random, char *name, size_t size)
{
	if (random_chance(random, 3))
		snprintf(name, size, "%s", pick(random, hooks, COUNT(hooks)));
	else if (random_chance(random, 8))
		snprintf(name, size, "%s", pick(random, mangled, COUNT(mangled)));
	else
		name_plain(random, name, size);
}

void name_local(struct random *random, char *name, size_t size)
{
	static const char *const clones[] = {".constprop.0", ".constprop.12", ".clone.3", ".0", ".1234"};
	char plain[40];

	if (random_chance(random, 75)) {
		name_function(random, name, size);
		return;
	}
	name_plain(random, plain, sizeof plain);
	snprintf(name, size, "%s%s", plain, pick(random, clones, COUNT(clones)));
}

void name_ignored(struct random *random, char *name, size_t size)
{
	static const char *const ignored[] = {
	        "$t", "$d", "$a", "$x", "$t.1", "$d.27", "$xrv32i2p1_m2p0", ".L3", ".Lpcrel_hi0", ".LANCHOR0"};

	snprintf(name, size, "%s", pick(random, ignored, COUNT(ignored)));
}
