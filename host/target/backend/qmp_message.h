/* SPDX-License-Identifier: MIT */
/*
 * The messages of the QEMU machine protocol (QEMU manual, "QEMU Machine Protocol Specification"), a JSON object each:
 * what a client says of them, and what those of QEMU mean. Knows nothing of connections.
 */
#ifndef TARGET_BACKEND_QMP_MESSAGE_H
#define TARGET_BACKEND_QMP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qmp_kind {
	QMP_OTHER, /* no message of this protocol */
	QMP_GREETING,
	QMP_EVENT, /* something happened, nobody asked */
	QMP_RETURN,
	QMP_ERROR,
};

struct qmp_message {
	enum qmp_kind kind;
	char reason[256]; /* of QMP_ERROR: what QEMU says, on one line */
	bool is_running;  /* of QMP_RETURN to query-status: the processor works */
};

void qmp_message_parse(const char *text, size_t size, struct qmp_message *message);

/* A command to write memory, as the first core sees it, into a file: pmemsave sees nothing of what a machine gives to
 * its core alone, as all of the micro:bit. A line with a newline at its end. The caller frees it; NULL = no memory. */
char *qmp_command_save(uint64_t address, size_t size, const char *path);

#endif
