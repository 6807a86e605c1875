/* SPDX-License-Identifier: MIT */
/*
 * The system calls of newlib and picolibc, which use different names: memory for malloc(), and files that do not exist.
 */
#include "profiling.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HEAP_BYTES 0x80000u

static _Alignas(16) uint8_t heap[HEAP_BYTES];
static size_t heap_used;

void *_sbrk(ptrdiff_t bytes);
int _refuse(void);

void *_sbrk(ptrdiff_t bytes)
{
	void *before = heap + heap_used;

	if (bytes > 0 && (size_t)bytes > HEAP_BYTES - heap_used) {
		errno = ENOMEM;
		return (void *)-1;
	}
	heap_used += (size_t)bytes;
	return before;
}

int _refuse(void)
{
	errno = ENOSYS;
	return -1;
}

#define REFUSED(name) int name(void) __attribute__((alias("_refuse")))

#ifdef __riscv
void *sbrk(ptrdiff_t bytes) __attribute__((alias("_sbrk")));
REFUSED(open);
REFUSED(close);
REFUSED(read);
REFUSED(write);
REFUSED(lseek);
REFUSED(unlink);
REFUSED(gettimeofday);
REFUSED(times);
REFUSED(getpid);
REFUSED(kill);

/* picolibc keeps errno in thread-local storage, which begins at tp (RISC-V ELF psABI, "Thread Local Storage"). */
void libc_init(void)
{
	static uint64_t storage[4];

	__asm volatile("mv tp, %0" : : "r"(storage));
}

FILE *const stdin = NULL, *const stdout = NULL, *const stderr = NULL;
#else
REFUSED(_open);
REFUSED(_close);
REFUSED(_read);
REFUSED(_write);
REFUSED(_lseek);
REFUSED(_unlink);
REFUSED(_fstat);
REFUSED(_isatty);
REFUSED(_kill);
REFUSED(_getpid);
REFUSED(_gettimeofday);
REFUSED(_times);

void libc_init(void)
{
}
#endif

void _exit(int status) __attribute__((noreturn));
void _exit(int status)
{
	(void)status;
	for (;;)
		;
}
