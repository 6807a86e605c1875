/* SPDX-License-Identifier: MIT */
/* The settings of the station: text in flash, which a technician can read and replace. */
#include "station.h"

#include <stddef.h>

static const char settings[] = "station=1207\n"
                               "period=10\n"
                               "gain.0=1021\n"
                               "gain.1=1024\n"
                               "gain.2=1019\n"
                               "gain.3=1030\n"
                               "gain.4=1024\n"
                               "gain.5=1022\n"
                               "gain.6=1027\n"
                               "gain.7=1024\n"
                               "offset.0=12\n"
                               "offset.1=3\n"
                               "offset.2=7\n"
                               "offset.3=0\n"
                               "offset.4=9\n"
                               "offset.5=4\n"
                               "offset.6=11\n"
                               "offset.7=5\n"
                               "radio.0=868\n";

/* The text after the name and "=" if the line has this name; otherwise NULL. */
static const char *after_name(const char *line, const char *name, unsigned index)
{
	while (*name != '\0' && *line == *name) {
		line++;
		name++;
	}
	if (*name != '\0')
		return NULL;
	if (*line == '=')
		return line + 1;
	return line[0] == '.' && line[1] == (char)('0' + index) ? line + 3 : NULL;
}

static int32_t number(const char *digits)
{
	int32_t value = 0;

	while (*digits >= '0' && *digits <= '9')
		value = value * 10 + *digits++ - '0';
	return value;
}

int32_t settings_get(const char *name, unsigned index)
{
	for (const char *line = settings; *line != '\0'; line++) {
		const char *value = after_name(line, name, index);

		if (value != NULL)
			return number(value);
		while (*line != '\n')
			line++;
	}
	return 0;
}
