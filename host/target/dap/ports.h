/* SPDX-License-Identifier: MIT */
/* The access ports of a target: by number (IHI 0031, C1), or through the ROM tables of ADIv6 (IHI 0074, D3). */
#ifndef TARGET_DAP_PORTS_H
#define TARGET_DAP_PORTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PORTS_MAX 256u

struct adi;

struct found_port {
	uint64_t number; /* or its address, with ADIv6 */
	uint32_t idr;
};

struct ports {
	bool have_addresses; /* ADIv6 */
	size_t count;
	struct found_port all[PORTS_MAX];
};

/* Finds all access ports. One that answers with an error, or has no power, counts as missing. */
enum status ports_scan(struct adi *adi, struct ports *ports, struct error *error);
/* Fails with the reason and the list of ports: "0 (AHB), 1 (APB)". */
enum status ports_fail(const struct ports *ports, const char *source, const char *why, struct error *error);

#endif
