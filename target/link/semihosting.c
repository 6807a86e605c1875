/* SPDX-License-Identifier: MIT */
/*
 * A file on the debugger's side. Arm's "Semihosting for AArch32 and AArch64", chapter 5, defines the operations and
 * their arguments; RISC-V adopted them.
 */
#include "semihosting.h"

#include <bareprof/semihosting.h>

#define SYS_OPEN  0x01
#define SYS_WRITE 0x05

/* fopen()'s "wb" */
#define MODE_WRITE_BINARY 5

#define FAILED UINTPTR_MAX

/* Elements are assigned one by one: a list in braces may become a call of memcpy(). */
BAREPROF_INLINE uintptr_t call(uintptr_t operation, uintptr_t first, uintptr_t second, uintptr_t third)
{
	uintptr_t arguments[3];

	arguments[0] = first;
	arguments[1] = second;
	arguments[2] = third;
	return isa_semihosting(operation, arguments);
}

BAREPROF_CODE(bareprof_semihosting_write) size_t bareprof_semihosting_write(const uint8_t *bytes, size_t size)
{
	BAREPROF_CONSTANT(name) static const char name[] = BAREPROF_SEMIHOSTING_FILE;
	static uintptr_t file; /* no handle is 0 */

	if (file == 0)
		file = call(SYS_OPEN, (uintptr_t)name, MODE_WRITE_BINARY, sizeof name - 1);
	if (file == FAILED)
		file = 0;
	else
		call(SYS_WRITE, file, (uintptr_t)bytes, size);
	return size;
}
