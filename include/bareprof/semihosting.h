/* SPDX-License-Identifier: MIT */
/*
 * A pipe for bareprof_send() into a file on the computer that runs the debugger or the emulator, by semihosting:
 *
 * 	BAREPROF_LINK(1024, .write = bareprof_semihosting_write);
 *
 * The file is BAREPROF_SEMIHOSTING_FILE in the debugger's working directory; `bareprof pull file:bareprof.log` reads
 * it. A debugger with semihosting enabled must be attached: otherwise the core stops at the trap or takes a fault. The
 * core also stops for each frame, so this is for the end of a run, not for polling.
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
 * Writes to the file, which the first call creates or empties. It always accepts all bytes, so that sending firmware
 * does not hang: bytes that cannot be written are lost.
 */
size_t bareprof_semihosting_write(const uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
