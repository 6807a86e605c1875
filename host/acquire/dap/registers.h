/* SPDX-License-Identifier: MIT */
/* Registers of debug ports and memory access ports, and their bits (Arm IHI 0031, ADIv5.2; its sections are cited), and
 * the additions of IHI 0074, ADIv6, for debug ports of version 3. */
#ifndef ACQUIRE_DAP_REGISTERS_H
#define ACQUIRE_DAP_REGISTERS_H

#include "acquire/dap/dap.h"

/* Registers of the debug port (B2.2), as dap_transfer.reg without DAP_READ. */
#define DP_ABORT     (DAP_DP | 0x0u)
#define DP_DPIDR     (DAP_DP | 0x0u | DAP_READ)
#define DP_CTRL_STAT (DAP_DP | 0x4u) /* with SELECT.DPBANKSEL 0 */
#define DP_SELECT    (DAP_DP | 0x8u)
#define DP_RDBUFF    (DAP_DP | 0xCu | DAP_READ)
#define DP_SELECT1   DP_CTRL_STAT /* with SELECT_SELECT1 */

/* SELECT (B2.2.9): DPBANKSEL is bits 3:0, APBANKSEL 7:4 (of the register's address), APSEL 31:24. In version 3, bits
 * 31:4 of SELECT are bits 31:4 of the register's address, and SELECT1 has its bits 63:32. */
#define SELECT_TARGETID 2u /* the register at 4, with this DPBANKSEL */
#define SELECT_DLPIDR   3u
#define SELECT_SELECT1  5u
#define SELECT_DPIDR1   1u /* the register at 0, with this DPBANKSEL; version 3 */
#define SELECT_BASEPTR0 2u
#define SELECT_BASEPTR1 3u
#define SELECT_AP_SHIFT 24
#define SELECT_AP_BANK  0xF0u

/* ABORT (B2.2.1). */
#define ABORT_DAPABORT   0x01u
#define ABORT_ORUNERRCLR 0x10u
#define ABORT_CLEAR_ALL  0x1Eu

/* CTRL/STAT (B2.2.2). */
#define CTRL_ORUNDETECT 0x00000001u
#define CTRL_STICKYORUN 0x00000002u
#define CTRL_STICKYERR  0x00000020u
#define CTRL_WDATAERR   0x00000080u
#define CTRL_STICKY     (CTRL_STICKYORUN | CTRL_STICKYERR | CTRL_WDATAERR)
#define CTRL_POWER_REQ  0x50000000u /* CDBGPWRUPREQ, CSYSPWRUPREQ */
#define CTRL_POWER_ACK  0xA0000000u

/* DPIDR (B2.2.5): bit 0 reads as one, bits 15:12 are the version. */
#define DPIDR_ONE        1u
#define DPIDR_VERSION(i) ((i) >> 12 & 0xFu)

/* DPIDR1: the width of an access port register's address. BASEPTR0: the address of the first component in that
 * space. */
#define DPIDR1_ADDRESS_BITS(i) ((i)&0x7Fu)
#define BASEPTR_VALID          1u

/* TARGETID (B2.2.10) without the revision. In TARGETSEL, the instance replaces the revision (B2.2.11). */
#define TARGETID_MASK   0x0FFFFFFFu
#define INSTANCE_SHIFT  28
#define DLPIDR_PROTOCOL 1u /* SWD version 2 (B2.2.4) */
#define DLPIDR_MASK     0xF000000Fu

/* Registers of a memory access port (C2.6) and of any access port (C1.3), by address; in version 3 from AP_REGISTERS on
 * in its 4 KiB. */
#define AP_CSW       0x00u
#define AP_TAR       0x04u
#define AP_TARH      0x08u
#define AP_DRW       0x0Cu
#define AP_CFG       0xF4u
#define AP_IDR       0xFCu
#define AP_REGISTERS 0xD00u

/* CSW (C2.6.4). Bit 27 is HPROT[3] of an AHB-AP, "cacheable" (E1). */
#define CSW_SIZE_MASK 0x00000007u
#define CSW_SIZE_8    0u
#define CSW_SIZE_32   2u
#define CSW_INC_MASK  0x00000030u
#define CSW_INC       0x00000010u
#define CSW_DEVICE_EN 0x00000040u
#define CSW_CACHEABLE 0x08000000u
/* ERRSTOP: after an error, further accesses fail. ERRNPASS: errors are not reported. In version 3 only. */
#define CSW_ERRORS 0x00030000u

/* TAR counts up within at least this many bytes (C2.2.2). */
#define TAR_WINDOW 1024u

/* CFG (C2.6.3). */
#define CFG_BIG_ENDIAN   1u
#define CFG_LONG_ADDRESS 2u

/* IDR (C1.3). */
#define IDR_CLASS(i)     ((i) >> 13 & 0xFu)
#define IDR_TYPE(i)      ((i)&0xFu)
#define IDR_CLASS_MEMORY 8u

/* Registers of a CoreSight component (IHI 0029), by offset within its 4 KiB, and their fields. */
#define CORESIGHT_SIZE     0x1000u
#define CORESIGHT_DEVARCH  0xFBCu
#define CORESIGHT_DEVID    0xFC8u
#define CORESIGHT_CIDR0    0xFF0u
#define DEVARCH_ID(i)      ((i)&0xFFFFu)
#define DEVARCH_PRESENT    0x00100000u
#define DEVARCH_ROM_TABLE  0x0AF7u
#define DEVARCH_MEMORY_AP  0x0A17u
#define DEVARCH_UNKNOWN_AP 0x0A47u

/* Whether CIDR0 to CIDR3 identify a CoreSight component, class 9. */
static inline bool coresight_is_component(const uint32_t identity[4])
{
	return (identity[0] & 0xFFu) == 0x0D && (identity[1] & 0xFFu) == 0x90 && (identity[2] & 0xFFu) == 0x05 &&
	       (identity[3] & 0xFFu) == 0xB1;
}

/* A ROM table of class 9 (IHI 0074, D3): entries of 32 or 64 bits from offset 0 on. Entries marked as present hold the
 * offset of a component from the table, in units of 4 KiB. */
#define ROM_TABLE_SIZE      0x800u
#define DEVID_LONG(i)       (((i)&0xFu) == 1)
#define ROM_ENTRY_STATE     3u
#define ROM_ENTRY_END       0u
#define ROM_ENTRY_PRESENT   3u
#define ROM_ENTRY_OFFSET(e) ((e) & ~(uint64_t)0xFFF)

#endif
