/* SPDX-License-Identifier: MIT */
/* See debug_port.h. */
#include "acquire/dap/debug_port.h"

#include "acquire/dap/registers.h"
#include "base/wait.h"

#include <inttypes.h>

/* Milliseconds to wait for an answer: a target that is being powered up does not answer yet. */
#define CONNECT_TIME 500
/* The minimum of attempts per wake-up sequence, even with a slow probe. */
#define CONNECT_ATTEMPTS 6
/* Milliseconds for the power to come up. */
#define POWER_TIME 1000
/* After this many WAITs in a row the transfer is aborted. */
#define BUSY_TRIES 16
/* Attempts to disconnect over a noisy wire. */
#define DISCONNECT_TRIES 3

/* A wake-up sequence. */
struct wakeup {
	const char *name;
	const uint8_t *bits;
	unsigned count;
};

/* IHI 0031 B5.2: line reset, 0xE79E, line reset, idle. A debug port that already speaks SWD sees only a line reset. */
static const uint8_t jtag_to_swd_bits[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x9E, 0xE7,
                                           0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};
/* IHI 0031 B5.3.4: eight ones, selection alert, four zeros, activation code 0x1A of SWD, line reset, idle. */
static const uint8_t dormant_to_swd_bits[] = {0xFF, 0x92, 0xF3, 0x09, 0x62, 0x95, 0x2D, 0x85, 0x86, 0xE9,
                                              0xAF, 0xDD, 0xE3, 0xA2, 0x0E, 0xBC, 0x19, 0xA0, 0xF1, 0xFF,
                                              0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};

static const struct wakeup wakeups[] = {
        {"JTAG to SWD", jtag_to_swd_bits, 8 * sizeof jtag_to_swd_bits},
        {"dormant to SWD", dormant_to_swd_bits, 8 * sizeof dormant_to_swd_bits},
};

/* Devices with one debug port per core on the same wire. Other ports on the wire may be dangerous: powering up the
 * RP2040's rescue port, instance 15, resets the chip. */
static const struct device {
	const char *name;
	uint32_t target; /* TARGETID without revision */
	int cores;
} devices[] = {
        {"RP2040", 0x01002927, 2}, /* RP2040 Datasheet, 2.3.4 */
};

static bool port_is_cancelled(const struct port *port)
{
	return !wait_pause(0, port->setup.cancel);
}

enum status port_fail_if_cancelled(const struct port *port, struct error *error)
{
	return port_is_cancelled(port) ? status_fail(error, "%s: interrupted", port->dap->source) : STATUS_OK;
}

enum status port_transfer(struct port *port, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                          struct error *error)
{
	enum status status = port_fail_if_cancelled(port, error);

	if (status == STATUS_OK)
		status = port->dap->ops->transfer(port->dap, transfers, count, ack, error);
	port->is_lost = status != STATUS_OK || (port->is_lost && *ack != DAP_OK);
	if (status == STATUS_OK)
		trace_transfers(&port->trace, transfers, count, *ack);
	return status;
}

/* One register of the debug port. */
static enum status access_dp_register(struct port *port, uint8_t reg, uint32_t *word, enum dap_ack *ack,
                                      struct error *error)
{
	return port_transfer(port, &(struct dap_transfer){.reg = reg, .count = 1, .words = word}, 1, ack, error);
}

static bool is_powered(uint32_t status)
{
	return (status & CTRL_POWER_ACK) == CTRL_POWER_ACK;
}

enum dap_ack port_judge(uint32_t status)
{
	if (!is_powered(status))
		return DAP_NO_ACK;
	return status & CTRL_STICKY ? DAP_FAULT : DAP_OK;
}

bool port_is_jtag(const struct port *port)
{
	return port->dap->ops->wake != NULL;
}

const char *port_reason(bool is_jtag, enum dap_ack ack, uint32_t status)
{
	switch (ack) {
	case DAP_WAIT:
		return "the target's bus stays busy; its debug part may be off while the core sleeps (WFI): keep "
		       "the chip awake if it is an STM32";
	case DAP_FAULT:
		if (status & CTRL_WDATAERR)
			return "data arrive damaged at the target; try a lower clock speed and shorter wires";
		return "the target's bus answers with an error: no memory is there, or it is protected";
	case DAP_NO_ACK:
		if (is_jtag)
			return "the target does not answer; is it powered, and are TCK, TMS, TDI, TDO and GND "
			       "connected?";
		return "the target does not answer; is it powered, and are SWDIO, SWCLK and GND connected?";
	case DAP_LOST:
		return "the probe's answers get lost or do not match the commands; end any other program that uses "
		       "it, or plug it in again";
	default:
		return "the target's answers are damaged; try a lower clock speed and shorter wires";
	}
}

/* Reads a banked register, at address 0 or 4. */
static enum status read_bank(struct port *port, uint8_t reg, uint32_t bank, uint32_t *word, enum dap_ack *ack,
                             struct error *error)
{
	uint32_t bank_0 = 0;
	const struct dap_transfer transfers[] = {
	        {.reg = DP_SELECT, .count = 1, .words = &bank},
	        {.reg = reg | DAP_READ, .count = 1, .words = word},
	        {.reg = DP_SELECT, .count = 1, .words = &bank_0},
	};

	return port_transfer(port, transfers, 3, ack, error);
}

static enum status send_wakeup(struct port *port, const struct wakeup *wakeup, uint32_t target, struct error *error)
{
	struct dap *dap = port->dap;

	if (dap->ops->wake != NULL) {
		trace_sequence(&port->trace, "JTAG reset", 0);
		return dap->ops->wake(dap, wakeup != wakeups, error);
	}
	trace_sequence(&port->trace, wakeup->name, 0);
	enum status status = dap->ops->send_bits(dap, wakeup->bits, wakeup->count, error);
	if (status != STATUS_OK || target == 0)
		return status;
	trace_sequence(&port->trace, "DP TARGETSEL", target);
	status = dap->ops->select_target(dap, target, error);
	port->cannot_select = status != STATUS_OK;
	/* Until an attempt succeeds, the device is only a guess: a probe that cannot select targets must not fail here.
	 * A lost probe fails at the next access anyway. */
	return port->target == 0 ? STATUS_OK : status;
}

static enum status check_id(struct port *port, uint32_t id, enum dap_ack *ack, struct error *error)
{
	const char *source = port->dap->source;

	if (!(id & DPIDR_ONE)) {
		*ack = DAP_PROTOCOL_ERROR;
		return STATUS_OK;
	}
	if (DPIDR_VERSION(id) > 3)
		return status_fail(error,
		                   "%s: the target's debug port (DPIDR 0x%08" PRIX32 ") is newer than ADIv6; "
		                   "use openocd:HOST:PORT or gdb:HOST:PORT",
		                   source, id);
	if (port->id != 0 && port->id != id)
		return status_fail(error, "%s: another target answers (DPIDR 0x%08" PRIX32 ", before 0x%08" PRIX32 ")",
		                   source, id, port->id);
	port->id = id;
	return STATUS_OK;
}

static enum status choose_instance(struct port *port, const struct device *device, uint32_t *target,
                                   struct error *error)
{
	int core = port->setup.core < 0 ? 0 : port->setup.core;

	if (core >= device->cores)
		return status_usage(error, "%s: the %s has no core %d; its cores are 0 to %d", port->dap->source,
		                    device->name, core, device->cores - 1);
	*target = (uint32_t)core << INSTANCE_SHIFT | device->target;
	return STATUS_OK;
}

/* Unselected debug ports answer together; on a known device, one must be selected. */
static enum status check_alone(struct port *port, enum dap_ack *ack, struct error *error)
{
	uint32_t id;

	enum status status = read_bank(port, DP_CTRL_STAT, SELECT_TARGETID, &id, ack, error);
	if (status != STATUS_OK || *ack != DAP_OK)
		return status;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if ((id & TARGETID_MASK) == devices[i].target) {
			*ack = DAP_NO_ACK;
			return choose_instance(port, &devices[i], &port->target, error);
		}
	return STATUS_OK;
}

/* Checks that the selected port answers, because powering up another port might be harmful. */
static enum status check_selected(struct port *port, uint32_t target, enum dap_ack *ack, struct error *error)
{
	const uint32_t expected = target >> INSTANCE_SHIFT << INSTANCE_SHIFT | DLPIDR_PROTOCOL;
	uint32_t id, instance = 0;

	enum status status = read_bank(port, DP_CTRL_STAT, SELECT_TARGETID, &id, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		status = read_bank(port, DP_CTRL_STAT, SELECT_DLPIDR, &instance, ack, error);
	if (status != STATUS_OK || *ack != DAP_OK)
		return status;
	if (((id ^ target) & TARGETID_MASK) || (instance & DLPIDR_MASK) != expected)
		*ack = DAP_NO_ACK;
	else
		port->target = target;
	return STATUS_OK;
}

/* Valid sizes are 12 to 52 bits (IHI 0074, DPIDR1). */
static enum status read_address_bits(struct port *port, enum dap_ack *ack, struct error *error)
{
	uint32_t id = 0;

	enum status status = read_bank(port, DP_DPIDR, SELECT_DPIDR1, &id, ack, error);
	if (status != STATUS_OK || *ack != DAP_OK)
		return status;
	if (DPIDR1_ADDRESS_BITS(id) < 12 || DPIDR1_ADDRESS_BITS(id) > 64)
		return status_fail(error,
		                   "%s: the target's debug port has access ports at addresses of %u bits (DPIDR1 "
		                   "0x%08" PRIX32 "), which is not possible; try a lower clock speed",
		                   port->dap->source, DPIDR1_ADDRESS_BITS(id), id);
	port->address_bits = DPIDR1_ADDRESS_BITS(id);
	port->trace.has_addresses = true;
	return STATUS_OK;
}

enum status port_read_base(struct port *port, uint64_t *base, enum dap_ack *ack, struct error *error)
{
	uint32_t low = 0, high = 0;

	enum status status = read_bank(port, DP_DPIDR, SELECT_BASEPTR0, &low, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK && port->address_bits > 32)
		status = read_bank(port, DP_DPIDR, SELECT_BASEPTR1, &high, ack, error);
	*base = (uint64_t)high << 32 | low;
	return status;
}

/* Identifies the debug port. *ack: the first acknowledge that is not OK. */
static enum status identify_debug_port(struct port *port, uint32_t target, uint32_t abort, enum dap_ack *ack,
                                       struct error *error)
{
	uint32_t id, bank_0 = 0;

	enum status status = access_dp_register(port, DP_DPIDR, &id, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		status = check_id(port, id, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		status = access_dp_register(port, DP_ABORT, &abort, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		status = access_dp_register(port, DP_SELECT, &bank_0, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK && DPIDR_VERSION(id) == 3)
		status = read_address_bits(port, ack, error);
	if (status != STATUS_OK || *ack != DAP_OK || DPIDR_VERSION(id) < 2)
		return status;
	return target ? check_selected(port, target, ack, error) : check_alone(port, ack, error);
}

static enum status await_power(struct port *port, enum dap_ack *ack, struct error *error)
{
	const struct clock *clock = port->setup.clock;
	const uint64_t deadline = clock->now() + POWER_TIME;
	uint32_t status = 0;

	do {
		enum status result = access_dp_register(port, DP_CTRL_STAT | DAP_READ, &status, ack, error);

		if (result != STATUS_OK || *ack != DAP_OK || is_powered(status))
			return result;
		access_pause(&port->setup, 1);
	} while (clock->now() < deadline);
	return status_fail(error,
	                   "%s: the target's debug part gets no power (CTRL/STAT 0x%08" PRIX32
	                   "); is it held in reset, or locked?",
	                   port->dap->source, status);
}

static enum status power_up(struct port *port, enum dap_ack *ack, struct error *error)
{
	uint32_t found, wanted = CTRL_POWER_REQ;

	enum status status = access_dp_register(port, DP_CTRL_STAT | DAP_READ, &found, ack, error);
	if (status != STATUS_OK || *ack != DAP_OK)
		return status;
	if (!port->is_power_known)
		port->power = found & CTRL_POWER_REQ;
	port->is_power_known = true;
	status = access_dp_register(port, DP_CTRL_STAT, &wanted, ack, error);
	return status == STATUS_OK && *ack == DAP_OK ? await_power(port, ack, error) : status;
}

/* Alternates the wake-up sequences. One of several sleeping ports reacts only to TARGETSEL. */
static enum status plan_attempt(struct port *port, unsigned attempt, const struct wakeup **wakeup, uint32_t *target,
                                struct error *error)
{
	*target = port->target;
	*wakeup = &wakeups[attempt % 2];
	if (port->id != 0 || port->target != 0 || attempt % 3 != 2 || port->dap->ops->wake != NULL)
		return STATUS_OK;
	*wakeup = &wakeups[1];
	return choose_instance(port, &devices[attempt / 3 % (sizeof devices / sizeof *devices)], target, error);
}

static enum status attempt_connect(struct port *port, unsigned attempt, enum dap_ack *ack, struct error *error)
{
	const uint32_t abort = ABORT_CLEAR_ALL | (*ack == DAP_WAIT ? ABORT_DAPABORT : 0);
	const struct wakeup *wakeup;
	uint32_t target;

	enum status status = plan_attempt(port, attempt, &wakeup, &target, error);
	if (status == STATUS_OK)
		status = send_wakeup(port, wakeup, target, error);
	if (status == STATUS_OK)
		status = identify_debug_port(port, target, abort, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		status = power_up(port, ack, error);
	return status;
}

enum status port_connect(struct port *port, struct error *error)
{
	const struct clock *clock = port->setup.clock;
	const uint64_t deadline = clock->now() + CONNECT_TIME;
	enum dap_ack ack = DAP_NO_ACK;

	for (unsigned attempt = 0; attempt < CONNECT_ATTEMPTS || clock->now() < deadline; attempt++) {
		enum status status = port_fail_if_cancelled(port, error);

		if (status == STATUS_OK)
			status = attempt_connect(port, attempt, &ack, error);
		port->is_lost = status != STATUS_OK;
		if (status != STATUS_OK || ack == DAP_OK)
			return status;
	}
	port->is_lost = true;
	return status_fail(error, "%s: %s%s", port->dap->source, port_reason(port_is_jtag(port), ack, 0),
	                   ack == DAP_NO_ACK && port->cannot_select
	                           ? " An RP2040 needs a probe that can select one of several targets: "
	                             "update its firmware"
	                           : "");
}

/* Connects again if ABORT fails for any reason. */
static enum status clear_or_connect(struct port *port, uint32_t abort, struct error *error)
{
	enum dap_ack ack;

	enum status status = access_dp_register(port, DP_ABORT, &abort, &ack, error);
	return status == STATUS_OK && ack != DAP_OK ? port_connect(port, error) : status;
}

static enum status recover_fault(struct port *port, uint32_t *flags, struct error *error)
{
	enum dap_ack ack;

	enum status status = access_dp_register(port, DP_CTRL_STAT | DAP_READ, flags, &ack, error);
	if (status != STATUS_OK)
		return status;
	if (ack != DAP_OK || !is_powered(*flags)) {
		*flags = 0;
		return port_connect(port, error);
	}
	return clear_or_connect(port, ABORT_CLEAR_ALL, error);
}

enum status port_recover(struct port *port, enum dap_ack ack, unsigned tries, uint32_t *status, struct error *error)
{
	*status = 0;
	switch (ack) {
	case DAP_OK:
		return STATUS_OK;
	case DAP_WAIT:
		access_pause(&port->setup, 1);
		if (tries % BUSY_TRIES != BUSY_TRIES - 1)
			return STATUS_OK;
		return clear_or_connect(port, ABORT_CLEAR_ALL | ABORT_DAPABORT, error);
	case DAP_FAULT:
		return recover_fault(port, status, error);
	default:
		return port_connect(port, error);
	}
}

void port_disconnect(struct port *port)
{
	uint32_t bank_0 = 0, flags;
	const struct dap_transfer transfers[] = {
	        {.reg = DP_SELECT, .count = 1, .words = &bank_0},
	        {.reg = DP_CTRL_STAT, .count = 1, .words = &port->power},
	};
	enum dap_ack ack;
	struct error ignored;

	for (unsigned tries = 0; tries < DISCONNECT_TRIES; tries++)
		if (port_transfer(port, transfers, 2, &ack, &ignored) != STATUS_OK || ack == DAP_OK || port->is_lost ||
		    port_recover(port, ack, tries, &flags, &ignored) != STATUS_OK)
			return;
}
