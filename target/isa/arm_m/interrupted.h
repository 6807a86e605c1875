/* SPDX-License-Identifier: MIT */
/* Registers and stack of interrupted code on Arm M profile: the exception frame, which EXC_RETURN describes. */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "compiler.h"

#include <bareprof/bareprof.h>

/* Bits of EXC_RETURN (Armv7-M ARM B1.5.8, Armv8-M ARM D1.2). */
#define EXC_RETURN_IS_BASIC          0x10u /* without FPU registers */
#define EXC_RETURN_FROM_SECURE       0x40u
#define EXC_RETURN_HANDLER_IS_SECURE 0x01u

/* Words of the frame (Armv7-M ARM B1.5.6). */
#define FRAME_LR   5
#define FRAME_XPSR 7

#define FRAME_BYTES       32u
#define FRAME_BYTES_FPU   104u
#define FRAME_BYTES_FPU_S 168u /* with S16 to S31 as well, which a Secure frame may hold (Armv8-M ARM B3.19) */

#define XPSR_IS_PADDED 0x200u /* Armv7-M ARM B1.5.7 */

#if __ARM_ARCH >= 8
BAREPROF_INLINE bool interrupted_by_secure(const struct bareprof_interrupted *interrupted)
{
	return (interrupted->entry & EXC_RETURN_HANDLER_IS_SECURE) != 0;
}

BAREPROF_INLINE bool interrupted_is_secure(const struct bareprof_interrupted *interrupted)
{
	return (interrupted->entry & EXC_RETURN_FROM_SECURE) != 0;
}
#endif

/* Where the frame begins. */
BAREPROF_INLINE uintptr_t interrupted_stack(const struct bareprof_interrupted *interrupted)
{
	return (uintptr_t)interrupted->frame;
}

BAREPROF_INLINE uintptr_t interrupted_pushed_size(const struct bareprof_interrupted *interrupted)
{
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_8M_BASE__)
	/* An FPU is an option of Armv7E-M and of Armv8-M with the Main Extension only. */
	(void)interrupted;
	return FRAME_BYTES;
#else
	if (interrupted->entry & EXC_RETURN_IS_BASIC)
		return FRAME_BYTES;
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define FPCCR    (*(volatile uint32_t *)0xE000EF34u) /* Armv8-M ARM D1.2 */
#define FPCCR_TS 0x04000000u
	if (interrupted_by_secure(interrupted) && interrupted_is_secure(interrupted) && (FPCCR & FPCCR_TS) != 0)
		return FRAME_BYTES_FPU_S;
#endif
	return FRAME_BYTES_FPU;
#endif
}

/* Reads the frame, which must be within a stack. */
BAREPROF_INLINE uintptr_t interrupted_padding(const struct bareprof_interrupted *interrupted)
{
	return (interrupted->frame[FRAME_XPSR] & XPSR_IS_PADDED) / (XPSR_IS_PADDED / 4u);
}

BAREPROF_INLINE uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->frame[FRAME_LR];
}

BAREPROF_INLINE uintptr_t interrupted_fp(const struct bareprof_interrupted *interrupted)
{
	return interrupted->fp;
}

BAREPROF_INLINE uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
}

/* Withholds stacks of Secure code, unless the configuration allows copies. A Non-secure handler cannot read them. */
BAREPROF_INLINE bool interrupted_is_withheld(const struct bareprof_interrupted *interrupted)
{
#if __ARM_ARCH >= 8
	return interrupted_is_secure(interrupted) &&
	       !(interrupted_by_secure(interrupted) && bareprof_layout.config.copies_secure_stack);
#else
	(void)interrupted;
	return false;
#endif
}

/* A Secure handler reads the stack of Non-secure code only where Non-secure code may read it: that code could have
 * pointed its SP at Secure memory. TTA checks for Non-secure privileged code; bit 20 is NSR (Armv8-M ARM C2.4, TTA). */
BAREPROF_INLINE bool interrupted_may_read(const struct bareprof_interrupted *interrupted, uintptr_t address)
{
#if __ARM_ARCH >= 8
	uint32_t answer;

	if (!interrupted_by_secure(interrupted) || interrupted_is_secure(interrupted))
		return true;
	__asm volatile("tta %0, %1" : "=r"(answer) : "r"(address));
	return (answer & 0x00100000u) != 0;
#else
	(void)interrupted;
	(void)address;
	return true;
#endif
}

/* Whether a word may be a return address in code, which has the Thumb bit. */
BAREPROF_INLINE bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u != 0;
}

/* Whether a word may be EXC_RETURN or FNC_RETURN (Armv7-M ARM B1.5.8; Armv8-M ARM D1.2, B3.23). On Armv6-M and Armv7-M
 * they are odd. */
BAREPROF_INLINE bool interrupted_is_special_return(uintptr_t word)
{
#if __ARM_ARCH >= 8
	return word >= 0xFFFFFF80u || (word | 1u) == 0xFEFFFFFFu;
#else
	return word % 2u != 0 && word >= 0xFFFFFFE0u;
#endif
}

/* Copies 64 bytes at a time with eight registers, or 16 bytes with the four free ones that 16-bit Thumb instructions
 * can use. The rest is copied by words. */
BAREPROF_INLINE void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
#if __ARM_ARCH_ISA_THUMB == 1
	for (; bytes >= 16u; bytes -= 16u)
		__asm volatile("ldmia %0!, {r3, r4, r5, r6}\n\t"
		               "stmia %1!, {r3, r4, r5, r6}"
		               : "+l"(from), "+l"(to)
		               :
		               : "r3", "r4", "r5", "r6", "memory");
	for (; bytes != 0; bytes -= 4u) {
		*to++ = *(const volatile uintptr_t *)from;
		from += 4u;
	}
#else
	__asm volatile("ands r4, %2, #60\n\t"
	               "beq 1f\n"
	               "0:\n\t"
	               "ldr r5, [%0], #4\n\t"
	               "subs r4, r4, #4\n\t"
	               "str r5, [%1], #4\n\t"
	               "bne 0b\n"
	               "1:\n\t"
	               "lsrs %2, %2, #6\n\t"
	               "beq 3f\n"
	               "2:\n\t"
	               "ldmia %0!, {r4, r5, r6, r8, r9, r10, ip, lr}\n\t"
	               "stmia %1!, {r4, r5, r6, r8, r9, r10, ip, lr}\n\t"
	               "ldmia %0!, {r4, r5, r6, r8, r9, r10, ip, lr}\n\t"
	               "stmia %1!, {r4, r5, r6, r8, r9, r10, ip, lr}\n\t"
	               "subs %2, %2, #1\n\t"
	               "bne 2b\n"
	               "3:"
	               : "+r"(from), "+r"(to), "+r"(bytes)
	               :
	               : "r4", "r5", "r6", "r8", "r9", "r10", "ip", "lr", "cc", "memory");
#endif
}

#endif
