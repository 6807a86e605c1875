/* SPDX-License-Identifier: MIT */
/* See demangle.h. */
#include "base/text/demangle.h"

#include "base/text/demangle_cost.h"

#include <libiberty/demangle.h>

#include <stdlib.h>
#include <string.h>

/* The options with which GNU's tools print names, with and without parameters. */
#define OPTIONS       (DMGL_PARAMS | DMGL_ANSI)
#define PLAIN_OPTIONS DMGL_ANSI

bool demangle_find_style(const char *name, struct demangle_style *style)
{
	enum demangling_styles found = cplus_demangle_name_to_style(name);

	if (found == unknown_demangling)
		return false;
	style->options = found == no_demangling ? 0 : (int)found;
	return true;
}

/* Rust comes first, because legacy Rust names are also valid C++ names. */
static char *demangle_auto(const char *name, int printing, uint64_t *steps_left)
{
	char *demangled = demangle_is_cheap_rust(name, steps_left) ? rust_demangle(name, printing) : NULL;

	if (demangled != NULL || !demangle_is_cheap_cplus(name, printing, steps_left))
		return demangled;
	return cplus_demangle_v3(name, printing);
}

static bool is_within_steps(const char *name, int options, uint64_t *steps_left)
{
	if ((options & (DMGL_GNU_V3 | DMGL_JAVA)) != 0)
		return demangle_is_cheap_cplus(name, options, steps_left);
	if ((options & DMGL_RUST) != 0)
		return demangle_is_cheap_rust(name, steps_left);
	return (options & DMGL_DLANG) == 0 || demangle_is_cheap_dlang(name, steps_left);
}

static char *demangle_in_style(const char *name, int style, int printing, uint64_t *steps_left)
{
	if ((style & DMGL_AUTO) != 0)
		return demangle_auto(name, printing, steps_left);
	return is_within_steps(name, style | printing, steps_left) ? cplus_demangle(name, style | printing) : NULL;
}

static char *demangle_within_limits(const char *name, struct demangle_style style, int printing, uint64_t *steps_left)
{
	if (style.options == 0)
		return NULL;
	size_t length = strnlen(name, DEMANGLE_MANGLED_MAX + 1);
	if (length > DEMANGLE_MANGLED_MAX || !demangle_spend(steps_left, length))
		return NULL;
	char *demangled = demangle_in_style(name, style.options, printing, steps_left);
	size_t demangled_length = demangled == NULL ? 0 : strnlen(demangled, DEMANGLE_NAME_MAX + 1);
	demangle_spend(steps_left, demangled_length);
	if (demangled_length <= DEMANGLE_NAME_MAX)
		return demangled;
	free(demangled);
	return NULL;
}

char *demangle_name(const char *name, struct demangle_style style, uint64_t *steps_left)
{
	return demangle_within_limits(name, style, OPTIONS, steps_left);
}

char *demangle_plain_name(const char *name, struct demangle_style style, uint64_t *steps_left)
{
	return demangle_within_limits(name, style, PLAIN_OPTIONS, steps_left);
}
