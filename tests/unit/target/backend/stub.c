/* SPDX-License-Identifier: MIT */
/* See stub.h. */
#include "stub.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void log_letter(struct stub *stub, char letter)
{
	size_t length = strlen(stub->log);
	assert(length + 1 < sizeof stub->log);
	stub->log[length] = letter;
}

static bool send_all(struct stub *stub, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(stub->connection, text, size, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		text += sent;
		size -= (size_t)sent;
	}
	return true;
}

static int receive_byte(struct stub *stub)
{
	unsigned char byte;
	return recv(stub->connection, &byte, 1, 0) == 1 ? byte : -1;
}

static bool send_framed(struct stub *stub, const char *payload, unsigned error_in_sum)
{
	static char packet[200000];
	unsigned sum = error_in_sum;

	for (const char *next = payload; *next; next++)
		sum += (unsigned char)*next;
	int length = snprintf(packet, sizeof packet, "$%s#%02x", payload, sum & 0xFF);
	assert(length > 0 && (size_t)length < sizeof packet);
	return send_all(stub, packet, (size_t)length);
}

/* Replaces runs of four to 97 equal characters, except those of the lengths that would read as '#' or '$'. */
static void compress(const char *text, char *out)
{
	while (*text) {
		size_t run = 1;
		while (run < 97 && text[run] == *text)
			run++;
		if (run - 1 == '#' - 29 || run - 1 == '$' - 29 || run - 1 == '+' - 29 || run - 1 == '-' - 29)
			run = 4;
		*out++ = *text;
		if (run >= 4) {
			*out++ = '*';
			*out++ = (char)(run - 1 + 29);
			text += run;
		} else {
			text++;
		}
	}
	*out = 0;
}

/* Sends an answer until it is acknowledged. */
static bool answer(struct stub *stub, const char *payload, unsigned error_in_sum)
{
	static char compressed[20000];
	if (stub->run_lengths && strlen(payload) < sizeof compressed) {
		compress(payload, compressed);
		payload = compressed;
	}
	if (stub->prints && (!send_framed(stub, "O48690a", 0) || (stub->acknowledges && receive_byte(stub) != '+')))
		return false;
	for (;;) {
		if (!send_framed(stub, payload, error_in_sum))
			return false;
		if (!stub->acknowledges)
			return true;
		int byte = receive_byte(stub);
		if (byte != '-')
			return byte == '+';
		if (stub->fault == STUB_BAD_CHECKSUM_ONCE)
			error_in_sum = 0;
	}
}

static bool read_memory(struct stub *stub, int surplus, char *digits)
{
	unsigned address, size;
	if (sscanf(stub->request, "m%x,%x", &address, &size) != 2)
		return false;
	if (size > stub->longest_read)
		stub->longest_read = size;
	if (address < STUB_BASE || address - STUB_BASE > STUB_SIZE || size > STUB_SIZE - (address - STUB_BASE))
		return false;
	if (stub->fault == STUB_HALF_THE_BYTES)
		size = (size + 1) / 2;
	if (stub->fault == STUB_ONE_BYTE)
		size = 1;
	*digits = 0;
	for (unsigned i = 0; i < size; i++)
		sprintf(digits + 2 * i, "%02x", stub->memory[address - STUB_BASE + i]);
	size_t length = strlen(digits);
	for (int i = 0; i < surplus; i++)
		digits[length++] = '0';
	if (surplus < 0)
		length--;
	digits[length] = 0;
	return true;
}

static bool write_memory(struct stub *stub)
{
	unsigned address, size;
	int used = 0;
	if (sscanf(stub->request, "M%x,%x:%n", &address, &size, &used) != 2 || used == 0)
		return false;
	if (address < STUB_BASE || address - STUB_BASE > STUB_SIZE || size > STUB_SIZE - (address - STUB_BASE))
		return false;
	for (unsigned i = 0; i < size; i++) {
		unsigned byte;
		if (sscanf(stub->request + used + 2 * i, "%2x", &byte) != 1)
			return false;
		stub->memory[address - STUB_BASE + i] = (uint8_t)byte;
	}
	return true;
}

static bool flood(struct stub *stub, const char *text)
{
	while (send_all(stub, text, strlen(text)))
		;
	return false;
}

/* Until the host interrupts; then T02. */
static bool run_target(struct stub *stub, bool hits)
{
	if (hits && stub->fault == STUB_STOPS_BY_ITSELF)
		return answer(stub, "T05thread:01;", 0);
	if (hits && stub->fault == STUB_EXITS)
		return answer(stub, "W00", 0);
	int byte = receive_byte(stub);
	if (byte != 3)
		return false;
	log_letter(stub, '^');
	if (hits && stub->fault == STUB_IGNORES_INTERRUPT)
		return receive_byte(stub) >= 0;
	return answer(stub, "T02thread:01;", 0);
}

/* Answers as the fault has it. False ends the connection. */
static bool misbehave(struct stub *stub)
{
	static char text[110000];

	switch (stub->fault) {
	case STUB_ERROR:
		return answer(stub, "E01", 0);
	case STUB_SILENCE:
		return true;
	case STUB_CLOSES_IN_PACKET:
		send_all(stub, "$0011223344", 11);
		return false;
	case STUB_BAD_CHECKSUM_ONCE:
	case STUB_BAD_CHECKSUM_ALWAYS:
		if (!read_memory(stub, 0, text))
			strcpy(text, "1234");
		return answer(stub, text, 1);
	case STUB_TOO_LONG:
		memset(text, '0', 100000);
		text[100000] = 0;
		return answer(stub, text, 0);
	case STUB_EXPLODING_RUN:
		text[0] = '0';
		for (size_t i = 0; i < 1000; i++)
			memcpy(text + 1 + 2 * i, "*~", 3);
		return answer(stub, text, 0);
	case STUB_BROKEN_RUN:
		return answer(stub, "* 00", 0);
	case STUB_GARBAGE:
		return flood(stub, "\x80\xFFthis is not a gdb server\r\n");
	case STUB_OUTPUT_FOREVER:
		return flood(stub, "$O48690a#bb");
	case STUB_TOO_MANY_BYTES:
	case STUB_ODD_DIGITS:
		read_memory(stub, stub->fault == STUB_ODD_DIGITS ? -1 : 2, text);
		return answer(stub, text, 0);
	case STUB_NO_DIGITS:
		return answer(stub, "zz", 0);
	case STUB_EMPTY:
		return answer(stub, "", 0);
	default:
		return false; /* closes */
	}
}

static bool is_persistent(enum stub_fault fault)
{
	return fault != STUB_BAD_CHECKSUM_ONCE && fault != STUB_REFUSES_ONCE;
}

static bool replaces_answer(enum stub_fault fault)
{
	return fault != STUB_NO_FAULT && fault != STUB_HALF_THE_BYTES && fault != STUB_ONE_BYTE &&
	       fault < STUB_STOPS_BY_ITSELF;
}

static char letter_of(const char *request)
{
	return strncmp(request, "qRcmd,", 6) == 0 ? 'r' : request[0];
}

static bool handle_well(struct stub *stub, bool hits)
{
	char text[16384];

	switch (letter_of(stub->request)) {
	case 'q':
		snprintf(text, sizeof text, "%s%s;swbreak+%s", stub->packet_size != NULL ? "PacketSize=" : "",
		         stub->packet_size != NULL ? stub->packet_size : "",
		         stub->offers_no_ack ? ";QStartNoAckMode+" : "");
		return answer(stub, text, 0);
	case 'Q': {
		bool done = answer(stub, "OK", 0);
		stub->acknowledges = false;
		return done;
	}
	case '?':
		return answer(stub, "T02thread:01;", 0);
	case 'm':
		return answer(stub, read_memory(stub, 0, text) ? text : "E14", 0);
	case 'M':
		return answer(stub, write_memory(stub) ? "OK" : "E22", 0);
	case 'c':
		return run_target(stub, hits);
	case 'D':
		return answer(stub, "OK", 0) && false;
	default:
		return answer(stub, "", 0);
	}
}

static bool handle(struct stub *stub)
{
	bool hits = letter_of(stub->request) == (stub->fault_at ? stub->fault_at : 'm');
	bool faulty = hits && replaces_answer(stub->fault) && !stub->fault_spent;

	log_letter(stub, letter_of(stub->request));
	if (stub->on_request != NULL)
		stub->on_request(stub);
	if (faulty && !is_persistent(stub->fault))
		stub->fault_spent = true;
	if (faulty && (stub->fault == STUB_REFUSES_ONCE || stub->fault == STUB_REFUSES_ALWAYS))
		return send_all(stub, "-", 1);
	if (stub->acknowledges && !send_all(stub, "+", 1))
		return false;
	return faulty ? misbehave(stub) : handle_well(stub, hits);
}

/* The next request, without its frame. False at the end of the connection. */
static bool receive_request(struct stub *stub)
{
	int byte;
	size_t size = 0;

	do
		byte = receive_byte(stub);
	while (byte >= 0 && byte != '$');
	while ((byte = receive_byte(stub)) >= 0 && byte != '#' && size < sizeof stub->request - 1)
		stub->request[size++] = (char)byte;
	stub->request[size] = 0;
	return byte == '#' && receive_byte(stub) >= 0 && receive_byte(stub) >= 0;
}

static void *serve(void *context)
{
	struct stub *stub = context;
	struct pollfd ready = {.fd = stub->listener, .events = POLLIN};

	/* A test that fails before it connects must not hang in stub_join(). */
	if (poll(&ready, 1, 10000) == 1) {
		stub->connection = accept(stub->listener, NULL, NULL);
		if (stub->announces_stop)
			send_framed(stub, "T02thread:01;", 0);
		while (receive_request(stub) && handle(stub))
			;
		close(stub->connection);
	}
	close(stub->listener);
	return NULL;
}

void stub_start(struct stub *stub)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr *any = stub->ipv6 ? (struct sockaddr *)&address6 : (struct sockaddr *)&address;
	socklen_t size = stub->ipv6 ? sizeof address6 : sizeof address;

	for (size_t i = 0; i < STUB_SIZE; i++)
		stub->memory[i] = i < STUB_SIZE / 2 ? (uint8_t)(i * 7 + (i >> 8)) : 0;
	stub->acknowledges = true;
	stub->listener = socket(any->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert(stub->listener >= 0);
	int bound = bind(stub->listener, any, size);
	assert(bound == 0);
	listen(stub->listener, 1);
	getsockname(stub->listener, any, &size);
	if (stub->ipv6)
		snprintf(stub->source, sizeof stub->source, "gdb:[::1]:%u", ntohs(address6.sin6_port));
	else
		snprintf(stub->source, sizeof stub->source, "gdb:127.0.0.1:%u", ntohs(address.sin_port));
	int started = pthread_create(&stub->thread, NULL, serve, stub);
	assert(started == 0);
}

void stub_join(struct stub *stub)
{
	pthread_join(stub->thread, NULL);
}
