/* SPDX-License-Identifier: MIT */
/* Client of QEMU's monitor (QEMU Machine Protocol), to halt, continue and reset its machine. */
#ifndef PROBE_MODEL_QEMU_H
#define PROBE_MODEL_QEMU_H

#include <stdint.h>

struct qemu;

/* Prints an error and returns NULL if QEMU does not answer at the socket. */
struct qemu *qemu_connect(const char *path);
/* Executes a command such as "stop". arguments is JSON without the outer braces. Exits if QEMU is gone or reports an
 * error. */
void qemu_command(struct qemu *qemu, const char *name, const char *arguments);
/* The program counter of the first CPU, as RISC-V machines print it. */
uint32_t qemu_program_counter(struct qemu *qemu);
/* NULL is allowed. */
void qemu_disconnect(struct qemu *qemu);

#endif
