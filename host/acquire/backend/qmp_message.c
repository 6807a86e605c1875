/* SPDX-License-Identifier: MIT */
/* See qmp_message.h. */
#include "acquire/backend/qmp_message.h"

#include <jansson.h>
#include <stdio.h>

static enum qmp_kind qmp_kind_of(const json_t *object)
{
	static const struct {
		const char *key;
		enum qmp_kind kind;
	} kinds[] = {{"QMP", QMP_GREETING}, {"event", QMP_EVENT}, {"error", QMP_ERROR}, {"return", QMP_RETURN}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (json_object_get(object, kinds[i].key) != NULL)
			return kinds[i].kind;
	return QMP_OTHER;
}

static void take_reason(const json_t *object, struct qmp_message *message)
{
	const char *reason = json_string_value(json_object_get(json_object_get(object, "error"), "desc"));

	snprintf(message->reason, sizeof message->reason, "%s", reason != NULL ? reason : "no reason given");
	for (char *at = message->reason; *at; at++)
		if (*at == '\n' || *at == '\r')
			*at = ' ';
}

void qmp_message_parse(const char *text, size_t size, struct qmp_message *message)
{
	json_t *object = json_loadb(text, size, 0, NULL);

	*message = (struct qmp_message){.kind = qmp_kind_of(object)};
	if (message->kind == QMP_ERROR)
		take_reason(object, message);
	if (message->kind == QMP_RETURN)
		message->is_running = json_is_true(json_object_get(json_object_get(object, "return"), "running"));
	json_decref(object);
}

char *qmp_command_save(uint64_t address, size_t size, const char *path)
{
	json_t *command = json_pack("{s:s, s:{s:I, s:I, s:s}}", "execute", "memsave", "arguments", "val",
	                            (json_int_t)address, "size", (json_int_t)size, "filename", path);
	char *text = json_dumps(command, JSON_COMPACT);

	json_decref(command);
	return text;
}
