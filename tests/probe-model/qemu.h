/* SPDX-License-Identifier: MIT */
/* Halts QEMU, lets it go on, and resets its machine, by its monitor (QEMU Machine Protocol). */
#ifndef PROBE_MODEL_QEMU_H
#define PROBE_MODEL_QEMU_H

struct qemu;

/* NULL, and a line to standard error, if nobody answers at the socket. */
struct qemu *qemu_connect(const char *path);
/* A command, "stop", and what is between the braces of its arguments in JSON. Ends the program if QEMU is gone, or has
 * an error to tell: no test goes on. */
void qemu_command(struct qemu *qemu, const char *name, const char *arguments);
/* NULL is allowed. */
void qemu_disconnect(struct qemu *qemu);

#endif
