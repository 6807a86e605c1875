/* SPDX-License-Identifier: MIT */
/* See stub.h. */
#include "stub.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void log_letter(struct stub *stub, char letter)
{
	size_t length = strlen(stub->log);

	assert(length + 1 < sizeof stub->log);
	stub->log[length] = letter;
}

static bool send_framed(const struct stub *stub, const char *payload, unsigned error_in_sum)
{
	static char packet[200000];
	unsigned sum = error_in_sum;

	for (const char *next = payload; *next; next++)
		sum += (unsigned char)*next;
	int length = snprintf(packet, sizeof packet, "$%s#%02x", payload, sum & 0xFF);
	assert(length > 0 && (size_t)length < sizeof packet);
	return speaker_say(&stub->speaker, packet);
}

/* Replaces runs of 4 to 97 equal characters, except those whose length would be encoded as '#', '$', '+' or '-'. */
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
	if (stub->prints &&
	    (!send_framed(stub, "O48690a", 0) || (stub->acknowledges && speaker_receive(&stub->speaker) != '+')))
		return false;
	for (;;) {
		if (!send_framed(stub, payload, error_in_sum))
			return false;
		if (!stub->acknowledges)
			return true;
		int byte = speaker_receive(&stub->speaker);
		if (byte != '-')
			return byte == '+';
		if (stub->fault == STUB_BAD_CHECKSUM_ONCE)
			error_in_sum = 0;
	}
}

/* NULL: not in the memory. */
static uint8_t *memory_at(struct stub *stub, unsigned address, unsigned size)
{
	bool is_inside =
	        address >= STUB_BASE && address - STUB_BASE <= STUB_SIZE && size <= STUB_SIZE - (address - STUB_BASE);

	return is_inside ? stub->memory + (address - STUB_BASE) : NULL;
}

static bool read_memory(struct stub *stub, int surplus, char *digits)
{
	unsigned address, size;

	if (sscanf(stub->request, "m%x,%x", &address, &size) != 2)
		return false;
	if (size > stub->longest_read)
		stub->longest_read = size;
	const uint8_t *bytes = memory_at(stub, address, size);
	if (bytes == NULL)
		return false;
	if (stub->fault == STUB_HALF_THE_BYTES)
		size = (size + 1) / 2;
	if (stub->fault == STUB_ONE_BYTE)
		size = 1;
	for (unsigned i = 0; i < size; i++)
		sprintf(digits + 2 * i, "%02x", bytes[i]);
	strcpy(digits + 2 * size + (surplus < 0 ? surplus : 0), surplus > 0 ? "00" : "");
	return true;
}

static bool write_memory(struct stub *stub)
{
	unsigned address, size, byte;
	int used = 0;

	if (sscanf(stub->request, "M%x,%x:%n", &address, &size, &used) != 2 || used == 0)
		return false;
	uint8_t *bytes = memory_at(stub, address, size);
	for (unsigned i = 0; bytes != NULL && i < size; i++) {
		if (sscanf(stub->request + used + 2 * i, "%2x", &byte) != 1)
			return false;
		bytes[i] = (uint8_t)byte;
	}
	return bytes != NULL;
}

/* Until the host interrupts; then T02. */
static bool run_target(struct stub *stub, bool hits)
{
	if (hits && stub->fault == STUB_STOPS_BY_ITSELF)
		return answer(stub, "T05thread:01;", 0);
	if (hits && stub->fault == STUB_EXITS)
		return answer(stub, "W00", 0);
	int byte = speaker_receive(&stub->speaker);
	if (byte != 3)
		return false;
	log_letter(stub, '^');
	if (hits && stub->fault == STUB_IGNORES_INTERRUPT)
		return speaker_receive(&stub->speaker) >= 0;
	return answer(stub, "T02thread:01;", 0);
}

/* Answers with the fault. False ends the connection. */
static bool misbehave(struct stub *stub)
{
	static const char *const payloads[] = {
	        [STUB_ERROR] = "E01", [STUB_BROKEN_RUN] = "* 00", [STUB_NO_DIGITS] = "zz", [STUB_EMPTY] = ""};
	static char text[110000];

	switch (stub->fault) {
	case STUB_SILENCE:
		return true;
	case STUB_CLOSES_IN_PACKET:
		speaker_say(&stub->speaker, "$0011223344");
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
	case STUB_GARBAGE:
		return speaker_flood(&stub->speaker, "\x80\xFFthis is not a gdb server\r\n");
	case STUB_OUTPUT_FOREVER:
		return speaker_flood(&stub->speaker, "$O48690a#bb");
	case STUB_TOO_MANY_BYTES:
	case STUB_ODD_DIGITS:
		read_memory(stub, stub->fault == STUB_ODD_DIGITS ? -1 : 2, text);
		return answer(stub, text, 0);
	case STUB_CLOSES_INSTEAD:
		return false;
	default:
		return answer(stub, payloads[stub->fault], 0);
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
		return speaker_say(&stub->speaker, "-");
	if (stub->acknowledges && !speaker_say(&stub->speaker, "+"))
		return false;
	return faulty ? misbehave(stub) : handle_well(stub, hits);
}

/* The next request, without its frame. False at the end of the connection. */
static bool receive_request(struct stub *stub)
{
	int byte;
	size_t size = 0;

	do
		byte = speaker_receive(&stub->speaker);
	while (byte >= 0 && byte != '$');
	while ((byte = speaker_receive(&stub->speaker)) >= 0 && byte != '#' && size < sizeof stub->request - 1)
		stub->request[size++] = (char)byte;
	stub->request[size] = 0;
	return byte == '#' && speaker_receive(&stub->speaker) >= 0 && speaker_receive(&stub->speaker) >= 0;
}

/* Decodes qRcmd and its digits. */
static void decode(const char *request, char *text, size_t capacity)
{
	unsigned byte;
	size_t size = 0;

	if (strncmp(request, "qRcmd,", 6) != 0) {
		snprintf(text, capacity, "%.500s", request);
		return;
	}
	size = (size_t)snprintf(text, capacity, "monitor ");
	for (request += 6; sscanf(request, "%2x", &byte) == 1 && size + 1 < capacity; request += 2)
		text[size++] = (char)byte;
	text[size] = 0;
}

static void send_scripted(const struct stub *stub, const char *answer)
{
	static const char says[] = "says ", result[] = "result ";
	char payload[1024];
	bool is_output = strncmp(answer, says, sizeof says - 1) == 0;
	bool is_encoded = is_output || strncmp(answer, result, sizeof result - 1) == 0;
	size_t size = (size_t)snprintf(payload, sizeof payload, "%s", is_output ? "O" : is_encoded ? "" : answer);

	for (const char *text = is_encoded ? strchr(answer, ' ') + 1 : ""; *text; text++)
		size += (size_t)snprintf(payload + size, sizeof payload - size, "%02x", (unsigned char)*text);
	send_framed(stub, payload, 0);
}

static void follow_script(struct stub *stub)
{
	char text[1024];

	for (const struct exchange *next = stub->script; next->request != NULL; next++, stub->done++) {
		if (!receive_request(stub))
			return;
		decode(stub->request, text, sizeof text);
		if (strcmp(text, next->request) != 0) {
			snprintf(stub->unexpected, sizeof stub->unexpected, "%.240s", text);
			return;
		}
		if (stub->acknowledges)
			speaker_say(&stub->speaker, "+");
		for (size_t i = 0; next->answers[i] != NULL; i++)
			send_scripted(stub, next->answers[i]);
		stub->acknowledges = stub->acknowledges && strcmp(text, "QStartNoAckMode") != 0;
	}
}

static void serve(struct speaker *speaker)
{
	struct stub *stub = speaker->context;

	if (stub->script != NULL) {
		follow_script(stub);
		return;
	}
	if (stub->announces_stop)
		send_framed(stub, "T02thread:01;", 0);
	while (receive_request(stub) && handle(stub))
		;
}

void stub_start(struct stub *stub)
{
	for (size_t i = 0; i < STUB_SIZE; i++)
		stub->memory[i] = i < STUB_SIZE / 2 ? (uint8_t)(i * 7 + (i >> 8)) : 0;
	stub->acknowledges = true;
	stub->speaker = (struct speaker){
	        .serve = serve, .context = stub, .is_ipv6 = stub->ipv6, .is_terminal = stub->script != NULL};
	speaker_start(&stub->speaker);
	snprintf(stub->source, sizeof stub->source, "gdb:%s", stub->speaker.address);
}

void stub_join(struct stub *stub)
{
	speaker_join(&stub->speaker);
}
