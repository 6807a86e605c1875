/* SPDX-License-Identifier: MIT */
/* See cortex.h. Registers and bits: Armv7-M ARM (DDI 0403), B3.2 and C1.6; Armv6-M and Armv8-M have the same. */
#include "acquire/target/cortex.h"

#include "acquire/dap/cpuid.h"
#include "acquire/target/target.h"
#include "base/clock.h"

#define AIRCR 0xE000ED0Cu /* B3.2.6 */
#define DCRSR 0xE000EDF4u /* C1.6.3: selects a register of the core, */
#define DCRDR 0xE000EDF8u /* C1.6.4: whose value appears here */

/* Registers of DCRSR; 15 is the address at which the core continues. */
#define REGISTER_FP 7u
#define REGISTER_SP 13u
#define REGISTER_LR 14u
#define REGISTER_PC 15u

#define AIRCR_KEY         0x05FA0000u
#define AIRCR_SYSRESETREQ (1u << 2)
/* Settings to keep in case the reset is refused: priorities, and on Armv8-M (DDI 0553, AIRCR) security states. */
#define AIRCR_SETTINGS 0x0000FFF8u

#define DHCSR_KEY        0xA05F0000u /* when written, instead of the status */
#define DHCSR_C_DEBUGEN  (1u << 0)
#define DHCSR_C_HALT     (1u << 1)
#define DHCSR_C_MASKINTS (1u << 3)
#define DHCSR_S_REGRDY   (1u << 16)
#define DHCSR_S_HALT     (1u << 17)

/* How long a core may take to halt or to come out of reset; a boot ROM may hold it for a while. */
#define REACTION_MILLISECONDS 500u

/* The bits of DHCSR that can be written. */
#define DHCSR_CONTROLS (DHCSR_C_DEBUGEN | DHCSR_C_HALT | DHCSR_C_MASKINTS)

/* These bypass target_read_register() and target_write_register(), which are for callers of target.h. */
static enum status cortex_get(struct target *target, uint32_t address, uint32_t *word, struct error *error)
{
	return target->ops->read_register(target, address, word, 1, error);
}

static enum status cortex_set(struct target *target, uint32_t address, uint32_t word, struct error *error)
{
	return target->ops->write_register(target, address, word, error);
}

enum status cortex_identify(struct target *target, struct error *error)
{
	uint32_t cpuid;

	target->is_halted = false;
	enum status status = cortex_get(target, CORTEX_CPUID, &cpuid, error);
	if (status == STATUS_OK && !cortex_is_cpuid(cpuid))
		return status_fail(error, "%s: not a Cortex-M core: its CPUID reads as 0x%08x", target->source, cpuid);
	if (status == STATUS_OK)
		status = cortex_get(target, CORTEX_DHCSR, &target->found_dhcsr, error);
	target->found_halted = status == STATUS_OK && target->found_dhcsr & DHCSR_S_HALT;
	return status;
}

/* Waits until a bit of DHCSR is set. */
static enum status await_bit(struct target *target, uint32_t bit, const char *what, struct error *error)
{
	uint64_t deadline = clock_now() + REACTION_MILLISECONDS;
	uint32_t dhcsr = 0;

	do {
		enum status status = cortex_get(target, CORTEX_DHCSR, &dhcsr, error);

		if (status != STATUS_OK || dhcsr & bit)
			return status;
	} while (clock_now() < deadline);
	return status_fail(error, "%s: the core did not %s in %u ms (DHCSR 0x%08x)", target->source, what,
	                   REACTION_MILLISECONDS, dhcsr);
}

static enum status cortex_is_halted(struct target *target, bool *is_halted, struct error *error)
{
	uint32_t dhcsr = 0;

	enum status status = cortex_get(target, CORTEX_DHCSR, &dhcsr, error);
	*is_halted = (dhcsr & DHCSR_S_HALT) != 0;
	return status;
}

static enum status cortex_halt(struct target *target, struct error *error)
{
	if (target->found_halted)
		return STATUS_OK;
	target->is_halted = true; /* the write may take effect even if it fails */
	/* C_MASKINTS must not change while the core runs, and has no effect without C_DEBUGEN. */
	uint32_t masked = target->found_dhcsr & DHCSR_C_DEBUGEN ? target->found_dhcsr & DHCSR_C_MASKINTS : 0;
	enum status status =
	        cortex_set(target, CORTEX_DHCSR, DHCSR_KEY | DHCSR_C_DEBUGEN | DHCSR_C_HALT | masked, error);
	return status != STATUS_OK ? status : await_bit(target, DHCSR_S_HALT, "halt", error);
}

/* Reads may fail during the reset; every successful read shows S_RESET_ST. */
static enum status cortex_await_reset(struct target *target, struct error *error)
{
	uint64_t deadline = clock_now() + REACTION_MILLISECONDS;
	enum status status;
	bool was_reset = false;
	uint32_t dhcsr = 0;

	do {
		status = cortex_get(target, CORTEX_DHCSR, &dhcsr, error);
		if (status == STATUS_OK && was_reset && !(dhcsr & CORTEX_DHCSR_S_RESET_ST))
			return STATUS_OK;
		was_reset |= status == STATUS_OK && dhcsr & CORTEX_DHCSR_S_RESET_ST;
	} while (clock_now() < deadline);
	if (status != STATUS_OK)
		return status;
	return status_fail(error, "%s: the target %s in %u ms (DHCSR 0x%08x)", target->source,
	                   was_reset ? "did not come out of reset" : "was asked to reset and did not",
	                   REACTION_MILLISECONDS, dhcsr);
}

static enum status cortex_reset(struct target *target, struct error *error)
{
	struct error ignored;
	uint32_t dhcsr, aircr;

	/* Clears S_RESET_ST of earlier resets. */
	enum status status = cortex_get(target, CORTEX_DHCSR, &dhcsr, error);
	if (status == STATUS_OK)
		status = cortex_get(target, AIRCR, &aircr, error);
	if (status != STATUS_OK)
		return status;
	/* The reset may come before the write is acknowledged. */
	(void)cortex_set(target, AIRCR, AIRCR_KEY | (aircr & AIRCR_SETTINGS) | AIRCR_SYSRESETREQ, &ignored);
	return cortex_await_reset(target, error);
}

static enum status cortex_resume(struct target *target, struct error *error)
{
	if (!target->is_halted)
		return STATUS_OK;
	enum status status =
	        cortex_set(target, CORTEX_DHCSR, DHCSR_KEY | (target->found_dhcsr & DHCSR_CONTROLS), error);
	target->is_halted = status != STATUS_OK;
	return status;
}

static enum status read_core_register(struct target *target, uint32_t number, uint64_t *value, struct error *error)
{
	uint32_t word = 0;

	enum status status = cortex_set(target, DCRSR, number, error);
	if (status == STATUS_OK)
		status = await_bit(target, DHCSR_S_REGRDY, "show its registers", error);
	if (status == STATUS_OK)
		status = cortex_get(target, DCRDR, &word, error);
	*value = word;
	return status;
}

static enum status cortex_read_pc(struct target *target, uint64_t *pc, struct error *error)
{
	return read_core_register(target, REGISTER_PC, pc, error);
}

static enum status cortex_read_registers(struct target *target, struct core_registers *registers, struct error *error)
{
	enum status status = cortex_read_pc(target, &registers->pc, error);

	if (status == STATUS_OK)
		status = read_core_register(target, REGISTER_LR, &registers->lr, error);
	if (status == STATUS_OK)
		status = read_core_register(target, REGISTER_SP, &registers->sp, error);
	return status != STATUS_OK ? status : read_core_register(target, REGISTER_FP, &registers->fp, error);
}

const struct core_ops core_cortex = {
        .for_sleep = "the chip kept awake, which works for STM32",
        .identify = cortex_identify,
        .halt = cortex_halt,
        .resume = cortex_resume,
        .reset = cortex_reset,
        .await_reset = cortex_await_reset,
        .is_halted = cortex_is_halted,
        .read_pc = cortex_read_pc,
        .read_registers = cortex_read_registers,
};
