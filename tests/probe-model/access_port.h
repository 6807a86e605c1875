/* SPDX-License-Identifier: MIT */
/* Model of an AHB-AP (IHI 0031, ADIv5.2, chapter C2; Cortex-M7 TRM, DDI 0489). */
#ifndef PROBE_MODEL_ACCESS_PORT_H
#define PROBE_MODEL_ACCESS_PORT_H

#include "memory.h"

struct access_port {
	const struct setup *setup;
	struct memory *memory;
	struct swd_counts *counts;
	unsigned core;
	uint32_t csw;
	uint32_t tar;
};

void access_port_init(struct access_port *port, const struct setup *setup, struct memory *memory,
                      struct swd_counts *counts, unsigned core);
/* Accesses the register at an address within the port, 0x00 to 0xfc. Returns false if the access to memory failed. */
bool access_port_read(struct access_port *port, unsigned reg, uint32_t *word);
bool access_port_write(struct access_port *port, unsigned reg, uint32_t word);

#endif
