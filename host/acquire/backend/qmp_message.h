/* SPDX-License-Identifier: MIT */
/* Messages of the QEMU machine protocol (QEMU manual, "QEMU Machine Protocol Specification"), each a JSON object:
 * encodes commands and decodes QEMU's messages. */
#ifndef ACQUIRE_BACKEND_QMP_MESSAGE_H
#define ACQUIRE_BACKEND_QMP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qmp_kind {
	QMP_OTHER, /* not a message of this protocol */
	QMP_GREETING,
	QMP_EVENT, /* an event, not an answer */
	QMP_RETURN,
	QMP_ERROR,
};

struct qmp_message {
	enum qmp_kind kind;
	char reason[256]; /* for QMP_ERROR: QEMU's reason, on one line */
	bool is_running;  /* for QMP_RETURN to query-status: the machine runs */
};

void qmp_message_parse(const char *text, size_t size, struct qmp_message *message);

/* Encodes a command that writes memory, as the first core sees it, to a file. pmemsave would miss memory that is
 * private to a core; on the micro:bit that is all of it. The caller frees the result; NULL: out of memory. */
char *qmp_command_save(uint64_t address, size_t size, const char *path);

#endif
