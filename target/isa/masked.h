/* SPDX-License-Identifier: MIT */
/*
 * isa_replace() and isa_add() for a core without exclusive accesses: interrupts are masked for a few instructions.
 * Included by an isa.h that defines `isa_mask_state isa_mask(void)` and `void isa_unmask(isa_mask_state before)`.
 */
#ifndef ISA_MASKED_H
#define ISA_MASKED_H

BAREPROF_INLINE bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	const isa_mask_state before = isa_mask();
	const bool is_expected = *word == expected;

	if (is_expected)
		*word = desired;
	isa_unmask(before);
	return is_expected;
}

BAREPROF_INLINE void isa_add(volatile uint32_t *word, uint32_t amount)
{
	const isa_mask_state before = isa_mask();

	*word += amount;
	isa_unmask(before);
}

#endif
