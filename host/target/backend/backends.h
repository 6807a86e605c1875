/* SPDX-License-Identifier: MIT */
/* The table of all backends, and the SOURCEs that name one of them. */
#ifndef TARGET_BACKEND_BACKENDS_H
#define TARGET_BACKEND_BACKENDS_H

#include "target/backend/target.h"

extern const struct target_ops backend_cmsis_dap; /* a CMSIS-DAP debug probe: cmsis_dap.c */
extern const struct target_ops backend_gdb;       /* GDB remote serial protocol: gdb.c */
extern const struct target_ops backend_file;      /* a memory dump, a recorded stream: dump.c */
extern const struct target_ops backend_link;      /* frames over any channel: link.c */
extern const struct target_ops backend_openocd;   /* OpenOCD's Tcl server: openocd.c */
extern const struct target_ops backend_qemu;      /* QEMU's QMP: qemu.c */

/* All backends of this build, ended by NULL. */
extern const struct target_ops *const backend_table[];
/* The backends that this build lacks, ended by one without scheme. */
extern const struct unavailable unavailable_backends[];

/* Resolves a SOURCE as the user typed it. An unknown scheme is a usage error that lists the known ones. text must
 * outlive *source. */
enum status backends_resolve(const char *text, struct source *source, struct error *error);

#endif
