/* SPDX-License-Identifier: MIT */
/*
 * A target as far as its two wires show it: a debug port with access ports (IHI 0031, ADIv5), a Cortex-M's debug
 * registers, memory. It moves by one clock at a time and knows nothing of probes.
 *
 * Options, NAME=VALUE each, numbers as strtoull() reads them with base 0:
 *
 *   dpidr=WORD            DPIDR, whose bits 15 to 12 are the version of the debug port: 0x2ba01477, of version 1, is
 *                         the usual, 0x5ba02477 one of version 2, with a dormant state and TARGETSEL
 *   start=jtag|swd|dormant  what the port listens to first; jtag is the usual
 *   rp2040=1              three debug ports of version 2 on the line, dormant at first: TARGETSEL 0x01002927,
 *                         0x11002927 and, for the rescue, 0xf1002927
 *   ap=N                  the access port that leads to memory; 0 is the usual, all others have IDR 0
 *   ap2=N                 a second one, with a second core behind it
 *   wrap=BYTES            where TAR wraps: 1024 is the usual, 4096
 *   prot=MASK             bits of CSW[30:24] that are stored; 0x7f000000 is the usual
 *   sizes=MASK            sizes of an access: 1 of a byte, 2 of two, 4 of a word; 7 is the usual
 *   packed=0|1            packed increments: 1 is the usual
 *   busy=N                an access of an access port takes N clocks from its end on; 0 is the usual
 *   power-up=N            clocks until a power-up is acknowledged; 32 is the usual
 *
 *   ram=ADDRESS,SIZE      memory of its own, all zeros
 *   file=ADDRESS,PATH     memory that is a file, shared with whoever else writes to it
 *   elf=PATH              what of an ELF is loaded, read-only, unless ram or file are there
 *   qmp=PATH              the socket where QEMU is told to halt and go on, as DHCSR and AIRCR say
 *   pcs=ADDRESS,SIZE      DWT_PCSR shows each halfword of that stretch in turn, mixed, equally often; without, 0
 *   asleep=PERCENT        but in so many of a hundred reads 0xffffffff
 *   deaf=1                AIRCR resets nothing, only the pin does
 *   cache=CLOCKS          accesses that CSW calls not cacheable read what the memory was up to so many clocks ago
 *
 * Faults, each on every Nth of what it says, none without:
 *
 *   wait=N        an access of an access port answers WAIT three times before it is taken
 *   wait-for-ever=N  all accesses of access ports from the Nth on answer WAIT, until ABORT; then again
 *   fault=N       an access of memory fails: STICKYERR
 *   parity=N      a bit of what a read gives is flipped
 *   silent=N      a request is not answered, and none behind it until a line reset
 *   reset=N       once, at the Nth request: the target falls silent until a line reset, powered down
 *   zeros=N       memory from the Nth access on reads as zeros: the core sleeps, unless a bit of DBGMCU_CR (STM32F7)
 *                 keeps its debug part awake
 *   unplug=N      the line is dead from the Nth request on
 */
#ifndef PROBE_MODEL_SWD_H
#define PROBE_MODEL_SWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct swd_target;

struct swd_counts {
	uint64_t clocks;
	uint64_t requests; /* with right parity, to whomever */
	uint64_t oks;      /* how they were answered */
	uint64_t waits;
	uint64_t faults;
	uint64_t silences; /* those that nobody answered, TARGETSEL left out */
	uint64_t line_resets;
	uint64_t protocol_errors;
	uint64_t collisions; /* clocks in which host and target both drove the line */
	uint64_t tar_writes;
	uint64_t words;   /* accesses of memory that read, */
	uint64_t writes;  /* and that write */
	uint64_t resets;  /* of the core, by pin or register */
	uint64_t halts;   /* of the core, by DHCSR */
	uint64_t rescues; /* the chip was reset by its rescue port */
	uint64_t overruns;
	uint64_t dbgmcu_control; /* what the host wrote to DBGMCU_CR last */
};

/* NULL, and a line to standard error, if an option is wrong or a file is not there. */
struct swd_target *swd_open(const char *const *options, size_t count);
/*
 * One clock. Returns the line as the host samples it, before the rising edge; the target samples it at that edge, and
 * changes what it drives after it. A line that nobody drives is high.
 */
bool swd_clock(struct swd_target *target, bool host_drives, bool bit);
/* The reset pin: the core is reset as it goes low. Its debug port is not touched. */
void swd_drive_reset(struct swd_target *target, bool is_low);
/* Memory of the target from address on, NULL if there is no such stretch: what a test looks at, beside the wires. */
void *swd_memory(struct swd_target *target, uint64_t address, size_t size);
const struct swd_counts *swd_counts(const struct swd_target *target);
/* A line NAME NUMBER for each. */
void swd_print_counts(const struct swd_target *target, FILE *stream);
/* NULL is allowed. */
void swd_close(struct swd_target *target);

#endif
