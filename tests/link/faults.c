/* SPDX-License-Identifier: MIT */
/* See faults.h. */
#include "faults.h"

#include "../random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fault_names[FAULT_KINDS] = {"drop", "duplicate", "flip", "insert", "text", "stall"};

static bool parse_one(struct faults *faults, const char *word, size_t length)
{
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
		const size_t name = strlen(fault_names[kind]);

		if (length < name + 2 || strncmp(word, fault_names[kind], name) != 0 || word[name] != ':')
			continue;
		faults->one_in[kind] = (uint32_t)strtoul(word + name + 1, NULL, 10);
		return faults->one_in[kind] != 0;
	}
	return false;
}

bool faults_parse(struct faults *faults, const char *text)
{
	while (*text != '\0') {
		const size_t length = strcspn(text, ",");

		if (!parse_one(faults, text, length))
			return false;
		text += length + (text[length] == ',');
	}
	return true;
}

static bool happens(struct faults *faults, enum fault kind)
{
	if (faults->one_in[kind] == 0 || random_next(&faults->random) % faults->one_in[kind] != 0)
		return false;
	faults->count[kind]++;
	return true;
}

static uint8_t random_byte(struct faults *faults)
{
	return (uint8_t)(random_next(&faults->random) >> 24);
}

size_t faults_apply(struct faults *faults, uint8_t byte, uint8_t bytes[FAULT_BYTES_MAX], bool *stalls)
{
	size_t size = 0;

	*stalls = happens(faults, FAULT_STALL);
	if (happens(faults, FAULT_TEXT))
		size = (size_t)snprintf((char *)bytes, FAULT_BYTES_MAX / 2, "[%08llu] sensor ok\r\n",
		                        (unsigned long long)faults->count[FAULT_TEXT] % 100000000);
	if (happens(faults, FAULT_INSERT))
		bytes[size++] = random_byte(faults);
	if (happens(faults, FAULT_DROP))
		return size;
	if (happens(faults, FAULT_FLIP))
		byte ^= (uint8_t)(1u << random_byte(faults) % 8);
	bytes[size++] = byte;
	if (happens(faults, FAULT_DUPLICATE))
		bytes[size++] = byte;
	return size;
}
