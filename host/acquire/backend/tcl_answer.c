/* SPDX-License-Identifier: MIT */
/* See tcl_answer.h. */
#include "acquire/backend/tcl_answer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPACE " \t\r\n"

const char *tcl_answer_result(const char *text, bool *ok)
{
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || text[digits] != ' ')
		return NULL;
	*ok = digits == 1 && text[0] == '0';
	return text + digits + 1;
}

bool tcl_answer_words(const char *list, uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end;

		list += strspn(list, SPACE);
		errno = 0;
		unsigned long long number = strtoull(list, &end, 0);
		if (*list < '0' || *list > '9' || errno || number > UINT32_MAX || strchr(SPACE, *end) == NULL)
			return false;
		words[i] = (uint32_t)number;
		list = end;
	}
	return list[strspn(list, SPACE)] == 0;
}

bool tcl_answer_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (list += strspn(list, SPACE); *list; list += strspn(list, SPACE)) {
		size_t size = strcspn(list, SPACE);

		if (size == length && memcmp(list, name, length) == 0)
			return true;
		list += size;
	}
	return false;
}
