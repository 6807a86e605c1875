/* SPDX-License-Identifier: MIT */
/* A GDB stub of the tests' own, with a memory, that misbehaves as it is told. Shares no code with what it tests. */
#ifndef UNIT_TARGET_BACKEND_STUB_H
#define UNIT_TARGET_BACKEND_STUB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define STUB_BASE 0x20000000u
#define STUB_SIZE 0x3000u

enum stub_fault {
	STUB_NO_FAULT,
	STUB_ERROR,               /* E01 */
	STUB_SILENCE,             /* no answer */
	STUB_CLOSES_INSTEAD,      /* closes the connection */
	STUB_CLOSES_IN_PACKET,    /* closes in the middle of its answer */
	STUB_BAD_CHECKSUM_ONCE,   /* then right */
	STUB_BAD_CHECKSUM_ALWAYS, /* as often as asked */
	STUB_REFUSES_ONCE,        /* '-', then right */
	STUB_REFUSES_ALWAYS,
	STUB_TOO_LONG,         /* a packet of 100,000 digits */
	STUB_EXPLODING_RUN,    /* a short packet that expands to more than any packet may hold */
	STUB_BROKEN_RUN,       /* a run length with nothing to repeat */
	STUB_GARBAGE,          /* bytes without end, no packet among them */
	STUB_OUTPUT_FOREVER,   /* console output without end */
	STUB_ONE_BYTE,         /* however many were asked for */
	STUB_HALF_THE_BYTES,   /* fewer than asked for, as the protocol allows */
	STUB_TOO_MANY_BYTES,   /* one more than asked for */
	STUB_ODD_DIGITS,       /* half a byte too few */
	STUB_NO_DIGITS,        /* `zz` */
	STUB_EMPTY,            /* not supported */
	STUB_STOPS_BY_ITSELF,  /* on c: T05 */
	STUB_EXITS,            /* on c: W00 */
	STUB_IGNORES_INTERRUPT /* on c: goes on for ever */
};

struct stub {
	/* Set before stub_start(). */
	enum stub_fault fault;
	char fault_at;           /* first letter of the request that it hits; 0 = 'm' */
	bool offers_no_ack;      /* QStartNoAckMode */
	bool run_lengths;        /* compresses its answers */
	bool announces_stop;     /* T02 before the first answer, as QEMU */
	bool prints;             /* console output before each answer */
	bool ipv6;               /* listens on ::1 */
	const char *packet_size; /* as announced; NULL = says nothing */
	/* Called for each request before it is answered, in the stub's thread. NULL = nothing. */
	void (*on_request)(const struct stub *stub);

	/* To be looked at after stub_join(). */
	char log[4096]; /* first letters of the requests, in order; r for qRcmd, ^ for an interrupt */
	unsigned longest_read;
	uint8_t memory[STUB_SIZE];

	char source[64]; /* "gdb:127.0.0.1:PORT" */

	pthread_t thread;
	int listener, connection;
	bool acknowledges, fault_spent;
	char request[8192];
};

/* Fills the memory with a pattern, listens and serves one connection. */
void stub_start(struct stub *stub);
/* Waits for the end of the connection. */
void stub_join(struct stub *stub);

#endif
