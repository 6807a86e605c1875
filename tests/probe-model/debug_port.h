/* SPDX-License-Identifier: MIT */
/* A SW-DP, version 1 or 2 (IHI 0031, ADIv5.2, chapters B2 and B4): its registers, and how it acknowledges. Knows
 * nothing of bits on a line. Pushed operations (TRNMODE) are not modelled. */
#ifndef PROBE_MODEL_DEBUG_PORT_H
#define PROBE_MODEL_DEBUG_PORT_H

#include "access_port.h"

enum { ACK_OK = 1, ACK_WAIT = 2, ACK_FAULT = 4 };

enum { DEBUG_PORT_ACCESS_PORTS = 2 };

struct debug_port {
	const struct setup *setup;
	struct memory *memory;
	struct swd_counts *counts;
	uint32_t target_id; /* with instance; 0 = no multi-drop */
	bool is_rescue;
	struct access_port access_ports[DEBUG_PORT_ACCESS_PORTS];
	unsigned selectors[DEBUG_PORT_ACCESS_PORTS]; /* their APSEL; above 255 = none */
	uint32_t control;                            /* what of CTRL/STAT is written */
	uint32_t status;                             /* its sticky bits */
	uint32_t select;
	uint32_t turnaround;
	uint32_t posted; /* what the last read of an access port gave */
	uint32_t last_read;
	uint64_t powered_at; /* clocks */
	uint64_t busy_until;
	uint32_t result;   /* of the last access: the sticky bit that it sets when it is over */
	uint64_t accesses; /* of access ports, taken */
	uint64_t stuck_at;
	unsigned waits;
};

/* A transfer, as a request has it. */
struct request {
	bool is_ap;
	bool is_read;
	unsigned address; /* A[3:2], 0 to 12 */
};

/* A power-on. */
void debug_port_init(struct debug_port *port, const struct setup *setup, struct memory *memory,
                     struct swd_counts *counts, uint32_t target_id);
uint32_t debug_port_version(const struct debug_port *port);
/* How it acknowledges. */
unsigned debug_port_ask(struct debug_port *port, struct request request);
/* After ACK_OK. */
uint32_t debug_port_read_register(struct debug_port *port, struct request request);
void debug_port_write_register(struct debug_port *port, struct request request, uint32_t word);
/* Data of a write had a wrong parity. */
void debug_port_note_garbled(struct debug_port *port);
/* Whether data follows any acknowledge (B4.2, "sticky overrun behavior"). */
bool debug_port_always_has_data(const struct debug_port *port);

#endif
