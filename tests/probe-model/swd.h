/* SPDX-License-Identifier: MIT */
/*
 * Model of a target on its wires, clock by clock: a debug port for SWD and JTAG with access ports (IHI 0031, ADIv5),
 * a Cortex-M's debug registers, memory.
 *
 * Options, each NAME=VALUE; numbers may be hexadecimal or octal, as in C:
 *
 *   dpidr=WORD            DPIDR, whose bits 15 to 12 are the version of the debug port; by default 0x2ba01477,
 *                         version 1. 0x5ba02477 is version 2, which has a dormant state and TARGETSEL;
 *                         0x4c013477 is version 3, whose access ports have addresses (IHI 0074, ADIv6)
 *   start=jtag|swd|dormant  the protocol that the port accepts initially; jtag by default
 *   idcode=WORD           the port's IDCODE on JTAG; 0x4ba00477 by default
 *   ir=4|8                the length of its instructions; 4 by default
 *   riscv=HARTS           RISC-V harts instead: a debug module on JTAG, no debug port
 *   abits=N               address bits of its DMI; 7 by default
 *   dm=2|3                its version, 0.13 or 1.0; 2 by default
 *   bus=MASK              sizes of an access to its system bus, as in sbcs; 7 by default, 0: it has none
 *   bus-busy=N            clocks that such an access takes; 0 by default
 *   bus-zeros=1           while a hart runs, the bus reads zeros
 *   progbuf=N             words of its program buffer; 0 by default, at most 16
 *   abstract=1            it has abstract commands for memory
 *   xlen=32|64            width of the harts' registers; 32 by default
 *   command-busy=N        clocks that an abstract command takes; 0 by default
 *   dmi-busy=N            clocks that a request takes; 0 by default
 *   dmi-idle=N            clocks of Run-Test/Idle that the transport requests; 0 by default
 *   halted=1              its harts are halted initially
 *   active=1              it is active initially, as a debugger leaves it
 *   pin-resets-dm=1       a change of the reset pin resets it
 *   boundary=BITS         the chain has another device, nearer to TDI, with instructions of this many bits; 0: none
 *   rp2040=1              three debug ports of version 2 on the line, dormant at first: TARGETSEL 0x01002927,
 *                         0x11002927 and, for the rescue port, 0xf1002927
 *   rp2350=1              the version 3 debug port of an RP2350, dormant at first, with two cores and the access
 *                         port to its RISC-V cores
 *   rom=SHAPE             ROM tables of version 3, usual by default; nested and cyclic ones also list the
 *                         access ports; endless, full and astray ones do not, but list endless further tables,
 *                         hundreds of components, or ones that do not exist; none: BASEPTR is not valid
 *   rom-at=ADDRESS        of the first table; 0 by default
 *   asize=BITS            of addresses in version 3; 32 by default
 *   hidden=1              in version 3, memory errors are not reported until CSW.ERRNPASS is cleared
 *   ap=N                  the access port to memory; 0 by default. All others have IDR 0. An address in version 3
 *   ap2=N                 a second access port, to a second core
 *   wrap=BYTES            range in which TAR wraps; 1024 by default, or 4096
 *   prot=MASK             bits of CSW[30:24] that are stored; 0x7f000000 by default
 *   sizes=MASK            sizes of an access: 1 for a byte, 2 for two, 4 for a word; 7 by default
 *   packed=0|1            packed increments; 1 by default
 *   busy=N                clocks from the end of an access until the access port is ready again; 0 by default
 *   power-up=N            clocks until a power-up is acknowledged; 32 by default
 *
 *   ram=ADDRESS,SIZE      memory, initially zeros
 *   file=ADDRESS,PATH     memory that is a file, shared with other programs
 *   elf=PATH              the loaded segments of an ELF, read-only, where there is no ram or file
 *   qmp=PATH              socket of a QEMU, which DHCSR and AIRCR halt, continue and reset
 *   pcs=ADDRESS,SIZE      DWT_PCSR shows all halfwords of this range equally often, in mixed order; 0 by default
 *   stack=ADDRESS         the stack pointer of a halted core; by default its bytes are its number, as in all registers
 *   asleep=PERCENT        share of reads of DWT_PCSR that return 0xffffffff
 *   deaf=1                AIRCR or ndmreset resets nothing, only the pin does
 *   pins-off=1            the firmware has switched the debug pins off: they are dead until a reset by the pin
 *   cache=CLOCKS          accesses that CSW calls not cacheable read memory as it was up to this many clocks ago
 *
 * Faults, by default none. N: on every Nth event.
 *
 *   wait=N        an access to an access port answers WAIT three times before it is accepted
 *   wait-for-ever=N  from the Nth on, accesses to access ports answer WAIT until ABORT; then N more work
 *   fault=N       an access to memory fails: STICKYERR
 *   parity=N      one bit of a read's data is flipped
 *   silent=N      a request is not answered, and neither are the following ones until a line reset
 *   reset=N       once, at the Nth request: the target is silent until a line reset, and powered down
 *   zeros=N       from the Nth access on, memory reads as zeros because the core sleeps, unless a bit of DBGMCU_CR
 *                 (STM32F7) keeps it awake
 *   dmi-fault=N   a request fails
 *   unplug=N      the line is dead from the Nth request on
 *   signal=N      once, at the Nth request: SIGINT is raised in the program that has the model
 */
#ifndef PROBE_MODEL_SWD_H
#define PROBE_MODEL_SWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct swd_target;

/* Counts: the field of struct swd_counts, the name in files of counts. */
#define SWD_COUNTS(COUNT)                                                                         \
	COUNT(clocks, "clocks")                                                                   \
	COUNT(requests, "requests") /* with right parity, to any port */                          \
	COUNT(oks, "oks")           /* acknowledges */                                            \
	COUNT(waits, "waits")                                                                     \
	COUNT(faults, "faults")                                                                   \
	COUNT(silences, "silences")       /* requests without an answer, except TARGETSEL */      \
	COUNT(line_resets, "line-resets") /* or resets of the test access port */                 \
	COUNT(protocol_errors, "protocol-errors")                                                 \
	COUNT(collisions, "collisions") /* clocks in which host and target both drove the line */ \
	COUNT(tar_writes, "tar-writes")                                                           \
	COUNT(words, "words")                         /* reads of memory */                       \
	COUNT(writes, "writes")                       /* writes to memory */                      \
	COUNT(resets, "resets")                       /* of the core, by pin or register */       \
	COUNT(halts, "halts")                         /* of the core, by DHCSR */                 \
	COUNT(in_reset, "in-reset")                   /* 1: the core is held in reset */          \
	COUNT(dm_active, "dm-active")                 /* 1: the RISC-V debug module is active */  \
	COUNT(other_scans, "other-scans")             /* by instructions of the other device */   \
	COUNT(changed_registers, "changed-registers") /* of a core that resumes */                \
	COUNT(rescues, "rescues")                     /* resets of the chip by its rescue port */ \
	COUNT(dbgmcu_control, "dbgmcu-control")       /* last value written to DBGMCU_CR */       \
	COUNT(overruns, "overruns")

struct swd_counts {
#define SWD_COUNT_FIELD(field, name) uint64_t field;
	SWD_COUNTS(SWD_COUNT_FIELD)
#undef SWD_COUNT_FIELD
};

/* Prints an error and returns NULL if an option is wrong or a file cannot be used. */
struct swd_target *swd_open(const char *const *options, size_t count);
/*
 * One clock. Returns the line as the host samples it, before the rising edge. The target samples it at that edge and
 * changes its output after it. A line that neither side drives is high.
 */
bool swd_clock(struct swd_target *target, bool host_drives, bool bit);
/* The level of the line between two clocks, if the host does not drive it. */
bool swd_level(const struct swd_target *target);
/* Whether the target drives SWDIO. */
bool swd_drives(const struct swd_target *target);
/* The same for JTAG: SWCLK is TCK, SWDIO is TMS. Returns TDO as the host samples it, before the rising edge. */
bool swd_clock_jtag(struct swd_target *target, bool tms, bool tdi);
/* TDO between two clocks. */
bool swd_jtag_output(const struct swd_target *target);
/* Drives the reset pin. The core is reset when it goes low; the debug port is not. */
void swd_drive_reset(struct swd_target *target, bool is_low);
/* Returns memory for tests to look at, or NULL if there is none at the address. */
void *swd_memory(struct swd_target *target, uint64_t address, size_t size);
const struct swd_counts *swd_counts(const struct swd_target *target);
/* Prints a line NAME NUMBER for each count. */
void swd_print_counts(const struct swd_target *target, FILE *stream);
/* Accepts NULL. */
void swd_close(struct swd_target *target);

#endif
