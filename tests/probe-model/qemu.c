/* SPDX-License-Identifier: MIT */
/* See qemu.h. */
#include "qemu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct qemu {
	FILE *stream;
};

/* Skips lines, which are events, up to one that contains the text or reports an error. */
static bool wait_for(struct qemu *qemu, const char *text)
{
	char line[1024];

	while (fgets(line, sizeof line, qemu->stream) != NULL)
		if (strstr(line, text) != NULL || strstr(line, "\"error\"") != NULL)
			return strstr(line, text) != NULL;
	return false;
}

static bool execute(struct qemu *qemu, const char *name, const char *arguments)
{
	char line[512];
	int length = snprintf(line, sizeof line, "{\"execute\": \"%s\", \"arguments\": {%s}}\n", name, arguments);

	return write(fileno(qemu->stream), line, (size_t)length) == length && wait_for(qemu, "\"return\"");
}

struct qemu *qemu_connect(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct qemu *qemu = calloc(1, sizeof *qemu);
	int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) {
		qemu->stream = fdopen(descriptor, "r");
		if (wait_for(qemu, "\"QMP\"") && execute(qemu, "qmp_capabilities", ""))
			return qemu;
		fclose(qemu->stream);
	} else {
		close(descriptor);
	}
	free(qemu);
	fprintf(stderr, "swd: %s: QEMU does not answer with its QMP\n", path);
	return NULL;
}

void qemu_command(struct qemu *qemu, const char *name, const char *arguments)
{
	if (!execute(qemu, name, arguments)) {
		fprintf(stderr, "swd: QEMU failed to execute the command %s\n", name);
		exit(1);
	}
}

uint32_t qemu_program_counter(struct qemu *qemu)
{
	static const char request[] = "{\"execute\": \"human-monitor-command\", "
	                              "\"arguments\": {\"command-line\": \"info registers\"}}\n";

	unsigned long counter = 0;
	char *line = NULL, *found = NULL;
	size_t size = 0;

	if (write(fileno(qemu->stream), request, sizeof request - 1) != sizeof request - 1)
		return 0;
	while (found == NULL && getline(&line, &size, qemu->stream) > 0 && strstr(line, "\"error\"") == NULL)
		found = strstr(line, " pc ");
	if (found != NULL)
		counter = strtoul(found + strlen(" pc "), NULL, 16);
	free(line);
	return (uint32_t)counter;
}

void qemu_disconnect(struct qemu *qemu)
{
	if (qemu == NULL)
		return;
	fclose(qemu->stream);
	free(qemu);
}
