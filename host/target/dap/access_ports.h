/* SPDX-License-Identifier: MIT */
/* Which access port of a debug port leads to the memory of a core. */
#ifndef TARGET_DAP_ACCESS_PORTS_H
#define TARGET_DAP_ACCESS_PORTS_H

#include "target/dap/memory_ap.h"

/* Opens the access port that port->setup asks for, or the best there is. */
enum status access_ports_choose(struct port *port, struct memory_ap *memory, struct error *error);

#endif
