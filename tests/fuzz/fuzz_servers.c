/* SPDX-License-Identifier: MIT */
/* Arbitrary answers of debug servers that speak text, QEMU's QMP and OpenOCD's Tcl: parsed within bounds. */
#include "fuzz.h"

#ifdef HAVE_JANSSON
#include "acquire/backend/qmp_message.h"
#endif
#include "acquire/backend/tcl_answer.h"

#include <string.h>

static void parse_qmp(const char *text, size_t size)
{
#ifdef HAVE_JANSSON
	struct qmp_message message;

	qmp_message_parse(text, size, &message);
	require(strpbrk(message.reason, "\r\n") == NULL && (message.kind == QMP_ERROR || !message.reason[0]));
#else
	(void)text;
	(void)size;
#endif
}

static void parse_tcl(const char *text)
{
	uint32_t words[4];
	bool ok;
	const char *result = tcl_answer_result(text, &ok);

	if (result == NULL)
		return;
	require(result > text && result <= text + strlen(text));
	for (size_t count = 0; count <= 4; count++)
		require(!tcl_answer_words(result, words, count) || count == 0 || strpbrk(result, "0123456789") != NULL);
	require(!tcl_answer_has(result, "") && (!tcl_answer_has(result, "cpu") || strstr(result, "cpu") != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size > 0)
		memcpy(text, data, size);
	text[size] = 0;
	parse_qmp(text, size);
	parse_tcl(text);
	free(text);
	return 0;
}
