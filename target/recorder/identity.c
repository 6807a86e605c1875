/* SPDX-License-Identifier: MIT */
/*
 * The identity of the firmware: the GNU build-id note, which the linker fragment bounds by two symbols. Knows nothing
 * of the block. A firmware linked with a script that does not place the note has no identity.
 */
#include "memory.h"
#include "recorder.h"

/* Both are absent where the fragment is not used. */
extern const uint32_t bareprof_build_id_start[] __attribute__((weak));
extern const uint32_t bareprof_build_id_end[] __attribute__((weak));

/* An ELF note: gABI 4.1, chapter 5, "Note Section". */
struct note {
	uint32_t name_size;
	uint32_t description_size;
	uint32_t type;
	char name[4];
	uint8_t description[];
};

#define NT_GNU_BUILD_ID 3

static bool note_is_build_id(const struct note *note, uintptr_t size)
{
	static const char name[4] = {'G', 'N', 'U', '\0'};

	return size >= sizeof *note && note->name_size == sizeof name && note->type == NT_GNU_BUILD_ID &&
	       memory_is_equal(note->name, name, sizeof name) && note->description_size <= size - sizeof *note;
}

uint8_t bareprof_identity_read(volatile uint8_t identity[BAREPROF_IDENTITY_CAPACITY])
{
	const uintptr_t start = (uintptr_t)bareprof_build_id_start;
	const uintptr_t end = (uintptr_t)bareprof_build_id_end;
	const struct note *note = (const struct note *)start;

	if (start == 0 || end <= start || !note_is_build_id(note, end - start))
		return 0;
	const uint32_t size = note->description_size < BAREPROF_IDENTITY_CAPACITY ? note->description_size
	                                                                          : BAREPROF_IDENTITY_CAPACITY;
	memory_copy(identity, note->description, size);
	return (uint8_t)size;
}
