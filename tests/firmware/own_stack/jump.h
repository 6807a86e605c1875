/* SPDX-License-Identifier: MIT */
/* setjmp() and longjmp() of the C library, which this firmware is not linked with. */
#ifndef FIRMWARE_OWN_STACK_JUMP_H
#define FIRMWARE_OWN_STACK_JUMP_H

#include <stdint.h>

typedef uintptr_t jmp_buf[16];

int setjmp(jmp_buf buffer) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf buffer, int value);

#endif
