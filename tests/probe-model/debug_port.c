/* SPDX-License-Identifier: MIT */
/* See debug_port.h. Sections are those of IHI 0031. */
#include "debug_port.h"

#include "rom_table.h"

#define ABORT_DAP    0x01u /* B2.2.1 */
#define ABORT_CMP    0x02u
#define ABORT_ERR    0x04u
#define ABORT_WDATA  0x08u
#define ABORT_ORUN   0x10u
#define STAT_ORUN_ON 0x00000001u /* B2.2.2 */
#define STAT_ORUN    0x00000002u
#define STAT_CMP     0x00000010u
#define STAT_ERR     0x00000020u
#define STAT_READ_OK 0x00000040u
#define STAT_WDATA   0x00000080u
#define STAT_STICKY  (STAT_ORUN | STAT_CMP | STAT_ERR | STAT_WDATA)
#define STAT_STORED  0x54ffff01u /* without TRNMODE */
#define STAT_DEBUG   0x10000000u /* CDBGPWRUPREQ; CDBGPWRUPACK is the bit above */
#define STAT_POWER   0x50000000u

#define DLCR_RES1         0x40u /* B2.2.3 */
#define DLCR_TURNAROUND   8
#define WAITS_OF_A_FAULT  3
#define NO_ACCESS_PORT    256
#define RP2040_RESCUE     0xf1002927u
#define RP2040_CORE1      0x11002927u
#define INSTANCE(id)      ((id)&0xf0000000u)
#define DLPIDR_PROTOCOL_2 1u
#define RP2350            0x00040927u

static unsigned selector_of(uint64_t number)
{
	return number < NO_ACCESS_PORT ? (unsigned)number : NO_ACCESS_PORT;
}

static void power_off_access_ports(struct debug_port *port)
{
	unsigned first_core = port->target_id == RP2040_CORE1 ? 1 : 0;

	for (unsigned i = 0; i < DEBUG_PORT_ACCESS_PORTS; i++)
		access_port_init(&port->access_ports[i], port->setup, port->memory, port->counts, first_core | i);
}

void debug_port_init(struct debug_port *port, const struct setup *setup, struct memory *memory,
                     struct swd_counts *counts, uint32_t target_id)
{
	*port = (struct debug_port){
	        .setup = setup,
	        .memory = memory,
	        .counts = counts,
	        .target_id = target_id,
	        .is_rescue = target_id == RP2040_RESCUE,
	        .selectors = {selector_of(setup->ap), selector_of(setup->ap2)},
	        .stuck_at = setup->wait_for_ever,
	        .turnaround = 1,
	};
	power_off_access_ports(port);
}

uint32_t debug_port_version(const struct debug_port *port)
{
	return (uint32_t)port->setup->dpidr >> 12 & 15;
}

bool debug_port_always_has_data(const struct debug_port *port)
{
	return (port->control & STAT_ORUN_ON) != 0;
}

void debug_port_report_parity_error(struct debug_port *port)
{
	port->status |= STAT_WDATA;
}

/* Power is acknowledged some clocks after the request, and for as long as the request is set. */
static uint32_t power_status(const struct debug_port *port)
{
	uint32_t requests = port->control & STAT_POWER;

	return requests | (port->counts->clocks >= port->powered_at ? requests << 1 : 0);
}

void debug_port_reset_line(struct debug_port *port)
{
	if (debug_port_version(port) == 3)
		port->select &= ~15u;
}

/* The address of a version 3 access (IHI 0074, B2.2.11). */
static uint64_t selected_address(const struct debug_port *port, struct request request)
{
	const uint64_t address = (uint64_t)port->select1 << 32 | (port->select & ~15u) | request.address;

	return port->setup->asize < 64 ? address & (((uint64_t)1 << port->setup->asize) - 1) : address;
}

static struct access_port *selected_access_port(struct debug_port *port, struct request request)
{
	const uint64_t address = selected_address(port, request);
	size_t index;

	if (debug_port_version(port) == 3) {
		bool is_register = (address & 0xf00) == ROM_TABLE_AP_REGISTERS;

		return rom_table_is_port(port->setup, address & ~(uint64_t)0xfff, &index) && is_register
		               ? &port->access_ports[index]
		               : NULL;
	}
	for (size_t i = 0; i < DEBUG_PORT_ACCESS_PORTS; i++)
		if (port->selectors[i] == port->select >> 24 && !port->is_rescue)
			return &port->access_ports[i];
	return NULL;
}

/* An access sets its sticky bit when it ends. */
static void update_status(struct debug_port *port)
{
	if (port->counts->clocks < port->busy_until)
		return;
	port->status |= port->result;
	port->result = 0;
}

bool debug_port_is_busy(struct debug_port *port, struct request request)
{
	update_status(port);
	if (port->counts->clocks < port->busy_until)
		return true;
	if (!request.is_ap)
		return false;
	if (port->stuck_at != 0 && port->accesses + 1 >= port->stuck_at)
		return true;
	return setup_is_due(port->setup->wait, port->accesses + 1) && port->waits++ < WAITS_OF_A_FAULT;
}

/* These accesses always work, so that a host can diagnose and clear errors. */
static bool is_always_accepted(struct request request)
{
	return !request.is_ap && (request.address == 0 || (request.is_read && request.address == 4));
}

void debug_port_record_overrun(struct debug_port *port)
{
	if (!debug_port_always_has_data(port))
		return;
	port->counts->overruns += (port->status & STAT_ORUN) == 0;
	port->status |= STAT_ORUN;
}

bool debug_port_is_sticky(const struct debug_port *port)
{
	return (port->status & STAT_STICKY) != 0;
}

void debug_port_clear_sticky(struct debug_port *port, uint32_t word)
{
	port->status &= ~(word & STAT_STICKY);
}

unsigned debug_port_examine(struct debug_port *port, struct request request)
{
	bool is_rdbuff = !request.is_ap && request.is_read && request.address == 12;

	update_status(port);
	if (is_always_accepted(request))
		return ACK_OK;
	if ((port->status & STAT_STICKY) != 0)
		return ACK_FAULT;
	if (request.is_ap && (power_status(port) & STAT_DEBUG << 1) == 0) {
		port->status |= STAT_ERR;
		return ACK_FAULT;
	}
	if ((request.is_ap || is_rdbuff) && debug_port_is_busy(port, request))
		return ACK_WAIT;
	return ACK_OK;
}

unsigned debug_port_ask(struct debug_port *port, struct request request)
{
	unsigned ack = debug_port_examine(port, request);

	if (ack != ACK_OK)
		debug_port_record_overrun(port);
	return ack;
}

static void record_access(struct debug_port *port, bool ok)
{
	port->accesses++;
	port->waits = 0;
	port->busy_until = port->counts->clocks + port->setup->busy;
	port->result = ok ? 0 : STAT_ERR;
}

static unsigned access_port_register(const struct debug_port *port, struct request request)
{
	return (port->select & 0xf0) | request.address;
}

/* B4.2.2: returns the result of the previous read. */
static uint32_t read_access_port(struct debug_port *port, struct request request)
{
	struct access_port *selected = selected_access_port(port, request);
	uint32_t word = 0, before = port->posted;
	bool ok = true;

	if (selected != NULL)
		ok = access_port_read(selected, access_port_register(port, request), &word);
	else if (debug_port_version(port) == 3)
		ok = rom_table_read(port->setup, selected_address(port, request), &word);

	port->status = ok ? port->status | STAT_READ_OK : port->status & ~STAT_READ_OK;
	if (ok)
		port->posted = word;
	record_access(port, ok);
	return before;
}

static uint32_t read_status(struct debug_port *port)
{
	uint32_t bank = port->select & (debug_port_version(port) == 1 ? 1 : 15);
	bool is_multi_drop = port->target_id != 0;

	switch (bank) {
	case 0:
		return power_status(port) | (port->control & ~STAT_POWER) | port->status;
	case 1:
		return DLCR_RES1 | (port->turnaround - 1) << DLCR_TURNAROUND;
	case 2:
		if (port->setup->rp2350 != 0)
			return RP2350;
		return is_multi_drop ? port->target_id & ~INSTANCE(~0u) : 0;
	case 3:
		return DLPIDR_PROTOCOL_2 | INSTANCE(port->target_id);
	default: /* bank 4, EVENTSTAT: no event */
		return bank == 4;
	}
}

static uint32_t read_identity(const struct debug_port *port)
{
	const uint64_t base = rom_table_base(port->setup);

	switch (debug_port_version(port) == 3 ? port->select & 15 : 0) {
	case 1: /* DPIDR1 */
		return (uint32_t)port->setup->asize;
	case 2: /* BASEPTR0 and 1 */
		return (uint32_t)base;
	case 3:
		return (uint32_t)(base >> 32);
	default:
		return (uint32_t)port->setup->dpidr;
	}
}

uint32_t debug_port_read_register(struct debug_port *port, struct request request)
{
	if (request.is_ap)
		return port->last_read = read_access_port(port, request);
	switch (request.address) {
	case 0:
		return read_identity(port);
	case 4:
		return read_status(port);
	case 8: /* RESEND, B2.2.8 */
		return port->last_read;
	default: /* RDBUFF, B2.2.7 */
		port->status |= STAT_READ_OK;
		return port->last_read = port->posted;
	}
}

static void abort_access(struct debug_port *port, uint32_t word)
{
	static const struct {
		uint32_t abort;
		uint32_t stat;
	} clears[] = {{ABORT_CMP, STAT_CMP}, {ABORT_ERR, STAT_ERR}, {ABORT_WDATA, STAT_WDATA}, {ABORT_ORUN, STAT_ORUN}};

	for (size_t i = 0; i < sizeof clears / sizeof clears[0]; i++)
		if ((word & clears[i].abort) != 0)
			port->status &= ~clears[i].stat;
	if ((word & ABORT_DAP) == 0)
		return;
	port->busy_until = 0;
	port->result = 0;
	if (port->stuck_at != 0)
		port->stuck_at = port->accesses + port->setup->wait_for_ever;
}

/* Powering up the rescue port resets the chip (RP2040 datasheet, 2.3.4.2). */
static void write_control(struct debug_port *port, uint32_t word)
{
	uint32_t before = port->control;

	port->control = word & STAT_STORED;
	if (((before ^ word) & STAT_POWER) != 0)
		port->powered_at = port->counts->clocks + port->setup->power_up;
	if ((word & STAT_DEBUG) == 0)
		power_off_access_ports(port);
	if (port->is_rescue && (word & ~before & STAT_DEBUG) != 0) {
		port->counts->rescues++;
		memory_reset(port->memory);
	}
}

static void write_status(struct debug_port *port, uint32_t word)
{
	switch (port->select & (debug_port_version(port) == 1 ? 1 : 15)) {
	case 0:
		write_control(port, word);
		break;
	case 1:
		port->turnaround = (word >> DLCR_TURNAROUND & 3) + 1;
		break;
	case 5:
		if (debug_port_version(port) == 3)
			port->select1 = word;
		break;
	default:
		break;
	}
}

void debug_port_write_register(struct debug_port *port, struct request request, uint32_t word)
{
	struct access_port *selected = selected_access_port(port, request);

	if (request.is_ap)
		record_access(port, selected == NULL ||
		                            access_port_write(selected, access_port_register(port, request), word));
	else if (request.address == 0)
		abort_access(port, word);
	else if (request.address == 4)
		write_status(port, word);
	else if (request.address == 8)
		port->select = word;
}
