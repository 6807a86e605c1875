/* SPDX-License-Identifier: MIT */
/* Halts QEMU, lets it go on, and resets its machine, by its monitor (QEMU Machine Protocol). */
#ifndef LAB_QEMU_H
#define LAB_QEMU_H

struct qemu;

/* NULL, and a line to standard error, if nobody answers at the socket. */
struct qemu *qemu_connect(const char *path);
/* A command without arguments: "stop", "cont", "system_reset". Ends the program if QEMU is gone: no test goes on. */
void qemu_command(struct qemu *qemu, const char *name);
/* NULL is allowed. */
void qemu_disconnect(struct qemu *qemu);

#endif
