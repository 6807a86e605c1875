/* SPDX-License-Identifier: MIT */
/* Registers of a RISC-V debug module and their bits ("RISC-V External Debug Support", 0.13.2, 3.12; unchanged in 1.0).
 */
#ifndef ACQUIRE_RISCV_REGISTERS_H
#define ACQUIRE_RISCV_REGISTERS_H

#define DM_DATA0        0x04u
#define DM_CONTROL      0x10u
#define DM_STATUS       0x11u
#define DM_ABSTRACTCS   0x16u
#define DM_COMMAND      0x17u
#define DM_ABSTRACTAUTO 0x18u
#define DM_PROGBUF0     0x20u
#define DM_SBCS         0x38u
#define DM_SBADDRESS0   0x39u
#define DM_SBADDRESS1   0x3Au
#define DM_SBDATA0      0x3Cu

/* dmcontrol. The number of the hart is split (hartsello, hartselhi). */
#define CONTROL_HALTREQ      0x80000000u
#define CONTROL_RESUMEREQ    0x40000000u
#define CONTROL_ACKHAVERESET 0x10000000u
#define CONTROL_HART(hart)   (((hart)&0x3FFu) << 16 | ((hart) >> 10 & 0x3FFu) << 6)
#define CONTROL_NDMRESET     0x00000002u
#define CONTROL_DMACTIVE     0x00000001u

/* dmstatus: of the selected hart. */
#define STATUS_VERSION         0x0000000Fu
#define STATUS_0_11            1u
#define STATUS_0_13            2u
#define STATUS_1_0             3u
#define STATUS_AUTHENTICATED   0x00000080u
#define STATUS_HALTED          0x00000200u
#define STATUS_RUNNING         0x00000800u
#define STATUS_UNAVAILABLE     0x00001000u
#define STATUS_NONEXISTENT     0x00004000u
#define STATUS_RESUMEACK       0x00020000u
#define STATUS_IMPLICIT_EBREAK 0x00400000u
#define STATUS_HAVERESET       0x00040000u

/* abstractcs, with cmderr. */
#define ABSTRACT_PROGRAM_SIZE(w) ((w) >> 24 & 0x1Fu)
#define ABSTRACT_BUSY            0x00001000u
#define ABSTRACT_ERROR           0x00000700u
#define ABSTRACT_WAS_BUSY        0x00000100u

/* command: an access to a register, perhaps followed by a program (3.6.1.1), or to memory (3.6.1.3). The size is the
 * logarithm of its bytes. */
#define COMMAND_MEMORY     0x02000000u
#define COMMAND_SIZE(size) ((uint32_t)(size) << 20)
#define COMMAND_32         2u
#define COMMAND_64         3u
#define COMMAND_INCREMENT  0x00080000u
#define COMMAND_POSTEXEC   0x00040000u
#define COMMAND_TRANSFER   0x00020000u
#define COMMAND_WRITE      0x00010000u
#define REGISTER_DPC       0x07B1u
#define REGISTER_GENERAL   0x1000u
#define REGISTER_S0        0x1008u
#define REGISTER_S1        0x1009u

/* sbcs. */
#define BUS_VERSION(w)    ((w) >> 29)
#define BUS_VERSION_1     1u
#define BUS_BUSY_ERROR    0x00400000u
#define BUS_BUSY          0x00200000u
#define BUS_READ_ON_ADDR  0x00100000u
#define BUS_ACCESS(size)  ((size) << 17) /* the logarithm of its bytes */
#define BUS_AUTOINCREMENT 0x00010000u
#define BUS_READ_ON_DATA  0x00008000u
#define BUS_ERROR         0x00007000u
#define BUS_ASIZE(w)      ((w) >> 5 & 0x7Fu)
#define BUS_HAS_8         0x00000001u
#define BUS_HAS_32        0x00000004u
#define BUS_CLEAR         (BUS_BUSY_ERROR | BUS_ERROR)

#endif
