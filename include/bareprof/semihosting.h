/* SPDX-License-Identifier: MIT */
/*
 * A pipe for bareprof_send() into a file on the computer that runs the debugger or the emulator, by semihosting:
 *
 *	BAREPROF_LINK(1024, .write = bareprof_semihosting_write);
 *
 * The file is BAREPROF_SEMIHOSTING_FILE in the debugger's working directory; `bareprof pull file:bareprof.log` reads
 * it. The debugger has to have semihosting enabled: without one, the core stops at the trap or takes a fault. It also
 * stops for each frame, so this is for the end of a run, not for polling.
 */
#ifndef BAREPROF_SEMIHOSTING_H
#define BAREPROF_SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAREPROF_SEMIHOSTING_FILE "bareprof.log"

/*
 * Writes to the file, which the first call creates or empties. It always accepts all bytes: those that cannot be
 * written are lost, so that firmware that sends does not hang.
 */
size_t bareprof_semihosting_write(const uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
