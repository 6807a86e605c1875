/* SPDX-License-Identifier: MIT */
/* ROM tables of ADIv6 (IHI 0074, D3): lists of the components, such as access ports, in the space of a debug port. */
#ifndef ACQUIRE_DAP_ROM_TABLE_H
#define ACQUIRE_DAP_ROM_TABLE_H

#include "acquire/dap/access_ports.h"

struct adi;

/* See ports_ops.scan. */
enum status rom_table_scan(struct adi *adi, struct ports *ports, struct error *error);

#endif
