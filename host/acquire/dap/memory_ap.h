/* SPDX-License-Identifier: MIT */
/* A memory access port (IHI 0031, C2). */
#ifndef ACQUIRE_DAP_MEMORY_AP_H
#define ACQUIRE_DAP_MEMORY_AP_H

#include "acquire/dap/access.h"
#include "acquire/dap/access_ports.h"
#include "acquire/dap/debug_port.h"
#include "acquire/dap/registers.h"

/* The longest list of transfers: words in windows of TAR_WINDOW bytes. */
#define MEMORY_AP_WORDS_MAX   16384u
#define MEMORY_AP_WORDS_FIRST 256u /* the error rate is unknown yet */
#define MEMORY_AP_WINDOWS_MAX (MEMORY_AP_WORDS_MAX * 4 / TAR_WINDOW + 1)
/* A list also selects the access port and sets CSW and TARH first, and reads RDBUFF and CTRL/STAT last. */
#define MEMORY_AP_LIST_MAX (2 * MEMORY_AP_WINDOWS_MAX + 7)

/* A debug port with an open access port ("Arm Debug Interface"). */
struct adi {
	struct port port;
	struct access access;
	uint64_t registers; /* SELECT1 and SELECT for the registers of the access port */

	/* Private. */
	uint32_t csw_found, csw;

	/* The current list, and its words that are not memory. */
	struct dap_transfer list[MEMORY_AP_LIST_MAX];
	size_t list_count;
	uint32_t select_bank, select_high, select, csw_now, address_high, addresses[MEMORY_AP_WINDOWS_MAX], unused,
	        status;
	uint32_t words[MEMORY_AP_WORDS_MAX];
};

/* For struct probe_ops; the probe is a struct adi. */
enum status memory_ap_transfer(void *probe, struct access_block *block, struct access_result *result,
                               struct error *error);
enum status memory_ap_recover(void *probe, struct access_result *result, unsigned tries, struct error *error);
enum status memory_ap_fail(void *probe, const struct access_block *block, const struct access_result *result,
                           struct error *error);
/* Reads up to four words, in an aligned 16 bytes, of a component in the space of the access ports (IHI 0074). A failed
 * read is not repeated, as the component may not exist. No access port may be open. */
enum status memory_ap_read_component(struct adi *adi, uint64_t address, uint32_t *words, unsigned count,
                                     struct error *error);
/* Reads the IDR of an access port, 0 if it does not exist. number: below 256 or, with ADIv6, its address, a multiple of
 * CORESIGHT_SIZE. No access port may be open. */
enum status memory_ap_identify(struct adi *adi, uint64_t number, uint32_t *idr, struct error *error);
/* Sets up an access port for the fastest transfers. Do not close it after a failure. */
enum status memory_ap_open(struct adi *adi, uint64_t number, uint32_t idr, struct error *error);
/* Restores CSW. */
void memory_ap_close(struct adi *adi);

#endif
