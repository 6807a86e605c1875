/* SPDX-License-Identifier: MIT */
/*
 * The identity of the firmware: the GNU build-id note, which the linker fragment bounds by two symbols. Knows nothing
 * of the block. A firmware linked with a script that does not place the note has no identity.
 */
#include "recorder.h"

/* Both are absent where the fragment is not used. */
extern const uint32_t bareprof_build_id_start[] __attribute__((weak));
extern const uint32_t bareprof_build_id_end[] __attribute__((weak));

/* An ELF note: gABI 4.1, chapter 5, "Note Section". */
struct note {
	uint32_t name_size;
	uint32_t description_size;
	uint32_t type;
	uint32_t name;
	uint8_t description[];
};

#define NT_GNU_BUILD_ID 3
#define NAME_SIZE       4 /* "GNU", which stands in a section of its own: the linker put it there */

uint8_t bareprof_identity_read(volatile uint8_t identity[BAREPROF_IDENTITY_CAPACITY])
{
	const uintptr_t start = (uintptr_t)bareprof_build_id_start;
	const uintptr_t bytes = (uintptr_t)bareprof_build_id_end - start;
	const struct note *note = (const struct note *)start;

	if (start == 0 || (intptr_t)bytes < (intptr_t)sizeof *note || note->name_size != NAME_SIZE ||
	    note->type != NT_GNU_BUILD_ID || note->description_size > bytes - sizeof *note)
		return 0;
	uint8_t size = 0;
	for (; size < note->description_size && size < BAREPROF_IDENTITY_CAPACITY; size++)
		identity[size] = note->description[size];
	return size;
}
