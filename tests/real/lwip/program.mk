# A network stack: calls through pointers, timers, short functions in chains.
REAL_PACKAGE := lwip
REAL_SOURCES := $(addprefix src/core/,def.c inet_chksum.c init.c ip.c mem.c memp.c netif.c pbuf.c stats.c sys.c tcp.c tcp_in.c \
	tcp_out.c timeouts.c udp.c raw.c) $(addprefix src/core/ipv4/,icmp.c ip4.c ip4_addr.c ip4_frag.c)
REAL_FLAGS := -Isrc/include
