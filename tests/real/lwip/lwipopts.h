/* SPDX-License-Identifier: MIT */
/* lwIP without an operating system, over its loopback interface. */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS                  1
#define SYS_LIGHTWEIGHT_PROT    0
#define LWIP_NETCONN            0
#define LWIP_SOCKET             0
#define LWIP_ARP                0
#define LWIP_HAVE_LOOPIF        1
#define LWIP_NETIF_LOOPBACK     1
#define LWIP_LOOPBACK_MAX_PBUFS 0
#define MEM_ALIGNMENT           4
#define MEM_SIZE                65536
#define MEMP_NUM_TCP_SEG        64
#define PBUF_POOL_SIZE          64
#define TCP_MSS                 1460
#define TCP_SND_BUF             (8 * TCP_MSS)
#define TCP_WND                 (8 * TCP_MSS)
#define LWIP_CHKSUM_ALGORITHM   3

#endif
