/* SPDX-License-Identifier: MIT */
/* A folder in which tests build firmware and examine it, below $BUILD and named $WORKSHOP in commands; it is removed at
 * the end. $FIRMWARE is the folder of the sources. */
#ifndef UNIT_FIRMWARE_WORKSHOP_H
#define UNIT_FIRMWARE_WORKSHOP_H

#include "firmware/image.h"
#include "test.h"

#include <stdio.h>

/* Group setup and teardown for cmocka, and a setup that also runs a shell command. */
int workshop_open(void **state);
int workshop_open_with(const char *command);
int workshop_close(void **state);

/* Builds firmware of a Cortex-M3 with the linker script of arm.c. */
#define WORKSHOP_ARM "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O2 -nostdlib -T $FIRMWARE/arm.ld "

#define WORKSHOP_PATH_MAX 256
/* The path of a file in the workshop. */
void workshop_path(char path[WORKSHOP_PATH_MAX], const char *name);
/* Opens a file of the workshop, to be read or written; it is closed after the test. */
FILE *workshop_file(const char *name, const char *mode);

/* Runs a shell command, given as for printf(); the test fails if the command fails. */
__attribute__((format(printf, 1, 2))) void workshop_run(const char *format, ...);

/* Opens an ELF of the workshop, which is closed after the test; the test fails if it cannot be opened. */
struct image *workshop_image(const char *name);
/* Opening an ELF of the workshop must fail with a message that contains these words. */
void workshop_refuses(const char *name, const char *words);

/* The first function of that name, or NULL. */
const struct image_function *workshop_function(const struct image *image, const char *name);
/* The test fails unless there is such a function at [start, end). */
void workshop_expect(const struct image *image, const char *name, uint64_t start, uint64_t end);

#endif
