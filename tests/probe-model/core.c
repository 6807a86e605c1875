/* SPDX-License-Identifier: MIT */
/* See core.h. Registers: Armv7-M ARM (DDI 0403), B3.2 and C1.6 to C1.8; DBGMCU: STM32F75xxx reference manual
 * (RM0385), 40.6.1 and 40.16.3; identities of components: ADIv5.2 (IHI 0031), D1. */
#include "core.h"

#define DWT_CTRL      0xe0001000u
#define DWT_PCSR      0xe000101cu
#define CPUID         0xe000ed00u
#define AIRCR         0xe000ed0cu
#define DHCSR         0xe000edf0u
#define DCRSR         0xe000edf4u
#define DCRDR         0xe000edf8u
#define DEMCR         0xe000edfcu
#define DBGMCU_IDCODE 0xe0042000u
#define DBGMCU_CR     0xe0042004u

#define DHCSR_KEY         0xa05f0000u
#define DHCSR_C_DEBUGEN   (1u << 0)
#define DHCSR_C_HALT      (1u << 1)
#define DHCSR_CONTROLS    0x2fu
#define DHCSR_S_REGRDY    (1u << 16)
#define DHCSR_S_HALT      (1u << 17)
#define DHCSR_S_RETIRE_ST (1u << 24)
#define DHCSR_S_RESET_ST  (1u << 25)

#define DCRSR_WRITE     (1u << 16)
#define DCRSR_REGISTERS 0x1fu
#define REGISTER_SP     13u
#define REGISTER_PC     15u

#define AIRCR_KEY         0x05fa0000u
#define AIRCR_KEY_READ    0xfa050000u
#define AIRCR_SYSRESETREQ (1u << 2)

#define DEMCR_VC_CORERESET (1u << 0)
#define DEMCR_TRCENA       (1u << 24)

#define CPUID_M7         0x411fc272u /* r1p2 */
#define DWT_CTRL_NUMCOMP 0x40000000u
#define PCSR_UNAVAILABLE 0xffffffffu /* C1.8: while the core is halted; in this model also while it sleeps */

#define DBGMCU_CR_AWAKE 7u /* DBG_SLEEP, DBG_STOP, DBG_STANDBY */

/* The ROM table and the components that it points to. All other words read as zero. */
static const struct {
	uint32_t address;
	uint32_t word;
} constants[] = {
        {DBGMCU_IDCODE, 0x10016449}, {0xe00ff000, 0xfff0f003}, /* the control space, at 0xe000e000 */
        {0xe00ff004, 0xfff02003},                              /* DWT, at 0xe0001000 */
        {0xe00ffff0, 0x0d},          {0xe00ffff4, 0x10},       /* a ROM table */
        {0xe00ffff8, 0x05},          {0xe00ffffc, 0xb1},       {0xe00fffe0, 0x49}, /* part 0x449 by maker 0x20 */
        {0xe00fffe4, 0x04},          {0xe00fffe8, 0x0a},       {0xe000efd0, 0x04}, {0xe000efe0, 0x0c},
        {0xe000efe4, 0xb0},          {0xe000efe8, 0x0b},       {0xe000eff0, 0x0d}, {0xe000eff4, 0xe0},
        {0xe000eff8, 0x05},          {0xe000effc, 0xb1},       {0xe0001fd0, 0x04}, {0xe0001fe0, 0x02},
        {0xe0001fe4, 0xb0},          {0xe0001fe8, 0x3b},       {0xe0001ff0, 0x0d}, {0xe0001ff4, 0xe0},
        {0xe0001ff8, 0x05},          {0xe0001ffc, 0xb1},
};

void core_init(struct core *core, const struct setup *setup, struct swd_counts *counts, struct qemu *qemu)
{
	*core = (struct core){.setup = setup, .counts = counts, .qemu = qemu};
}

static void command(struct core *core, const char *name)
{
	if (core->qemu != NULL)
		qemu_command(core->qemu, name, "");
}

static bool is_halted(const struct core *core)
{
	uint32_t both = DHCSR_C_DEBUGEN | DHCSR_C_HALT;

	return (core->dhcsr & both) == both;
}

/* Each byte of a register is its number, except for SP and PC. */
static uint32_t register_of(const struct core *core, uint32_t number)
{
	const struct setup *setup = core->setup;

	if (number == REGISTER_SP && setup->stack != 0)
		return (uint32_t)setup->stack;
	if (number == REGISTER_PC && setup->pcs_size > 0)
		return setup->pcs_address + (uint32_t)(core->counts->halts * 2 % setup->pcs_size);
	return 0x01010101u * number;
}

/* Sets the registers of a core that halts, and counts changes to those of one that continues. */
static void set_registers(struct core *core, bool is_halted)
{
	for (uint32_t i = 0; i <= DCRSR_REGISTERS; i++) {
		core->counts->changed_registers += !is_halted && core->registers[i] != register_of(core, i);
		core->registers[i] = register_of(core, i);
	}
}

/* C1.6.3. A running core transfers nothing. */
static void transfer(struct core *core, uint32_t word)
{
	uint32_t *value = &core->registers[word & DCRSR_REGISTERS];

	if (!is_halted(core))
		return;
	if ((word & DCRSR_WRITE) != 0)
		*value = core->register_data;
	else
		core->register_data = *value;
}

static void control(struct core *core, uint32_t controls)
{
	bool was_halted = is_halted(core);

	core->dhcsr = controls;
	if (is_halted(core) == was_halted)
		return;
	core->counts->halts += !was_halted;
	set_registers(core, !was_halted);
	core->has_retired = true;
	command(core, was_halted ? "cont" : "stop");
}

void core_reset(struct core *core)
{
	core->counts->resets++;
	core->was_reset = true;
	core->dwt_control = 0;
	command(core, "system_reset");
	bool is_caught = (core->demcr & DEMCR_VC_CORERESET) != 0 && (core->dhcsr & DHCSR_C_DEBUGEN) != 0;
	control(core, is_caught ? core->dhcsr | DHCSR_C_HALT : core->dhcsr & ~DHCSR_C_HALT);
}

static uint32_t read_status(struct core *core)
{
	uint32_t status = core->dhcsr | DHCSR_S_REGRDY;

	if (is_halted(core))
		status |= DHCSR_S_HALT;
	if (core->has_retired || !is_halted(core))
		status |= DHCSR_S_RETIRE_ST;
	core->has_retired = false;
	if (core->was_reset)
		status |= DHCSR_S_RESET_ST;
	core->was_reset = false;
	return status;
}

/* A step that is coprime to size visits every halfword once before it repeats one. */
static uint32_t choose_step(uint32_t size)
{
	for (uint32_t step = size * 5 / 8 + 1;; step++) {
		uint32_t a = step, b = size;

		while (b != 0) {
			uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

static uint32_t sample_pc(struct core *core)
{
	const struct setup *setup = core->setup;
	uint32_t halfwords = setup->pcs_size / 2;

	if ((core->demcr & DEMCR_TRCENA) == 0 || halfwords == 0)
		return 0;
	uint64_t read = core->pcs_read++;
	if (is_halted(core) || read * 61 % 100 < setup->asleep)
		return PCSR_UNAVAILABLE;
	return setup->pcs_address + (uint32_t)(read * choose_step(halfwords) % halfwords) * 2;
}

uint32_t core_read(struct core *core, uint32_t address)
{
	switch (address) {
	case CPUID:
		return CPUID_M7;
	case AIRCR:
		return AIRCR_KEY_READ;
	case DHCSR:
		return read_status(core);
	case DCRDR:
		return core->register_data;
	case DEMCR:
		return core->demcr;
	case DWT_CTRL:
		return DWT_CTRL_NUMCOMP | core->dwt_control;
	case DWT_PCSR:
		return sample_pc(core);
	case DBGMCU_CR:
		return core->dbgmcu_control;
	default:
		for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
			if (constants[i].address == address)
				return constants[i].word;
		return 0;
	}
}

void core_write(struct core *core, uint32_t address, uint32_t word)
{
	switch (address) {
	case AIRCR:
		if ((word & 0xffff0000u) == AIRCR_KEY && (word & AIRCR_SYSRESETREQ) != 0 && core->setup->deaf == 0)
			core_reset(core);
		break;
	case DHCSR:
		if ((word & 0xffff0000u) == DHCSR_KEY)
			control(core, word & DHCSR_CONTROLS);
		break;
	case DCRSR:
		transfer(core, word);
		break;
	case DCRDR:
		core->register_data = word;
		break;
	case DEMCR:
		core->demcr = word;
		break;
	case DWT_CTRL:
		core->dwt_control = word & 0x0fffffffu;
		break;
	case DBGMCU_CR:
		core->counts->dbgmcu_control = core->dbgmcu_control = word;
		break;
	default:
		break;
	}
}

bool core_is_kept_awake(const struct core *core)
{
	return (core->dbgmcu_control & DBGMCU_CR_AWAKE) != 0;
}
