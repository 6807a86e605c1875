/* SPDX-License-Identifier: MIT */
/* Builds firmware.S with the cross compiler. */
#ifndef UNIT_ACQUIRE_PULL_FIRMWARE_H
#define UNIT_ACQUIRE_PULL_FIRMWARE_H

#include "capture/capture.h"

#define FIRMWARE_BUILD_ID "0123456789abcdef0123456789abcdef01234567"
#define FIRMWARE_BLOCK    UINT64_C(0x20001000)
#define FIRMWARE_BLOCK_1  UINT64_C(0x20003000)

/* A name in the build folder that no other test uses; static, good for one test program. */
const char *firmware_file(const char *name);
/* Opens a capture that must be whole; it is closed after the test. */
struct capture *firmware_open_capture(const char *path);
/* Builds the ELF at path; options are for the compiler. Fails the test if it cannot. */
void firmware_build(const char *path, const char *options);

#endif
