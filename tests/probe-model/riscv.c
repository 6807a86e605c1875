/* SPDX-License-Identifier: MIT */
/* See riscv.h. Sections and names of registers are those of the specification. */
#include "riscv.h"

/* 6.1.2 */
enum { DTMCS = 0x10, DMI = 0x11 };
#define DTMCS_VERSION   1u
#define DTMCS_ABITS     4
#define DTMCS_DMISTAT   10
#define DTMCS_IDLE      12
#define DTMCS_DMI_RESET 0x10000u

/* A scan of DMI (6.1.5). */
enum { OP_READ = 1, OP_WRITE = 2, OP_FAILED = 2, OP_BUSY = 3, OP_MASK = 3, DATA_SHIFT = 2, ADDRESS_SHIFT = 34 };

/* 3.12 */
enum {
	DMCONTROL = 0x10,
	DMSTATUS = 0x11,
	SBCS = 0x38,
	SBADDRESS0 = 0x39,
	SBDATA0 = 0x3c,
	HALTSUM0 = 0x40,
};

#define DMCONTROL_HALTREQ      0x80000000u
#define DMCONTROL_RESUMEREQ    0x40000000u
#define DMCONTROL_ACKHAVERESET 0x10000000u
#define DMCONTROL_NDMRESET     0x2u
#define DMCONTROL_DMACTIVE     0x1u
#define HARTSEL(word)          ((word) >> 16 & 0x3ffu)

#define DMSTATUS_AUTHENTICATED 0x80u
#define DMSTATUS_HALTED        0x300u /* any and all */
#define DMSTATUS_RUNNING       0xc00u
#define DMSTATUS_NONEXISTENT   0xc000u
#define DMSTATUS_RESUMEACK     0x30000u
#define DMSTATUS_HAVERESET     0xc0000u

/* SBCS (3.12.18). */
#define SB_VERSION_1     0x20000000u
#define SB_BUSY_ERROR    0x400000u
#define SB_BUSY          0x200000u
#define SB_READ_ON_ADDR  0x100000u
#define SB_ACCESS        17
#define SB_AUTOINCREMENT 0x10000u
#define SB_READ_ON_DATA  0x8000u
#define SB_ERROR         0x7000u
#define SB_ERROR_SHIFT   12
#define SB_ASIZE_32      (32u << 5)
#define SB_WRITABLE      0x1f8000u
enum { SB_BAD_ADDRESS = 2, SB_BAD_ALIGNMENT = 3, SB_BAD_SIZE = 4 };

/* --- The system bus. */

static bool is_bus_busy(const struct riscv *riscv)
{
	return riscv->counts->clocks < riscv->bus_until;
}

static bool has_bus_error(const struct riscv *riscv)
{
	return (riscv->bus_control & (SB_BUSY_ERROR | SB_ERROR)) != 0;
}

/* Returns an error for sberror, or 0. */
static unsigned transfer(struct riscv *riscv, bool is_write)
{
	const unsigned code = riscv->bus_control >> SB_ACCESS & 7, size = 1u << code;
	struct memory_access access = {.address = riscv->bus_address, .size = size, .is_write = is_write};

	if (code > 2 || (riscv->setup->bus >> code & 1) == 0)
		return SB_BAD_SIZE;
	if (riscv->bus_address % size != 0)
		return SB_BAD_ALIGNMENT;
	for (unsigned i = 0; i < size; i++)
		access.bytes[i] = (uint8_t)(riscv->bus_data >> 8 * i);
	if (!memory_access(riscv->memory, &access))
		return SB_BAD_ADDRESS;
	if (is_write)
		return 0;
	riscv->bus_data = 0;
	for (unsigned i = 0; i < size; i++)
		riscv->bus_data |= (uint32_t)access.bytes[i] << 8 * i;
	if (riscv->setup->bus_zeros != 0 && !riscv->hart.is_halted)
		riscv->bus_data = 0;
	return 0;
}

static void start_transfer(struct riscv *riscv, bool is_write)
{
	if (has_bus_error(riscv))
		return;
	riscv->bus_control |= transfer(riscv, is_write) << SB_ERROR_SHIFT;
	riscv->bus_until = riscv->counts->clocks + riscv->setup->bus_busy;
	if ((riscv->bus_control & SB_AUTOINCREMENT) != 0 && !has_bus_error(riscv))
		riscv->bus_address += 1u << (riscv->bus_control >> SB_ACCESS & 7);
}

/* An access to the bus registers during a transfer sets sbbusyerror. */
static bool may_use_bus(struct riscv *riscv)
{
	if (is_bus_busy(riscv))
		riscv->bus_control |= SB_BUSY_ERROR;
	return !is_bus_busy(riscv);
}

static void write_bus_control(struct riscv *riscv, uint32_t word)
{
	const uint32_t cleared = word & (SB_BUSY_ERROR | SB_ERROR);

	if (may_use_bus(riscv))
		riscv->bus_control = (riscv->bus_control & ~(SB_WRITABLE | cleared)) | (word & SB_WRITABLE);
}

static uint32_t read_bus_control(const struct riscv *riscv)
{
	if (riscv->setup->bus == 0)
		return 0;
	return SB_VERSION_1 | riscv->bus_control | (is_bus_busy(riscv) ? SB_BUSY : 0) | SB_ASIZE_32 |
	       (uint32_t)riscv->setup->bus;
}

static uint32_t read_bus_data(struct riscv *riscv)
{
	const uint32_t word = riscv->bus_data;

	if (may_use_bus(riscv) && (riscv->bus_control & SB_READ_ON_DATA) != 0)
		start_transfer(riscv, false);
	return word;
}

/* --- Harts. */

static void set_active(struct riscv *riscv, bool is_active)
{
	riscv->is_active = is_active;
	riscv->counts->dm_active = is_active;
}

void riscv_reset_module(struct riscv *riscv)
{
	set_active(riscv, false);
	riscv->counts->in_reset = 0;
	riscv->bus_control = 2u << SB_ACCESS;
}

void riscv_power_on(struct riscv *riscv)
{
	set_active(riscv, riscv->setup->active != 0);
	if (riscv->setup->halted != 0)
		hart_halt(&riscv->hart, true);
}

/* 3.5: a running hart ignores a request to resume, and does not acknowledge it. */
static void write_control(struct riscv *riscv, uint32_t word)
{
	if ((word & DMCONTROL_DMACTIVE) == 0) {
		riscv_reset_module(riscv);
		return;
	}
	set_active(riscv, true);
	riscv->counts->in_reset = (word & DMCONTROL_NDMRESET) != 0;
	riscv->selected = HARTSEL(word);
	if ((word & DMCONTROL_ACKHAVERESET) != 0)
		riscv->was_reset = false;
	if ((word & DMCONTROL_NDMRESET) != 0 && riscv->setup->deaf == 0) {
		riscv->was_reset = true;
		memory_reset(riscv->memory);
		hart_halt(&riscv->hart, false);
	}
	if ((word & DMCONTROL_HALTREQ) != 0) {
		hart_halt(&riscv->hart, true);
	} else if ((word & DMCONTROL_RESUMEREQ) != 0) {
		riscv->is_resume_acknowledged = riscv->hart.is_halted;
		hart_halt(&riscv->hart, false);
	}
}

static uint32_t read_status(const struct riscv *riscv)
{
	uint32_t status = (uint32_t)riscv->setup->dm | DMSTATUS_AUTHENTICATED;

	if (riscv->selected >= riscv->setup->riscv)
		return status | DMSTATUS_NONEXISTENT;
	status |= riscv->hart.is_halted ? DMSTATUS_HALTED : DMSTATUS_RUNNING;
	if (riscv->is_resume_acknowledged)
		status |= DMSTATUS_RESUMEACK;
	return riscv->was_reset ? status | DMSTATUS_HAVERESET : status;
}

/* --- Registers of the debug module. */

static uint32_t read_register(struct riscv *riscv, unsigned address)
{
	switch (address) {
	case DMCONTROL:
		return riscv->selected << 16 | riscv->is_active;
	case DMSTATUS:
		return read_status(riscv);
	case SBCS:
		return read_bus_control(riscv);
	case SBADDRESS0:
		return riscv->bus_address;
	case SBDATA0:
		return read_bus_data(riscv);
	case HALTSUM0:
		return riscv->hart.is_halted ? (1u << riscv->setup->riscv) - 1 : 0;
	default:
		return hart_has(address) ? hart_read(&riscv->hart, address) : 0;
	}
}

static void write_register(struct riscv *riscv, unsigned address, uint32_t word)
{
	if (address == DMCONTROL) {
		write_control(riscv, word);
		return;
	}
	/* 3.12.2: without dmactive the module keeps its state after a reset. */
	if (!riscv->is_active)
		return;
	switch (address) {
	case SBCS:
		write_bus_control(riscv, word);
		break;
	case SBADDRESS0:
		if (!may_use_bus(riscv))
			break;
		riscv->bus_address = word;
		if ((riscv->bus_control & SB_READ_ON_ADDR) != 0)
			start_transfer(riscv, false);
		break;
	case SBDATA0:
		if (!may_use_bus(riscv))
			break;
		riscv->bus_data = word;
		start_transfer(riscv, true);
		break;
	default:
		if (hart_has(address))
			hart_write(&riscv->hart, address, word);
		break;
	}
}

/* --- The transport. */

static unsigned address_bits(const struct riscv *riscv)
{
	return (unsigned)riscv->setup->abits;
}

static uint64_t capture_dmi(struct riscv *riscv)
{
	if (riscv->counts->clocks < riscv->dmi_until)
		riscv->dmi_error = OP_BUSY;
	riscv->counts->waits += riscv->dmi_error == OP_BUSY;
	return riscv->dmi_result | riscv->dmi_error;
}

static uint64_t capture(void *device, uint32_t instruction, unsigned *bits)
{
	struct riscv *riscv = device;

	*bits = 32;
	if (riscv->is_silent)
		return UINT64_MAX;
	switch (instruction) {
	case RISCV_IDCODE:
		return (uint32_t)riscv->setup->idcode;
	case DTMCS:
		return DTMCS_VERSION | address_bits(riscv) << DTMCS_ABITS | riscv->dmi_error << DTMCS_DMISTAT |
		       (uint32_t)riscv->setup->dmi_idle << DTMCS_IDLE;
	case DMI:
		*bits = ADDRESS_SHIFT + address_bits(riscv);
		return capture_dmi(riscv);
	default:
		*bits = 1;
		return 0;
	}
}

static void request(struct riscv *riscv, uint64_t bits)
{
	const uint32_t word = (uint32_t)(bits >> DATA_SHIFT);
	const unsigned address = (unsigned)(bits >> ADDRESS_SHIFT), op = bits & OP_MASK;

	if (riscv->dmi_error != 0 || op == 0)
		return;
	riscv->counts->requests++;
	riscv->is_silent = riscv->is_lost(riscv->context);
	if (riscv->is_silent)
		return;
	riscv->dmi_until = riscv->counts->clocks + riscv->setup->dmi_busy;
	if (setup_is_due(riscv->setup->dmi_fault, riscv->counts->requests))
		riscv->dmi_error = OP_FAILED;
	else if (op == OP_READ)
		riscv->dmi_result = (uint64_t)read_register(riscv, address) << DATA_SHIFT | (uint64_t)address
		                                                                                    << ADDRESS_SHIFT;
	else if (op == OP_WRITE)
		write_register(riscv, address, word);
}

static void update(void *device, uint32_t instruction, uint64_t bits)
{
	struct riscv *riscv = device;

	if (riscv->is_silent)
		return;
	if (instruction == DTMCS && (bits & DTMCS_DMI_RESET) != 0)
		riscv->dmi_error = 0;
	else if (instruction == DMI)
		request(riscv, bits);
}

static void reset(void *device)
{
	struct riscv *riscv = device;

	riscv->counts->line_resets++;
	riscv->is_silent = false;
	riscv->dmi_error = 0;
}

const struct tap_ops riscv_ops = {.reset = reset, .capture = capture, .update = update};
