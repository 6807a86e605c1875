/* SPDX-License-Identifier: MIT */
/*
 * The build-id of the firmware: the GNU note between two symbols of the linker fragment. Firmware whose linker script
 * does not place the note is identified by a hash of its code (code_hash.c), or not at all.
 */
#ifndef RECORDER_BUILD_ID_H
#define RECORDER_BUILD_ID_H

#include "compiler.h"

#include <bareprof/block.h>
#include <stdint.h>

/* Undefined if the fragment is not used. */
extern const uint8_t bareprof_build_id_start[] __attribute__((weak));
extern const uint8_t bareprof_build_id_end[] __attribute__((weak));

/*
 * An ELF note (gABI 4.1, chapter 5, "Note Section"): sizes of name and description, type, "GNU". The section holds only
 * the note that the linker generates, so it ends with the description.
 */
#define NOTE_DESCRIPTION 16

/* Copies the build-id, cut to its capacity, and returns its size; 0 if there is none. */
BAREPROF_INLINE uint8_t build_id_read(uint8_t identity[BAREPROF_IDENTITY_CAPACITY])
{
	const uint8_t *byte = bareprof_build_id_start + NOTE_DESCRIPTION;
	uint32_t size = 0;

	while (byte < bareprof_build_id_end && size < BAREPROF_IDENTITY_CAPACITY)
		identity[size++] = *byte++;
	return (uint8_t)size;
}

#endif
