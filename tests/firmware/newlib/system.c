/* SPDX-License-Identifier: MIT */
/* The system calls of newlib: memory for malloc(), and files that do not exist. */
#include <stddef.h>
#include <stdint.h>

#define HEAP_BYTES 0x4000u

void *_sbrk(ptrdiff_t bytes);
int _refuse(void);

void *_sbrk(ptrdiff_t bytes)
{
	static _Alignas(16) uint8_t heap[HEAP_BYTES];
	static size_t used;
	void *before = heap + used;

	if (bytes > 0 && (size_t)bytes > HEAP_BYTES - used)
		return (void *)-1;
	used += (size_t)bytes;
	return before;
}

int _refuse(void)
{
	return -1;
}

#define REFUSED(name) int name(void) __attribute__((alias("_refuse")))
REFUSED(_close);
REFUSED(_fstat);
REFUSED(_getpid);
REFUSED(_isatty);
REFUSED(_kill);
REFUSED(_lseek);
REFUSED(_read);
REFUSED(_write);
REFUSED(_exit);
