/* SPDX-License-Identifier: MIT */
/* Choice of the access port that leads to the core's memory. */
#ifndef ACQUIRE_DAP_ACCESS_PORTS_H
#define ACQUIRE_DAP_ACCESS_PORTS_H

#include "acquire/dap/access.h"
#include "base/status.h"

#define PORTS_MAX 256u
/* Room for the name of a port: "1", or "0x2000" with ADIv6. */
#define PORT_NAME_SIZE 20

struct ports;

/* The kind of bus (IHI 0031, C1.3, table of types in IDR). */
enum port_kind {
	PORT_OTHER, /* no memory, or unknown */
	PORT_AHB,
	PORT_APB,
	PORT_AXI,
};

struct found_port {
	uint64_t number; /* number or, with ADIv6, address */
	uint32_t idr;
};

/* How a kind of probe reaches access ports. */
struct ports_ops {
	/* Calls ports_add() for each port, until ports->is_open. NULL: ports are found by number. */
	enum status (*scan)(struct ports *ports, struct error *error);
	/* Reads the IDR; 0: there is no such port. */
	enum status (*identify)(void *probe, uint64_t number, uint32_t *idr, struct error *error);
	/* Sets the port up for use. Do not call close() after a failure. */
	enum status (*open)(void *probe, const struct found_port *found, struct error *error);
	/* Undoes open(). NULL: not needed. */
	void (*close)(void *probe);
	/* Whether the open port leads to a core. */
	bool (*has_core)(void *probe);
	/* Whether the last failure was not specific to the port: other ports would fail, too. */
	bool (*is_lost)(const void *probe);
};

struct ports {
	const struct ports_ops *ops;
	void *probe;
	const char *source;  /* for messages */
	int64_t access_port; /* wanted, or -1 */
	int core;            /* wanted, or -1 */
	bool have_addresses; /* ADIv6 */

	/* Private. */
	bool is_open;
	int cores; /* found */
	size_t count;
	struct found_port all[PORTS_MAX];
};

/* Opens the wanted access port, otherwise the first port that leads to the core or to memory. A port that answers with
 * an error, or has no power, counts as missing. */
enum status ports_choose(struct ports *ports, struct error *error);
/* Adds a port, and opens it if it is the right one. */
enum status ports_add(struct ports *ports, uint64_t number, uint32_t idr, struct error *error);
enum port_kind ports_kind(uint32_t idr);
void ports_name(uint64_t number, bool is_address, char name[PORT_NAME_SIZE]);

#endif
