/* SPDX-License-Identifier: MIT */
/* Semihosting on the build machine: the tests replace the debugger. */
#ifndef ISA_SEMIHOSTING_H
#define ISA_SEMIHOSTING_H

#include "compiler.h"

#include <stdint.h>

/* Defined by the tests that link it. */
uintptr_t isa_semihosting(uintptr_t operation, const uintptr_t *arguments);

#endif
