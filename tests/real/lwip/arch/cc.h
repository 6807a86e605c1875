/* SPDX-License-Identifier: MIT */
/* The definitions of the compiler that lwIP needs. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#define LWIP_NO_INTTYPES_H      0
#define LWIP_NO_CTYPE_H         1
#define LWIP_PLATFORM_DIAG(x)   ((void)0)
#define LWIP_PLATFORM_ASSERT(x) __builtin_trap()
#define LWIP_RAND()             ((u32_t)4711)

#endif
