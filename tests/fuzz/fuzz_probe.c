/* SPDX-License-Identifier: MIT */
/*
 * Answers of a debug probe that are not as they should be, from a model that is as it should be: an input is how the
 * first of them is spoilt, then the next. Whatever it is, no request is longer than the probe takes, none too many are
 * on their way, and nothing is read beyond an answer. Answers that are lost or cut short never give wrong memory; and
 * where all was well until the connection stood, memory that is read when all is well again is what the target has:
 * unless so much was spoilt that the host may have given the probe up.
 */
#include "target/dap/adi.h"
#include "target/dap/cmsis_dap.h"

#include "../probe-model/cmsis_dap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE        0x20000000u
#define SIZE        256u
#define PACKET      64u
#define COUNT       4u
#define ANSWERS_MAX (2 * COUNT)

/* A host gives up a probe that does not answer DAP_Info behind a wrong answer, or has more wrong ones in a row than
 * this, which is host/target/dap/cmsis_dap.c's own. */
#define INFO       0
#define LOSSES_MAX 8

enum spoiling { KEEP, LOSE, SHORTEN, FLIP, REPLACE, SPOILINGS };

struct answer {
	size_t size;
	uint8_t bytes[1024];
};

static struct bench {
	struct packets packets; /* the first: what the host is given */
	struct cmsis_dap firmware;
	struct swd_target *target;
	struct answer answers[ANSWERS_MAX];
	unsigned first, count;
	const uint8_t *input;
	size_t left;                 /* of the input */
	bool is_spoiling, is_forged; /* forged: bytes came that the probe has not sent */
	unsigned losses;             /* answers that were spoilt; one to INFO is more than LOSSES_MAX at once */
} bench;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		abort();
}

static uint8_t next_byte(void)
{
	if (bench.left == 0)
		return 0;
	bench.left--;
	return *bench.input++;
}

static void replace(struct answer *answer)
{
	answer->size = next_byte() * 4u;
	for (size_t i = 0; i < answer->size; i++)
		answer->bytes[i] = next_byte();
}

static void spoil(struct answer *answer, uint8_t command)
{
	enum spoiling how = next_byte() % SPOILINGS;

	if (how != KEEP)
		bench.losses += command == INFO ? LOSSES_MAX + 1 : 1;
	switch (how) {
	case LOSE:
		answer->size = 0;
		break;
	case SHORTEN:
		answer->size = next_byte() % answer->size;
		break;
	case FLIP:
		bench.is_forged = true;
		/* Mostly what says how many there are, and how it went. */
		answer->bytes[next_byte() % answer->size] ^= next_byte();
		break;
	case REPLACE:
		bench.is_forged = true;
		replace(answer);
		break;
	default:
		break;
	}
}

static enum status take_request(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                                struct error *error)
{
	(void)deadline;
	(void)error;
	const uint8_t *request = bytes;

	expect(size > 0 && size <= packets->size_max && bench.count < ANSWERS_MAX);
	struct answer *answer = &bench.answers[(bench.first + bench.count) % ANSWERS_MAX];
	answer->size = cmsis_dap_execute(&bench.firmware, request, size, answer->bytes);
	if (bench.is_spoiling && answer->size > 0)
		spoil(answer, request[0]);
	if (answer->size > 0)
		bench.count++;
	return STATUS_OK;
}

static enum status give_answer(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
                               struct error *error)
{
	(void)packets;
	(void)deadline;
	*size = 0;
	if (bench.count == 0)
		return status_fail(error, "no answer");
	const struct answer *answer = &bench.answers[bench.first++ % ANSWERS_MAX];
	bench.count--;
	/* Bulk transfers are cut by who takes them; what is beyond is an error of the transfer. */
	if (answer->size > capacity)
		return status_fail(error, "too long");
	memcpy(bytes, answer->bytes, answer->size);
	*size = answer->size;
	return STATUS_OK;
}

static void close_packets(struct packets *packets)
{
	packets->ops = NULL;
}

static const struct packets_ops packets_ops = {.send = take_request, .receive = give_answer, .close = close_packets};

static void plug_in(const uint8_t *data, size_t size)
{
	static const char *const options[] = {"ram=0x20000000,0x1000"};

	bench = (struct bench){
	        .packets =
	                {.ops = &packets_ops, .source = "fuzz", .size_max = 1024, .in_flight_max = COUNT, .cancel = -1},
	        .target = swd_open(options, 1),
	        .input = data,
	        .left = size,
	};
	expect(bench.target != NULL);
	cmsis_dap_start(&bench.firmware, bench.target, "1", PACKET, COUNT);
	uint8_t *memory = swd_memory(bench.target, BASE, SIZE);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 7 + 1);
}

static struct adi *connect_to_target(void)
{
	const struct adi_setup setup = {.speed = 1000000, .access_port = -1, .core = -1, .cancel = -1, .timeout = 20};
	struct error error;
	struct adi *adi;
	struct dap *dap;

	if (cmsis_dap_open(&bench.packets, "fuzz", 20, &dap, &error) != STATUS_OK ||
	    adi_connect(dap, &setup, &adi, &error) != STATUS_OK)
		return NULL;
	return adi;
}

/* Whether it worked; what was read is right then, if nothing was forged, or surely. */
static bool read_memory(struct adi *adi, bool is_surely_right)
{
	uint8_t bytes[SIZE];
	struct error error;

	if (adi_read(adi, BASE, bytes, SIZE, &error) != STATUS_OK)
		return false;
	if (is_surely_right || !bench.is_forged)
		expect(memcmp(bytes, swd_memory(bench.target, BASE, SIZE), SIZE) == 0);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool was_well;

	plug_in(data, size);
	was_well = next_byte() % 2 == 0;
	bench.is_spoiling = !was_well;
	struct adi *adi = connect_to_target();
	expect(adi != NULL || !was_well);
	if (adi != NULL) {
		bench.is_spoiling = true;
		read_memory(adi, false);
		bench.is_spoiling = false;
		expect(read_memory(adi, was_well) || !was_well || bench.losses > LOSSES_MAX);
		adi_close(adi);
	}
	expect(bench.packets.ops == NULL);
	swd_close(bench.target);
	return 0;
}
