/* SPDX-License-Identifier: MIT */
/* Arbitrary names, demangled in each style: results have a limited length. */
#include "fuzz.h"

#include "base/text/demangle.h"

#include <stdint.h>
#include <string.h>

static void demangle(const char *name, const char *style_name)
{
	struct demangle_style style;

	require(demangle_find_style(style_name, &style));
	uint64_t steps = DEMANGLE_STEPS_MAX;
	char *demangled = demangle_name(name, style, &steps);
	require(demangled == NULL || strlen(demangled) <= DEMANGLE_NAME_MAX);
	free(demangled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = strndup((const char *)data, size);

	if (name == NULL)
		return 0;
	demangle(name, "auto");
	demangle(name, "dlang");
	demangle(name, "gnat");
	free(name);
	return 0;
}
