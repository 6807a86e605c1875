/* SPDX-License-Identifier: MIT */
/* Model of an SW-DP, version 1 or 2 (IHI 0031, ADIv5.2, chapters B2 and B4) or 3 (IHI 0074, ADIv6): its registers and
 * acknowledges. Pushed operations (TRNMODE) are missing. */
#ifndef PROBE_MODEL_DEBUG_PORT_H
#define PROBE_MODEL_DEBUG_PORT_H

#include "access_port.h"

enum { ACK_OK = 1, ACK_WAIT = 2, ACK_FAULT = 4 };

enum { DEBUG_PORT_ACCESS_PORTS = 2 };

struct debug_port {
	const struct setup *setup;
	struct memory *memory;
	struct swd_counts *counts;
	uint32_t target_id; /* with instance; 0: no multi-drop */
	bool is_rescue;
	struct access_port access_ports[DEBUG_PORT_ACCESS_PORTS];
	unsigned selectors[DEBUG_PORT_ACCESS_PORTS]; /* the APSEL of each, before version 3; above 255: none */
	uint32_t control;                            /* written bits of CTRL/STAT */
	uint32_t status;                             /* sticky bits of CTRL/STAT */
	uint32_t select, select1;
	uint32_t turnaround;
	uint32_t posted; /* result of the last read of an access port */
	uint32_t last_read;
	uint64_t powered_at; /* clocks */
	uint64_t busy_until;
	uint32_t result;   /* sticky bit that the last access sets at its end */
	uint64_t accesses; /* to access ports, accepted */
	uint64_t stuck_at;
	unsigned waits;
};

/* The fields of a request. */
struct request {
	bool is_ap;
	bool is_read;
	unsigned address; /* A[3:2], 0 to 12 */
};

/* Powers the port on. */
void debug_port_init(struct debug_port *port, const struct setup *setup, struct memory *memory,
                     struct swd_counts *counts, uint32_t target_id);
/* B4.3.3 of IHI 0074: a line reset selects bank 0 in version 3. */
void debug_port_reset_line(struct debug_port *port);
uint32_t debug_port_version(const struct debug_port *port);
/* Returns the acknowledge of a request, and records an overrun. */
unsigned debug_port_ask(struct debug_port *port, struct request request);
/* The same without recording an overrun. */
unsigned debug_port_examine(struct debug_port *port, struct request request);
/* Whether the access port cannot start this access yet, or return the result of the last one (B4.2.3). */
bool debug_port_is_busy(struct debug_port *port, struct request request);
/* Whether a sticky flag is set. */
bool debug_port_is_sticky(const struct debug_port *port);
/* Sets the sticky overrun flag if overrun detection is on. */
void debug_port_record_overrun(struct debug_port *port);
/* Clears the sticky flags that are set in word, as a JTAG-DP does on writes to CTRL/STAT (B2.2.2). */
void debug_port_clear_sticky(struct debug_port *port, uint32_t word);
/* To be called after ACK_OK. */
uint32_t debug_port_read_register(struct debug_port *port, struct request request);
void debug_port_write_register(struct debug_port *port, struct request request, uint32_t word);
/* Reports that the data of a write had wrong parity. */
void debug_port_report_parity_error(struct debug_port *port);
/* Whether data follows every acknowledge (B4.2, "sticky overrun behavior"). */
bool debug_port_always_has_data(const struct debug_port *port);

#endif
