/* SPDX-License-Identifier: MIT */
/* A GDB stub for tests, with a memory, that misbehaves on request, or that follows a script. Shares no code with the
 * tool. */
#ifndef UNIT_ACQUIRE_BACKEND_STUB_H
#define UNIT_ACQUIRE_BACKEND_STUB_H

#include "speaker.h"

#include <stdint.h>

#define STUB_BASE 0x20000000u
#define STUB_SIZE 0x3000u

enum stub_fault {
	STUB_NO_FAULT,
	STUB_ERROR,               /* E01 */
	STUB_SILENCE,             /* no answer */
	STUB_CLOSES_INSTEAD,      /* closes the connection */
	STUB_CLOSES_IN_PACKET,    /* closes in the middle of its answer */
	STUB_BAD_CHECKSUM_ONCE,   /* then correct */
	STUB_BAD_CHECKSUM_ALWAYS, /* each time */
	STUB_REFUSES_ONCE,        /* '-', then correct */
	STUB_REFUSES_ALWAYS,
	STUB_TOO_LONG,         /* a packet of 100,000 digits */
	STUB_EXPLODING_RUN,    /* a short packet that expands beyond the largest allowed size */
	STUB_BROKEN_RUN,       /* a run length with nothing to repeat */
	STUB_GARBAGE,          /* endless bytes without a packet */
	STUB_OUTPUT_FOREVER,   /* endless console output */
	STUB_ONE_BYTE,         /* of any number that is requested */
	STUB_HALF_THE_BYTES,   /* fewer than requested, as the protocol allows */
	STUB_TOO_MANY_BYTES,   /* one more than requested */
	STUB_ODD_DIGITS,       /* half a byte too few */
	STUB_NO_DIGITS,        /* `zz` */
	STUB_EMPTY,            /* not supported */
	STUB_STOPS_BY_ITSELF,  /* on c: T05 */
	STUB_EXITS,            /* on c: W00 */
	STUB_IGNORES_INTERRUPT /* on c: keeps running */
};

/* A step of a script: a request without its frame, and the answers to it, ended by NULL. `monitor COMMAND` is qRcmd
 * with hexadecimal digits, the answer `says TEXT` is console output, and `result TEXT` the end of a command's output.
 */
struct exchange {
	const char *request;
	const char *answers[5];
};

struct stub {
	/* Set before stub_start(). */
	const struct exchange *script; /* on a terminal, ended by one without a request; NULL: the stub has a memory */
	enum stub_fault fault;
	char fault_at;           /* first letter of the request with the fault; 0 = 'm' */
	bool offers_no_ack;      /* QStartNoAckMode */
	bool run_lengths;        /* compresses its answers */
	bool announces_stop;     /* T02 before the first answer, as QEMU */
	bool prints;             /* console output before each answer */
	bool ipv6;               /* listens on ::1 */
	const char *packet_size; /* as announced; NULL: does not say */
	/* Called for each request before it is answered, in the stub's thread. NULL: nothing. */
	void (*on_request)(const struct stub *stub);

	/* Valid after stub_join(). */
	char log[4096]; /* first letters of the requests, in order; r for qRcmd, ^ for an interrupt */
	unsigned longest_read;
	uint8_t memory[STUB_SIZE];
	size_t done;          /* steps of the script */
	char unexpected[256]; /* the first request that differs from the script; "": none */

	char source[80]; /* "gdb:127.0.0.1:PORT" */

	struct speaker speaker;
	bool acknowledges, fault_spent;
	char request[8192];
};

/* Fills the memory with a pattern, and serves one connection. */
void stub_start(struct stub *stub);
/* Waits for the end of the connection. */
void stub_join(struct stub *stub);

#endif
