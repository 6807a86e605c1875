/* SPDX-License-Identifier: MIT */
/* A target's memory and debug registers through an ST-Link of version 2 or 3. The probe itself drives SWD; a command
 * reads up to 6 KiB. The core is neither halted nor reset. */
#ifndef TARGET_DAP_STLINK_H
#define TARGET_DAP_STLINK_H

#include "target/dap/adi.h"
#include "target/usb/exchange.h"

struct stlink;

/* Takes the probe out of DFU, where it waits for new firmware. *comes_back: it disconnects and has to be opened again
 * in a moment. To be called before stlink_open(). */
enum status stlink_leave_dfu(struct exchange *exchange, bool *comes_back, struct error *error);

/* Connects. setup->speed 0 = the default; setup->trace() receives a line per command. Owns exchange, which is closed on
 * failure, too. */
enum status stlink_open(struct exchange *exchange, const struct adi_setup *setup, struct stlink **stlink,
                        struct error *error);
/* Begins to disconnect: from now on nothing cancels, and accesses work even after an interruption. */
void stlink_finish(struct stlink *stlink);
/* Leaves debug mode, which releases the target. NULL is allowed. */
void stlink_close(struct stlink *stlink);

/* Any alignment and size, all or nothing. */
enum status stlink_read(struct stlink *stlink, uint64_t address, void *bytes, size_t size, struct error *error);
enum status stlink_write(struct stlink *stlink, uint64_t address, const void *bytes, size_t size, struct error *error);
/* Reads the aligned word at address count times in a row, with a command each time. */
enum status stlink_read_register(struct stlink *stlink, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error);
enum status stlink_write_register(struct stlink *stlink, uint64_t address, uint32_t word, struct error *error);
/* Reads a word that may not exist: a bus error fails at once. */
enum status stlink_probe(struct stlink *stlink, uint64_t address, uint32_t *word, struct error *error);
enum status stlink_drive_reset(struct stlink *stlink, bool is_low, struct error *error);

/* Whether the probe is gone, or the target silent or busy: further accesses would fail just as slowly. */
bool stlink_is_lost(const struct stlink *stlink);
struct adi_traffic stlink_traffic(const struct stlink *stlink);

#endif
