/* SPDX-License-Identifier: MIT */
/* See swd.h. This file models the line: bits, phases of a transfer, and switches of protocol. Sections are those of
 * IHI 0031. */
#include "swd.h"

#include "jtag_dp.h"
#include "riscv.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS_MAX = 3, TAPS_MAX = 2 };

enum phase {
	PHASE_LOCKED, /* until a line reset */
	PHASE_RESET,  /* until two low bits follow it: B4.3.3 */
	PHASE_IDLE,
	PHASE_REQUEST,
	PHASE_TURN_TO_ACK,
	PHASE_ACK,
	PHASE_READ,          /* the target sends */
	PHASE_TURN_TO_WRITE, /* the host sends next */
	PHASE_WRITE,
	PHASE_TURN_TO_IDLE,
};

enum { REQUEST_BITS = 8, ACK_BITS = 3, DATA_BITS = 33, RESET_BITS = 50, RESET_LOW_BITS = 2 };

/* Sequences that switch protocols, lowest bit first: B5.2, B5.3. */
#define JTAG_TO_SWD      0xe79e
#define SWD_TO_JTAG      0xe73c
#define SWD_TO_DORMANT   0xe3bc
#define SWITCH_BITS      16
#define JTAG_TO_DORMANT  0x33bbbbba
#define JTAG_SWITCH_BITS 31
#define ALERT_HIGH       0x19bc0ea2e3ddafe9
#define ALERT_LOW        0x86852d956209f392
#define ACTIVATE_SWD     0x1a0 /* after four low bits */
#define ACTIVATE_JTAG    0x0a0
#define ACTIVATE_BITS    12
#define RP2040_DPIDR     0x0bc12477
#define RP2350_DPIDR     0x4c013477
#define OTHER_IDCODE     0x16410041 /* the boundary scan of an STM32F1 */

__extension__ typedef unsigned __int128 received_bits;

struct swd_target {
	struct setup setup;
	struct swd_counts counts;
	struct memory *memory;
	struct debug_port ports[PORTS_MAX];
	size_t port_count;
	struct debug_port *selected; /* NULL: no port answers */
	struct jtag_dp jtag_dp;
	struct riscv riscv;
	struct tap taps[TAPS_MAX]; /* the first is nearest to TDO */
	size_t tap_count;
	enum mode mode;
	received_bits received; /* the last bits on the line, the newest on top */
	unsigned ones;          /* in a row, up to now; at most RESET_BITS */
	unsigned since_alert;
	bool is_alert;

	enum phase phase;
	unsigned bits_left; /* of the phase */
	unsigned lows;      /* in PHASE_RESET */
	uint64_t bits;      /* received or sent in the phase, lowest first */
	bool is_fresh;      /* no request since the line reset, except TARGETSEL */
	bool is_target_select;
	struct request request;
	unsigned ack;
	uint64_t reads; /* with data */
	bool is_held_in_reset;
};

static bool is_jtag_lost(void *context);

static void power_on(struct swd_target *target)
{
	static const uint32_t rp2040[PORTS_MAX] = {0x01002927, 0x11002927, 0xf1002927}; /* datasheet, 2.3.4.1 */
	bool is_multi_drop = target->port_count > 1;

	for (size_t i = 0; i < target->port_count; i++)
		debug_port_init(&target->ports[i], &target->setup, target->memory, &target->counts,
		                is_multi_drop ? rp2040[i] : 0);
	target->selected = is_multi_drop ? NULL : &target->ports[0];
	target->phase = PHASE_LOCKED;
	target->jtag_dp = (struct jtag_dp){.port = &target->ports[0],
	                                   .is_lost = is_jtag_lost,
	                                   .context = target,
	                                   .idcode = (uint32_t)target->setup.idcode,
	                                   .instruction_bits = (unsigned)target->setup.ir};
	target->riscv =
	        (struct riscv){.setup = &target->setup,
	                       .memory = target->memory,
	                       .hart = {.setup = &target->setup, .memory = target->memory, .counts = &target->counts},
	                       .counts = &target->counts,
	                       .is_lost = is_jtag_lost,
	                       .context = target};
	riscv_power_on(&target->riscv);
	for (size_t i = 0; i < target->tap_count; i++)
		tap_reset(&target->taps[i]);
}

/* A device that is only part of the chain: it has an identity, or else is bypassed. */
static uint64_t capture_other(void *device, uint32_t instruction, unsigned *bits)
{
	(void)device;
	*bits = instruction == TAP_BYPASS ? 1 : 32;
	return instruction == 1 ? OTHER_IDCODE : 0;
}

static void update_other(void *device, uint32_t instruction, uint64_t bits)
{
	struct swd_target *target = device;

	(void)bits;
	target->counts.other_scans += instruction != 1 && instruction != TAP_BYPASS;
}

static void make_chain(struct swd_target *target)
{
	static const struct tap_ops other = {.capture = capture_other, .update = update_other};

	target->tap_count = target->setup.boundary != 0 ? 2 : 1;
	target->taps[0] = (struct tap){.ops = &jtag_dp_ops,
	                               .device = &target->jtag_dp,
	                               .instruction_bits = (unsigned)target->setup.ir,
	                               .first_instruction = (1u << target->setup.ir) - (0x10 - JTAG_DP_IDCODE)};
	if (target->setup.riscv != 0)
		target->taps[0] = (struct tap){.ops = &riscv_ops,
		                               .device = &target->riscv,
		                               .instruction_bits = RISCV_INSTRUCTION_BITS,
		                               .first_instruction = RISCV_IDCODE};
	target->taps[1] = (struct tap){.ops = &other,
	                               .device = target,
	                               .instruction_bits = (unsigned)target->setup.boundary,
	                               .first_instruction = 1};
}

struct swd_target *swd_open(const char *const *options, size_t count)
{
	struct swd_target *target = calloc(1, sizeof *target);

	if (!setup_read(&target->setup, options, count)) {
		free(target);
		return NULL;
	}
	target->memory = memory_create(&target->setup, &target->counts);
	if (target->memory == NULL) {
		free(target);
		return NULL;
	}
	target->port_count = 1;
	make_chain(target);
	target->mode = target->setup.start;
	if (target->setup.rp2040 != 0) {
		target->port_count = PORTS_MAX;
		target->mode = MODE_DORMANT;
		target->setup.dpidr = RP2040_DPIDR;
	}
	if (target->setup.rp2350 != 0) { /* datasheet, 3.5.2 */
		target->mode = MODE_DORMANT;
		target->setup.dpidr = RP2350_DPIDR;
		target->setup.ap = 0x2000;
		target->setup.ap2 = 0x4000;
	}
	power_on(target);
	return target;
}

static unsigned parity_of(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits) & 1;
}

static uint32_t last_bits(const struct swd_target *target, unsigned bits)
{
	return (uint32_t)(target->received >> (128 - bits));
}

static unsigned turnaround(const struct swd_target *target)
{
	return target->selected != NULL ? target->selected->turnaround : 1;
}

static void enter(struct swd_target *target, enum phase phase, unsigned bits)
{
	target->phase = phase;
	target->bits_left = bits;
}

static void lock(struct swd_target *target)
{
	target->counts.protocol_errors++;
	target->phase = PHASE_LOCKED;
}

static bool is_line_reset(const struct swd_target *target)
{
	return target->ones == RESET_BITS;
}

static void reset_line(struct swd_target *target)
{
	if (target->phase == PHASE_RESET && target->lows == 0)
		return;
	target->counts.line_resets++;
	for (size_t i = 0; i < target->port_count; i++)
		debug_port_reset_line(&target->ports[i]);
	target->is_fresh = true;
	target->lows = 0;
	target->phase = PHASE_RESET;
	/* No port answers until TARGETSEL: the strictest reading of B4.3.4. */
	if (target->port_count > 1)
		target->selected = NULL;
}

static bool is_unplugged(const struct swd_target *target)
{
	return target->setup.pins_off != 0 ||
	       (target->setup.unplug != 0 && target->counts.requests >= target->setup.unplug);
}

/* Whether a fault keeps the target from answering the request. */
static bool is_lost(struct swd_target *target)
{
	const struct setup *setup = &target->setup;
	uint64_t at = target->counts.requests;

	if (setup->reset != 0 && at == setup->reset) {
		memory_reset(target->memory);
		power_on(target);
		return true;
	}
	if (is_unplugged(target))
		return true;
	if (setup->signal != 0 && at == setup->signal)
		raise(SIGINT);
	return setup_is_due(setup->silent, at);
}

static bool is_jtag_lost(void *context)
{
	return is_lost(context);
}

static void begin_silence(struct swd_target *target)
{
	target->counts.silences++;
	target->phase = PHASE_LOCKED;
}

/* B4.3.4: no port drives the acknowledge of TARGETSEL. */
static void begin_target_select(struct swd_target *target)
{
	target->is_target_select = true;
	enter(target, PHASE_TURN_TO_WRITE, 1 + ACK_BITS + 1);
}

static void count_ack(struct swd_target *target)
{
	target->counts.oks += target->ack == ACK_OK;
	target->counts.waits += target->ack == ACK_WAIT;
	target->counts.faults += target->ack == ACK_FAULT;
}

static void begin_transfer(struct swd_target *target)
{
	bool is_dpidr = !target->request.is_ap && target->request.is_read && target->request.address == 0;

	if (target->selected == NULL) {
		begin_silence(target);
	} else if (target->is_fresh && !is_dpidr) {
		target->counts.silences++;
		lock(target);
	} else {
		target->is_fresh = false;
		target->ack = debug_port_ask(target->selected, target->request);
		count_ack(target);
		enter(target, PHASE_TURN_TO_ACK, turnaround(target));
	}
}

/* B4.1: start, APnDP, RnW, A[2:3], parity, stop, park. */
static void receive_request(struct swd_target *target)
{
	unsigned request = last_bits(target, REQUEST_BITS);
	unsigned fields = request >> 1 & 15;

	if ((request & 0xc1) != 0x81 || (request >> 5 & 1) != parity_of(fields)) {
		lock(target);
		return;
	}
	target->request = (struct request){
	        .is_ap = (fields & 1) != 0,
	        .is_read = (fields & 2) != 0,
	        .address = fields & 12,
	};
	target->counts.requests++;
	bool is_target_select = !target->request.is_ap && !target->request.is_read && target->request.address == 12;
	if (is_lost(target))
		begin_silence(target);
	else if (is_target_select && target->is_fresh && debug_port_version(&target->ports[0]) > 1)
		begin_target_select(target);
	else
		begin_transfer(target);
}

static void begin_read(struct swd_target *target)
{
	uint32_t word = debug_port_read_register(target->selected, target->request);

	target->bits = (uint64_t)parity_of(word) << 32 | word;
	if (setup_is_due(target->setup.parity, ++target->reads))
		target->bits ^= 1;
	enter(target, PHASE_READ, DATA_BITS);
}

/* Begins the phase after the acknowledge. With overrun detection it has data bits in any case. */
static void begin_data(struct swd_target *target)
{
	if (target->ack == ACK_OK && target->request.is_read)
		begin_read(target);
	else if (target->ack == ACK_OK)
		enter(target, PHASE_TURN_TO_WRITE, turnaround(target));
	else if (debug_port_always_has_data(target->selected))
		enter(target, PHASE_TURN_TO_IDLE, turnaround(target) + DATA_BITS);
	else
		enter(target, PHASE_TURN_TO_IDLE, turnaround(target));
}

static void select_port(struct swd_target *target, uint32_t id)
{
	for (size_t i = 0; i < target->port_count; i++)
		if (target->ports[i].target_id == id)
			target->selected = &target->ports[i];
}

static void end_write(struct swd_target *target)
{
	uint32_t word = (uint32_t)target->bits;
	bool is_wrong = parity_of(target->bits) != 0;

	target->phase = PHASE_IDLE;
	if (target->is_target_select && !is_wrong)
		select_port(target, word);
	else if (!target->is_target_select && is_wrong)
		debug_port_report_parity_error(target->selected);
	else if (!target->is_target_select)
		debug_port_write_register(target->selected, target->request, word);
	target->is_target_select = false;
}

static void begin_write(struct swd_target *target)
{
	target->bits = 0;
	enter(target, PHASE_WRITE, DATA_BITS);
}

static void end_phase(struct swd_target *target)
{
	switch (target->phase) {
	case PHASE_REQUEST:
		receive_request(target);
		break;
	case PHASE_TURN_TO_ACK:
		target->bits = target->ack;
		enter(target, PHASE_ACK, ACK_BITS);
		break;
	case PHASE_ACK:
		begin_data(target);
		break;
	case PHASE_READ:
		enter(target, PHASE_TURN_TO_IDLE, turnaround(target));
		break;
	case PHASE_TURN_TO_WRITE:
		begin_write(target);
		break;
	case PHASE_WRITE:
		end_write(target);
		break;
	default:
		target->phase = PHASE_IDLE;
	}
}

static void receive_between_transfers(struct swd_target *target, bool line)
{
	if (target->phase == PHASE_IDLE && line)
		enter(target, PHASE_REQUEST, REQUEST_BITS - 1);
	if (target->phase != PHASE_RESET)
		return;
	target->lows = line ? 0 : target->lows + 1;
	if (target->lows == RESET_LOW_BITS)
		target->phase = PHASE_IDLE;
}

static void receive_swd(struct swd_target *target, bool line)
{
	if (target->phase <= PHASE_IDLE) {
		receive_between_transfers(target, line);
		return;
	}
	if (target->phase == PHASE_WRITE)
		target->bits |= (uint64_t)line << (DATA_BITS - target->bits_left);
	else
		target->bits >>= 1;
	if (--target->bits_left == 0)
		end_phase(target);
}

/* B5.2: a code is valid only after a line reset, which also resets JTAG. */
static bool is_switched_by(const struct swd_target *target, uint32_t code)
{
	received_bits after_reset = ((received_bits)code << RESET_BITS) | (((received_bits)1 << RESET_BITS) - 1);

	return target->received >> (128 - SWITCH_BITS - RESET_BITS) == after_reset;
}

static void switch_to(struct swd_target *target, enum mode mode)
{
	target->mode = mode;
	target->phase = PHASE_LOCKED;
	target->is_alert = false;
}

static void receive_dormant(struct swd_target *target)
{
	if (target->received == ((received_bits)ALERT_HIGH << 64 | ALERT_LOW)) {
		target->is_alert = true;
		target->since_alert = 0;
		return;
	}
	if (!target->is_alert || ++target->since_alert < ACTIVATE_BITS)
		return;
	target->is_alert = false;
	if (last_bits(target, ACTIVATE_BITS) == ACTIVATE_SWD)
		switch_to(target, MODE_SWD);
	else if (last_bits(target, ACTIVATE_BITS) == ACTIVATE_JTAG && target->setup.start == MODE_JTAG)
		switch_to(target, MODE_JTAG);
}

/* Version 1 has no dormant state. */
static void receive_switch(struct swd_target *target)
{
	bool has_dormant = debug_port_version(&target->ports[0]) > 1;

	if (target->mode == MODE_JTAG && is_switched_by(target, JTAG_TO_SWD))
		switch_to(target, MODE_SWD);
	else if (target->mode == MODE_JTAG && has_dormant && last_bits(target, JTAG_SWITCH_BITS) == JTAG_TO_DORMANT)
		switch_to(target, MODE_DORMANT);
	else if (target->mode == MODE_SWD && has_dormant && is_switched_by(target, SWD_TO_DORMANT))
		switch_to(target, MODE_DORMANT);
	else if (target->mode == MODE_SWD && target->setup.start == MODE_JTAG && is_switched_by(target, SWD_TO_JTAG))
		switch_to(target, MODE_JTAG);
}

static void receive(struct swd_target *target, bool line)
{
	target->received = target->received >> 1 | (received_bits)line << 127;
	target->ones = !line ? 0 : target->ones < RESET_BITS ? target->ones + 1 : RESET_BITS;
	if (target->mode == MODE_SWD && is_line_reset(target))
		reset_line(target);
	else if (target->mode == MODE_SWD)
		receive_swd(target, line);
	if (target->setup.riscv != 0)
		return;
	if (target->mode == MODE_DORMANT)
		receive_dormant(target);
	else
		receive_switch(target);
}

bool swd_drives(const struct swd_target *target)
{
	return target->phase == PHASE_ACK || target->phase == PHASE_READ;
}

bool swd_level(const struct swd_target *target)
{
	return !swd_drives(target) || (target->bits & 1) != 0;
}

bool swd_clock(struct swd_target *target, bool host_drives, bool bit)
{
	const bool line = host_drives ? bit : swd_level(target);

	target->counts.clocks++;
	target->counts.collisions += host_drives && swd_drives(target);
	receive(target, line);
	return line;
}

/* The bits move from TDI to the last port, and from port to port. */
static void clock_chain(struct swd_target *target, bool tms, bool tdi)
{
	for (size_t i = target->tap_count; i-- > 0;) {
		bool tdo = tap_output(&target->taps[i]);

		tap_clock(&target->taps[i], tms, tdi);
		tdi = tdo;
	}
}

static bool is_jtag(const struct swd_target *target)
{
	return target->mode == MODE_JTAG && !is_unplugged(target);
}

bool swd_jtag_output(const struct swd_target *target)
{
	return !is_jtag(target) || tap_output(&target->taps[0]);
}

bool swd_clock_jtag(struct swd_target *target, bool tms, bool tdi)
{
	const bool tdo = swd_jtag_output(target);

	target->counts.clocks++;
	if (is_jtag(target))
		clock_chain(target, tms, tdi);
	receive(target, tms);
	return tdo;
}

void swd_drive_reset(struct swd_target *target, bool is_low)
{
	if (is_low && !target->is_held_in_reset)
		memory_reset(target->memory);
	if (is_low)
		target->setup.pins_off = 0;
	if (is_low != target->is_held_in_reset && target->setup.pin_resets_dm != 0)
		riscv_reset_module(&target->riscv);
	target->is_held_in_reset = is_low;
	target->counts.in_reset = is_low;
}

void *swd_memory(struct swd_target *target, uint64_t address, size_t size)
{
	return memory_at(target->memory, address, size);
}

const struct swd_counts *swd_counts(const struct swd_target *target)
{
	return &target->counts;
}

void swd_print_counts(const struct swd_target *target, FILE *stream)
{
#define PRINT(field, name) fprintf(stream, "%s %" PRIu64 "\n", name, target->counts.field);
	SWD_COUNTS(PRINT)
}

void swd_close(struct swd_target *target)
{
	if (target == NULL)
		return;
	memory_free(target->memory);
	free(target);
}
