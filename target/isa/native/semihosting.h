/* SPDX-License-Identifier: MIT */
/* There is no debugger to trap to on the computer that builds all this: tests play it. */
#ifndef ISA_SEMIHOSTING_H
#define ISA_SEMIHOSTING_H

#include <stdint.h>

/* Defined by the tests that link it. */
uintptr_t isa_semihosting(uintptr_t operation, const uintptr_t *arguments);

#endif
