/* SPDX-License-Identifier: MIT */
/* See sampler.h. DWT_PCSR of a Cortex-M holds the address of a recently executed instruction, and is readable while the
 * core runs. Registers: Armv6-M ARM (DDI 0419) C1.6.3, C1.6.5, C1.7.2; Armv7-M ARM (DDI 0403) C1.6.2, C1.6.5, and C1.8,
 * "Program counter sampling support". */
#include "acquire/dap/cpuid.h"
#include "acquire/sample/sampler.h"
#include "acquire/target/cortex.h"

#include <inttypes.h>

#define DEMCR        UINT64_C(0xE000EDFC)
#define DEMCR_TRCENA (UINT32_C(1) << 24)
#define DWT_PCSR     UINT64_C(0xE000101C)

#define TRIAL 16

static enum status read_register(struct target *target, uint64_t address, uint32_t *value, struct error *error)
{
	return target_read_register(target, address, value, 1, error);
}

static enum status check_core(struct target *target, struct error *error)
{
	uint32_t cpuid;

	enum status status = read_register(target, CORTEX_CPUID, &cpuid, error);
	if (status != STATUS_OK || cortex_is_cpuid(cpuid))
		return status;
	return status_fail(
	        error,
	        "%s: this is not a Cortex-M (CPUID reads 0x%08" PRIx32
	        "), and no other core can be sampled through a probe: build the firmware with bareprof, and pull",
	        target->source, cpuid);
}

static enum status take_reset(struct target *target, bool *was_reset, struct error *error)
{
	uint32_t dhcsr = 0;

	enum status status = read_register(target, CORTEX_DHCSR, &dhcsr, error);
	*was_reset = (dhcsr & CORTEX_DHCSR_S_RESET_ST) != 0;
	return status;
}

static enum status pcsr_read(struct target *target, uint32_t *words, size_t count, struct stack_copies *stacks,
                             struct error *error)
{
	(void)stacks;
	return target_read_register(target, DWT_PCSR, words, count, error);
}

static enum status check_register(struct target *target, struct error *error)
{
	uint32_t words[TRIAL];

	enum status status = pcsr_read(target, words, TRIAL, NULL, error);
	for (size_t i = 0; status == STATUS_OK && i < TRIAL; i++)
		if (words[i] != 0)
			return STATUS_OK;
	return status ? status
	              : status_fail(
	                        error,
	                        "%s: this core has no DWT_PCSR (it reads 0), so a probe cannot sample it: build the "
	                        "firmware with bareprof, and pull",
	                        target->source);
}

/* Fails if, since the last check, the target was reset (S_RESET_ST of DHCSR, unless another reader cleared it) or the
 * trace unit was disabled, because then the samples are meaningless. Only a power-on reset clears DEMCR.TRCENA. */
static enum status pcsr_check_enabled(struct target *target, struct error *error)
{
	uint32_t demcr;
	bool was_reset;

	enum status status = take_reset(target, &was_reset, error);
	if (status == STATUS_OK && was_reset)
		return status_fail(error, "%s: the target was reset while it was sampled: sample again",
		                   target->source);
	if (status == STATUS_OK)
		status = read_register(target, DEMCR, &demcr, error);
	if (status != STATUS_OK || (demcr & DEMCR_TRCENA) != 0)
		return status;
	return status_fail(
	        error,
	        "%s: the trace unit of the core is off (DEMCR.TRCENA): was the target reset or powered down, or "
	        "is another debugger connected? Sample again",
	        target->source);
}

/* Enables the core's trace unit, and checks that the register exists. *trace_was_enabled: its state before. */
static enum status pcsr_enable(struct target *target, bool *trace_was_enabled, struct error *error)
{
	uint32_t demcr;
	bool was_reset; /* an earlier reset, which does not matter */

	*trace_was_enabled = true;
	enum status status = check_core(target, error);
	if (status == STATUS_OK)
		status = take_reset(target, &was_reset, error);
	if (status == STATUS_OK)
		status = read_register(target, DEMCR, &demcr, error);
	if (status != STATUS_OK)
		return status;
	*trace_was_enabled = (demcr & DEMCR_TRCENA) != 0;
	if (!*trace_was_enabled)
		status = target_write_register(target, DEMCR, demcr | DEMCR_TRCENA, error);
	if (status == STATUS_OK)
		status = pcsr_check_enabled(target, error);
	return status != STATUS_OK ? status : check_register(target, error);
}

static enum status pcsr_restore(struct target *target, bool trace_was_enabled, struct error *error)
{
	uint32_t demcr;

	if (trace_was_enabled)
		return STATUS_OK;
	enum status status = read_register(target, DEMCR, &demcr, error);
	return status != STATUS_OK ? status : target_write_register(target, DEMCR, demcr & ~DEMCR_TRCENA, error);
}

const struct sampler sampler_pcsr = {
        .begin = pcsr_enable,
        .read = pcsr_read,
        .check = pcsr_check_enabled,
        .end = pcsr_restore,
};
