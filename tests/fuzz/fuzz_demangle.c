/* SPDX-License-Identifier: MIT */
/* Any bytes as a name: demangled in each style, within bounds. */
#include "base/text/demangle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demangle(const char *name, const char *style_name)
{
	struct demangle_style style;
	if (!demangle_find_style(style_name, &style))
		abort();
	uint64_t steps = DEMANGLE_STEPS_MAX;
	char *demangled = demangle_name(name, style, &steps);
	if (demangled != NULL && strlen(demangled) > DEMANGLE_NAME_MAX)
		abort();
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
