/* SPDX-License-Identifier: MIT */
/* See demangle.h. */
#include "text/demangle.h"

#include "text/demangle_cost.h"

#include <libiberty/demangle.h>

#include <stdlib.h>
#include <string.h>

/* As GNU's tools print names. */
#define OPTIONS (DMGL_PARAMS | DMGL_ANSI)

bool demangle_find_style(const char *name, struct demangle_style *style)
{
	enum demangling_styles found = cplus_demangle_name_to_style(name);
	if (found == unknown_demangling)
		return false;
	style->options = found == no_demangling ? 0 : (int)found;
	return true;
}

/* Rust first: its older names are C++ names, too. */
static char *demangle_auto(const char *name)
{
	char *demangled = demangle_is_cheap_rust(name) ? rust_demangle(name, OPTIONS) : NULL;
	if (demangled != NULL || !demangle_is_cheap_cplus(name, OPTIONS))
		return demangled;
	return cplus_demangle_v3(name, OPTIONS);
}

static bool is_cheap(const char *name, int options)
{
	if ((options & (DMGL_GNU_V3 | DMGL_JAVA)) != 0)
		return demangle_is_cheap_cplus(name, OPTIONS | options);
	if ((options & DMGL_RUST) != 0)
		return demangle_is_cheap_rust(name);
	return (options & DMGL_DLANG) == 0 || demangle_is_cheap_dlang(name);
}

static char *demangle(const char *name, int options)
{
	if ((options & DMGL_AUTO) != 0)
		return demangle_auto(name);
	return is_cheap(name, options) ? cplus_demangle(name, OPTIONS | options) : NULL;
}

char *demangle_name(const char *name, struct demangle_style style)
{
	if (style.options == 0 || strnlen(name, DEMANGLE_MANGLED_MAX + 1) > DEMANGLE_MANGLED_MAX)
		return NULL;
	char *demangled = demangle(name, style.options);
	if (demangled == NULL || strnlen(demangled, DEMANGLE_NAME_MAX + 1) <= DEMANGLE_NAME_MAX)
		return demangled;
	free(demangled);
	return NULL;
}

bool demangle_is_called(const char *name, const char *wanted)
{
	struct demangle_style style;
	if (strcmp(name, wanted) == 0)
		return true;
	char *demangled = demangle_find_style("auto", &style) ? demangle_name(name, style) : NULL;
	size_t length = strlen(wanted);
	bool is_called = demangled != NULL && strncmp(demangled, wanted, length) == 0 &&
	                 (demangled[length] == '\0' || demangled[length] == '(');
	free(demangled);
	return is_called;
}
