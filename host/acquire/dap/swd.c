/* SPDX-License-Identifier: MIT */
/* See swd.h. With overrun detection (IHI 0031, B4.2, "sticky overrun behavior") data follow every request, even one
 * that is refused, and then all further requests are refused until the overrun is cleared. So a stream can be sent
 * without checks in between. */
#include "acquire/dap/swd.h"

#include "acquire/dap/pause.h"
#include "acquire/dap/registers.h"
#include "acquire/dap/stream.h"

#include <stdlib.h>
#include <string.h>

/* TARGETSEL (B4.3.4), which is written at 12. */
#define DP_TARGETSEL (DAP_DP | 0xCu)
/* This many WAIT acknowledges in a row end a transfer. */
#define WAITS_MAX 16
/* Requests per stream that take about as long as a USB round trip: shorter streams save no time. */
#define REQUESTS_MIN 32u

/* A request on the wire. */
struct swd_request {
	uint8_t reg;
	uint32_t word;         /* to write */
	uint32_t *destination; /* where its word, or the previous request's word, goes; NULL: nowhere */
};

/* A position in a list of transfers, and the requests to make next. */
struct queue {
	const struct dap_transfer *transfers;
	size_t left;
	uint32_t done;     /* words already done of the first remaining transfer */
	uint32_t *pending; /* where the word of the last posted read goes */
	bool is_flushed;   /* no access to an access port is pending */
	size_t count;
	struct swd_request requests[STREAM_REQUESTS_MAX];
};

struct swd_dap {
	struct dap dap;
	struct pins *pins;
	uint32_t bank;    /* SELECT.DPBANKSEL */
	uint32_t control; /* CTRL/STAT as last written */
	struct queue queue;
	size_t request_max; /* requests per stream: halved after WAIT, which refuses all later requests; doubled after
	                       success */
	bool is_overrun;    /* the next stream begins with a request that clears the overrun */
	size_t sent;        /* requests of the queue that the last stream sent */
	struct stream stream;
};

static struct swd_dap *swd_of(struct dap *dap)
{
	return (struct swd_dap *)dap;
}

static enum status shift_stream(struct swd_dap *swd, struct error *error)
{
	struct stream *stream = &swd->stream;

	enum status status =
	        swd->pins->ops->shift_swd(swd->pins, stream->bits, stream->direction, stream->in, stream->count, error);
	swd->dap.packets_lost = swd->pins->packets_lost;
	return status;
}

static enum status swd_send_bits(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error)
{
	struct swd_dap *swd = swd_of(dap);

	for (unsigned done = 0; done < count;) {
		const unsigned max = STREAM_BYTES_MAX * 8, part = count - done < max ? count - done : max;

		memcpy(swd->stream.bits, bits + done / 8, (part + 7) / 8);
		memset(swd->stream.direction, 0xFF, (part + 7) / 8);
		swd->stream.count = part;
		enum status status = shift_stream(swd, error);
		if (status != STATUS_OK)
			return status;
		done += part;
	}
	swd->bank = 0;
	swd->is_overrun = false;
	return STATUS_OK;
}

static enum status swd_select_target(struct dap *dap, uint32_t target, struct error *error)
{
	struct swd_dap *swd = swd_of(dap);

	swd->stream.count = 0;
	stream_add_request(&swd->stream, DP_TARGETSEL, target);
	return shift_stream(swd, error);
}

static void add_request(struct queue *queue, uint8_t reg, uint32_t word, uint32_t *destination)
{
	queue->requests[queue->count++] = (struct swd_request){.reg = reg, .word = word, .destination = destination};
}

/* The next access, or RDBUFF, returns the word of a posted read and the result of the last write. */
static void add_flush_request(struct queue *queue)
{
	add_request(queue, DP_RDBUFF, 0, queue->pending);
	queue->pending = NULL;
	queue->is_flushed = true;
}

/* The word to write. Switches on overrun detection together with the power. */
static uint32_t swd_word_to_write(struct swd_dap *swd, uint8_t reg, uint32_t word)
{
	if (reg == DP_SELECT)
		swd->bank = word & 0xFu;
	if (reg != DP_CTRL_STAT || swd->bank != 0)
		return word;
	swd->control = word;
	return word | CTRL_ORUNDETECT;
}

/* Whether the word of a read comes with the next access. */
static bool is_posted(const struct dap_transfer *transfer)
{
	return (transfer->reg & (DAP_AP | DAP_READ)) == (DAP_AP | DAP_READ);
}

static void add_next_request(struct swd_dap *swd)
{
	struct queue *queue = &swd->queue;
	const struct dap_transfer *next = queue->transfers;
	uint32_t *word = next->words + queue->done;

	if (is_posted(next)) {
		add_request(queue, next->reg, 0, queue->pending);
		queue->pending = word;
	} else if (next->reg & DAP_READ) {
		add_request(queue, next->reg, 0, word);
	} else {
		add_request(queue, next->reg, swd_word_to_write(swd, next->reg, *word), NULL);
	}
	queue->is_flushed = queue->is_flushed && !(next->reg & DAP_AP);
	if (++queue->done < next->count)
		return;
	queue->done = 0;
	queue->transfers++;
	queue->left--;
}

/* Queues the next transfers, with a flush after posted reads. ABORT ends a stream: it must not allow requests that
 * follow a refused one. */
static bool fill_queue(struct swd_dap *swd)
{
	struct queue *queue = &swd->queue;

	while (queue->count < swd->request_max) {
		const bool is_end = queue->left == 0;

		if (queue->count > 0 && queue->requests[queue->count - 1].reg == DP_ABORT)
			break;
		if (is_end && queue->is_flushed)
			break;
		if (is_end || (queue->pending != NULL && !is_posted(queue->transfers)))
			add_flush_request(queue);
		else
			add_next_request(swd);
	}
	return queue->count > 0;
}

static void begin_stream(struct swd_dap *swd)
{
	swd->stream.count = 0;
	if (swd->is_overrun)
		stream_add_request(&swd->stream, DP_ABORT, ABORT_ORUNERRCLR);
}

static enum status send_queue(struct swd_dap *swd, struct error *error)
{
	const struct queue *queue = &swd->queue;
	struct stream *stream = &swd->stream;

	begin_stream(swd);
	for (swd->sent = 0; swd->sent < queue->count && swd->sent < swd->request_max && stream_has_room(stream);
	     swd->sent++)
		stream_add_request(stream, queue->requests[swd->sent].reg, queue->requests[swd->sent].word);
	stream_add_idle(stream);
	return shift_stream(swd, error);
}

/* Stores the word of a successful read. */
static enum dap_ack take_answer(const struct swd_dap *swd, size_t index)
{
	const struct swd_request *request = &swd->queue.requests[index];
	const size_t place = index + swd->is_overrun;
	enum dap_ack ack = stream_ack(&swd->stream, place);
	uint32_t word;

	if (ack != DAP_OK || !(request->reg & DAP_READ))
		return ack;
	if (!stream_word(&swd->stream, place, &word))
		return DAP_PROTOCOL_ERROR;
	if (request->destination != NULL)
		*request->destination = word;
	return DAP_OK;
}

/* Removes acknowledged requests from the queue. */
static enum dap_ack take_acknowledged(struct swd_dap *swd, size_t *taken)
{
	struct queue *queue = &swd->queue;
	enum dap_ack ack = DAP_OK;
	size_t count = 0;

	*taken = 0;
	if (swd->is_overrun && stream_ack(&swd->stream, 0) != DAP_OK)
		return DAP_PROTOCOL_ERROR;
	while (count < swd->sent && (ack = take_answer(swd, count)) == DAP_OK)
		count++;
	queue->count -= count;
	memmove(queue->requests, queue->requests + count, queue->count * sizeof *queue->requests);
	*taken = count;
	return ack;
}

static void adapt_pace(struct swd_dap *swd, enum dap_ack ack, size_t taken)
{
	swd->stream.pause = pause_next(swd->stream.pause, ack == DAP_WAIT, taken);
	if (ack == DAP_WAIT && swd->request_max > REQUESTS_MIN)
		swd->request_max /= 2;
	else if (ack == DAP_OK && swd->request_max < STREAM_REQUESTS_MAX)
		swd->request_max *= 2;
}

/* Clears an overrun now, if no request follows at once. */
static enum status clear_overrun(struct swd_dap *swd, struct error *error)
{
	begin_stream(swd);
	stream_add_idle(&swd->stream);
	swd->is_overrun = false;
	return shift_stream(swd, error);
}

static enum status swd_transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                                struct error *error)
{
	struct swd_dap *swd = swd_of(dap);
	struct queue *queue = &swd->queue;
	unsigned waits = 0;

	*queue = (struct queue){.transfers = transfers, .left = count, .is_flushed = true};
	*ack = DAP_OK;
	while (*ack == DAP_OK && fill_queue(swd)) {
		size_t taken;
		enum status status = send_queue(swd, error);

		if (status != STATUS_OK)
			return status;
		*ack = take_acknowledged(swd, &taken);
		swd->is_overrun = *ack == DAP_WAIT;
		adapt_pace(swd, *ack, taken);
		waits = taken > 0 ? 0 : waits + 1;
		if (*ack == DAP_WAIT && waits < WAITS_MAX)
			*ack = DAP_OK;
	}
	return swd->is_overrun ? clear_overrun(swd, error) : STATUS_OK;
}

static enum status swd_set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	return swd_of(dap)->pins->ops->set_speed(swd_of(dap)->pins, speed, error);
}

static enum status swd_drive_reset(struct dap *dap, bool is_low, struct error *error)
{
	return swd_of(dap)->pins->ops->drive_reset(swd_of(dap)->pins, is_low, error);
}

static void swd_finish(struct dap *dap)
{
	swd_of(dap)->pins->ops->finish(swd_of(dap)->pins);
}

/* Switches overrun detection off: the next user of the debug port may not expect it. */
static void swd_close(struct dap *dap)
{
	struct swd_dap *swd = swd_of(dap);
	struct error ignored;

	swd->stream.count = 0;
	stream_add_request(&swd->stream, DP_SELECT, 0);
	stream_add_request(&swd->stream, DP_CTRL_STAT, swd->control);
	stream_add_idle(&swd->stream);
	shift_stream(swd, &ignored);
	swd->pins->ops->close(swd->pins);
	free(swd);
}

static const struct dap_ops swd_ops = {
        .send_bits = swd_send_bits,
        .select_target = swd_select_target,
        .transfer = swd_transfer,
        .set_speed = swd_set_speed,
        .drive_reset = swd_drive_reset,
        .finish = swd_finish,
        .close = swd_close,
};

enum status swd_dap_open(struct pins *pins, struct dap **dap, struct error *error)
{
	struct swd_dap *swd = calloc(1, sizeof *swd);

	if (swd == NULL) {
		enum status status = status_no_memory(error, pins->source);

		pins->ops->close(pins);
		return status;
	}
	swd->dap.ops = &swd_ops;
	memcpy(swd->dap.source, pins->source, sizeof swd->dap.source);
	swd->dap.is_speed_limit = pins->is_speed_limit;
	swd->pins = pins;
	swd->request_max = STREAM_REQUESTS_MAX;
	*dap = &swd->dap;
	return STATUS_OK;
}
