/* SPDX-License-Identifier: MIT */
/* Accesses to memory and registers through an ST-Link. A failed access is repeated with fewer bytes, until it succeeds
 * or is hopeless. See stlink_state.h. */
#include "target/dap/stlink_state.h"

#include "base/clock.h"
#include "base/wait.h"
#include "target/dap/registers.h"

#include <inttypes.h>
#include <string.h>

#define WORD 4u
/* Fewer bytes per second than this, because of errors, count as no progress. */
#define BYTES_MIN 512
/* The smallest access is given up after this many failures in a row, unless the bus is busy. */
#define TRIES_MAX 8
/* Recovery takes a stronger measure after this many failures in a row. */
#define STRONGER_TRIES 8
/* The longest pause after WAIT, as a power of two in milliseconds. */
#define PAUSE_MAX 6

/* An access of size bytes by commands that transfer at most size_max each. */
struct access {
	/* Transfers size bytes from offset on, to or from address. */
	enum status (*transfer)(struct stlink *stlink, const struct access *access, uint32_t address, size_t offset,
	                        size_t size, struct stlink_result *result, struct error *error);
	uint32_t address;
	uint8_t *in;        /* result of a read */
	const uint8_t *out; /* data of a write; NULL = it is a read */
	size_t size, size_max, unit;
	bool is_repeated;   /* all reads are of one address */
	bool may_be_absent; /* a bus error means that the word does not exist */
	bool has_progress;  /* its progress is reported */
	unsigned port;      /* the port, for an access to port registers */
};

/* The errors of an access, to decide when to give up. */
struct retries {
	uint64_t deadline; /* for giving up, unless enough bytes arrive; 0 = no failure yet */
	size_t bytes;      /* that arrived since the deadline was set */
	unsigned tries;    /* failures in a row */
	unsigned smallest; /* failures of the smallest access */
};

/* --- The commands of each kind of access */

/* Memory commands have no status of their own (pyOCD, stlink.py; OpenOCD, stlink_usb_get_rw_status()). */
static enum status take_last_status(struct stlink *stlink, struct stlink_result *result, struct error *error)
{
	uint8_t answer[12];
	const struct stlink_request query = {
	        .command = {STLINK_DEBUG, STLINK_GET_LAST_STATUS}, .in = answer, .in_size = sizeof answer};

	enum status status = stlink_ask_for_result(stlink, &query, result, error);
	if (status == STATUS_OK)
		result->address = stlink_word(answer + 4);
	return status;
}

static enum status transfer_memory(struct stlink *stlink, enum stlink_debug_command command,
                                   const struct access *access, uint32_t address, size_t offset, size_t size,
                                   struct stlink_result *result, struct error *error)
{
	const bool is_chosen = stlink_has(stlink, STLINK_CHOOSES_PORT);
	struct stlink_request request = {.command = {STLINK_DEBUG, (uint8_t)command, STLINK_WORD(address),
	                                             STLINK_HALF(size), is_chosen ? (uint8_t)stlink->port : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 8) : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 16) : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 24) : 0}};

	if (access->out != NULL) {
		request.out = access->out + offset;
		request.out_size = size;
	} else {
		request.in = access->in + offset;
		request.in_size = size;
	}
	enum status status = stlink_ask(stlink, &request, error);
	return status == STATUS_OK ? take_last_status(stlink, result, error) : status;
}

static enum status transfer_words(struct stlink *stlink, const struct access *access, uint32_t address, size_t offset,
                                  size_t size, struct stlink_result *result, struct error *error)
{
	return transfer_memory(stlink, access->out != NULL ? STLINK_WRITE_WORDS : STLINK_READ_WORDS, access, address,
	                       offset, size, result, error);
}

static enum status write_bytes(struct stlink *stlink, const struct access *access, uint32_t address, size_t offset,
                               size_t size, struct stlink_result *result, struct error *error)
{
	return transfer_memory(stlink, STLINK_WRITE_BYTES, access, address, offset, size, result, error);
}

/* Sends a command whose answer is a status and a word. */
static enum status read_word(struct stlink *stlink, const struct stlink_request *request, uint8_t *bytes,
                             struct stlink_result *result, struct error *error)
{
	struct stlink_request query = *request;
	uint8_t answer[8];

	query.in = answer;
	query.in_size = sizeof answer;
	enum status status = stlink_ask_for_result(stlink, &query, result, error);
	if (status == STATUS_OK)
		memcpy(bytes, answer + 4, WORD);
	return status;
}

/* bytes: those of the word that the command contains. */
static enum status write_word(struct stlink *stlink, const struct stlink_request *request, const uint8_t *bytes,
                              struct stlink_result *result, struct error *error)
{
	struct stlink_request order = *request;
	uint8_t answer[2];

	memcpy(order.command + 6, bytes, WORD);
	order.in = answer;
	order.in_size = sizeof answer;
	return stlink_ask_for_result(stlink, &order, result, error);
}

/* Uses one command instead of two, through access port 0. */
static enum status transfer_register(struct stlink *stlink, const struct access *access, uint32_t address,
                                     size_t offset, size_t size, struct stlink_result *result, struct error *error)
{
	const uint8_t code = access->out != NULL ? STLINK_WRITE_DEBUG_REGISTER : STLINK_READ_DEBUG_REGISTER;
	const struct stlink_request request = {.command = {STLINK_DEBUG, code, STLINK_WORD(address)}};

	if (stlink->port != 0)
		return transfer_words(stlink, access, address, offset, size, result, error);
	if (access->out == NULL)
		return read_word(stlink, &request, access->in + offset, result, error);
	return write_word(stlink, &request, access->out + offset, result, error);
}

static enum status transfer_port(struct stlink *stlink, const struct access *access, uint32_t address, size_t offset,
                                 size_t size, struct stlink_result *result, struct error *error)
{
	const uint8_t code = access->out != NULL ? STLINK_WRITE_PORT : STLINK_READ_PORT;
	const struct stlink_request request = {
	        .command = {STLINK_DEBUG, code, STLINK_HALF(access->port), STLINK_HALF(address)}};

	(void)size;
	if (access->out == NULL)
		return read_word(stlink, &request, access->in + offset, result, error);
	return write_word(stlink, &request, access->out + offset, result, error);
}

/* --- Errors */

/* Writes ABORT, once. A failure shows in the next access. */
static enum status clear_errors(struct stlink *stlink, uint32_t abort, struct error *error)
{
	const uint8_t bytes[] = {STLINK_WORD(abort)};
	const struct access access = {.out = bytes, .port = STLINK_DEBUG_PORT};
	struct stlink_result result;

	return transfer_port(stlink, &access, DP_ABORT, 0, sizeof bytes, &result, error);
}

static enum status connect_again(struct stlink *stlink, struct error *error)
{
	struct stlink_result ignored;

	return stlink_connect(stlink, &ignored, error);
}

static enum status recover(struct stlink *stlink, enum dap_ack ack, unsigned tries, struct error *error)
{
	const bool is_stronger = tries % STRONGER_TRIES == STRONGER_TRIES - 1;
	const bool can_clear = stlink_has(stlink, STLINK_HAS_PORT_REGISTERS);

	if (ack == DAP_WAIT) {
		wait_pause(1u << (tries < PAUSE_MAX ? tries : PAUSE_MAX), stlink->exchange->cancel);
		if (!is_stronger)
			return STATUS_OK;
		return can_clear ? clear_errors(stlink, ABORT_CLEAR_ALL | ABORT_DAPABORT, error)
		                 : connect_again(stlink, error);
	}
	if (ack == DAP_FAULT && can_clear && !is_stronger)
		return clear_errors(stlink, ABORT_CLEAR_ALL, error);
	return connect_again(stlink, error);
}

/* True if the wires failed, rather than the target or the probe. */
static bool is_damage(const struct stlink_result *result)
{
	return result->ack == DAP_FAULT ? (result->flags & CTRL_WDATAERR) != 0
	                                : result->ack == DAP_NO_ACK || result->ack == DAP_PROTOCOL_ERROR;
}

/* The minimum of bytes that must arrive within the time-out despite errors; lower at a slow clock. */
static size_t min_bytes(const struct stlink *stlink)
{
	uint32_t half = stlink->traffic.speed / ADI_WORD_CLOCKS * WORD / 2;

	return (size_t)((uint64_t)(half < BYTES_MIN ? half : BYTES_MIN) * stlink->setup.adi.timeout / 1000);
}

/* Recovers for a retry with fewer bytes, so that frequent errors waste little, and a persistent one is narrowed down to
 * its address. */
static enum status prepare_retry(struct stlink *stlink, const struct access *access, struct retries *retries,
                                 size_t size, const struct stlink_result *result, bool *is_hopeless,
                                 struct error *error)
{
	const uint64_t now = clock_now();

	if (retries->deadline == 0 || (now >= retries->deadline && retries->bytes > min_bytes(stlink))) {
		retries->deadline = now + stlink->setup.adi.timeout;
		retries->bytes = 0;
	}
	retries->smallest += size <= access->unit;
	*is_hopeless = now >= retries->deadline || (access->may_be_absent && result->ack == DAP_FAULT) ||
	               (retries->smallest >= TRIES_MAX && result->ack != DAP_WAIT);
	enum status status = recover(stlink, result->ack, retries->tries++, error);
	if (!access->may_be_absent || result->ack != DAP_FAULT) {
		stlink->size_now = size / 2 > WORD ? size / 2 / WORD * WORD : WORD;
		stlink->traffic.repeats++;
		stlink->traffic.damaged += is_damage(result);
	}
	if (*is_hopeless && status == STATUS_OK)
		stlink->is_lost = result->ack != DAP_FAULT;
	return status;
}

static enum status fail(const struct stlink *stlink, const struct access *access, uint32_t address, size_t size,
                        const struct stlink_result *result, struct error *error)
{
	const char *verb = access->out != NULL ? "write" : "read", *source = stlink->exchange->source;
	char text[128];
	const char *reason = stlink_reason(result, text, sizeof text);

	if (access->transfer == transfer_port)
		return status_fail(error, "%s: cannot set up access port %u: %s", source, access->port, reason);
	if (result->address > address && result->address - address < size)
		address = result->address;
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx32 " by access port %u: %s", source, verb, address,
	                   stlink->port, reason);
}

/* --- Accesses */

/* Bytes transferred in a quarter of a second at this clock, as whole windows. */
static size_t size_by_clock(const struct stlink *stlink)
{
	uint32_t windows = stlink->traffic.speed / ADI_WORD_CLOCKS / TAR_WINDOW;

	if (windows == 0)
		return TAR_WINDOW;
	return windows < STLINK_ACCESS_MAX / TAR_WINDOW ? windows * TAR_WINDOW : STLINK_ACCESS_MAX;
}

/* Bytes for one command. A long command ends at the end of a TAR window, so that the next begins with a window. */
static size_t next_size(const struct stlink *stlink, const struct access *access, uint32_t address, size_t left)
{
	size_t max = stlink->size_now < access->size_max ? stlink->size_now : access->size_max;
	size_t by_clock = size_by_clock(stlink);

	if (max > by_clock)
		max = by_clock;
	/* At most three single bytes are accessed. */
	if (left <= max || access->unit < WORD)
		return left < access->size_max ? left : access->size_max;
	size_t beyond = (address + max) % TAR_WINDOW;
	return beyond < max ? max - beyond : max;
}

static void note_success(struct stlink *stlink, const struct access *access, struct retries *retries, size_t size,
                         size_t done)
{
	/* A short access does not make the next one shorter. */
	if (stlink->size_now < 2 * size)
		stlink->size_now = 2 * size;
	retries->bytes += size;
	retries->tries = retries->smallest = 0;
	if (access->has_progress && stlink->setup.progress != NULL)
		stlink->setup.progress(stlink->setup.adi.context, done, access->size);
}

static enum status move(struct stlink *stlink, const struct access *access, struct error *error)
{
	struct retries retries = {0};
	bool is_hopeless = false;
	size_t done = 0;

	while (done < access->size) {
		const uint32_t address = access->address + (access->is_repeated ? 0 : (uint32_t)done);
		const size_t size = next_size(stlink, access, address, access->size - done);
		struct stlink_result result = {0};

		stlink->traffic.lists++;
		enum status status = access->transfer(stlink, access, address, done, size, &result, error);
		if (status == STATUS_OK && result.ack == DAP_OK) {
			done += size;
			note_success(stlink, access, &retries, size, done);
			stlink->is_lost = false;
			continue;
		}
		if (status == STATUS_OK)
			status = prepare_retry(stlink, access, &retries, size, &result, &is_hopeless, error);
		if (status != STATUS_OK)
			return status;
		if (is_hopeless)
			return fail(stlink, access, address, size, &result, error);
	}
	return STATUS_OK;
}

/* Adds an access to the statistics. */
static enum status measure(struct stlink *stlink, const struct access *access, struct error *error)
{
	const uint64_t since = clock_now();

	enum status status = move(stlink, access, error);
	stlink->milliseconds += clock_now() - since;
	stlink->traffic.bytes += status == STATUS_OK ? access->size : 0;
	return status;
}

static enum status check_range(const struct stlink *stlink, uint64_t address, size_t size, struct error *error)
{
	if (size == 0 || (address <= UINT32_MAX && size - 1 <= UINT32_MAX - address))
		return STATUS_OK;
	return status_fail(error, "%s: access port %u reaches no memory at 0x%" PRIx64 " of %zu bytes",
	                   stlink->exchange->source, stlink->port, address, size);
}

/* in or out is NULL. */
static enum status access_words(struct stlink *stlink, uint64_t address, uint8_t *in, const uint8_t *out, size_t size,
                                struct error *error)
{
	const struct access access = {.transfer = transfer_words,
	                              .address = (uint32_t)address,
	                              .in = in,
	                              .out = out,
	                              .size = size,
	                              .size_max = STLINK_ACCESS_MAX,
	                              .unit = WORD,
	                              .has_progress = out == NULL};

	return size > 0 ? measure(stlink, &access, error) : STATUS_OK;
}

/* A partial word is read as a whole word. */
static enum status read_part(struct stlink *stlink, uint64_t address, uint8_t *bytes, size_t size, struct error *error)
{
	uint8_t word[WORD];

	if (size == 0)
		return STATUS_OK;
	enum status status = access_words(stlink, address / WORD * WORD, word, NULL, WORD, error);
	if (status == STATUS_OK)
		memcpy(bytes, word + address % WORD, size);
	return status;
}

static enum status write_part(struct stlink *stlink, uint64_t address, const uint8_t *bytes, size_t size,
                              struct error *error)
{
	const struct access access = {.transfer = write_bytes,
	                              .address = (uint32_t)address,
	                              .out = bytes,
	                              .size = size,
	                              .size_max = STLINK_BYTES_MAX,
	                              .unit = 1};

	return size > 0 ? measure(stlink, &access, error) : STATUS_OK;
}

/* The number of bytes before the first whole word. */
static size_t head_of(uint64_t address, size_t size)
{
	size_t head = (size_t)(-address % WORD);

	return head < size ? head : size;
}

enum status stlink_read(struct stlink *stlink, uint64_t address, void *bytes, size_t size, struct error *error)
{
	const size_t head = head_of(address, size), words = (size - head) / WORD * WORD, tail = head + words;
	uint8_t *next = bytes;

	enum status status = check_range(stlink, address, size, error);
	if (status == STATUS_OK)
		status = read_part(stlink, address, next, head, error);
	if (status == STATUS_OK)
		status = access_words(stlink, address + head, next + head, NULL, words, error);
	return status == STATUS_OK ? read_part(stlink, address + tail, next + tail, size - tail, error) : status;
}

enum status stlink_write(struct stlink *stlink, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const size_t head = head_of(address, size), words = (size - head) / WORD * WORD, tail = head + words;
	const uint8_t *next = bytes;

	enum status status = check_range(stlink, address, size, error);
	if (status == STATUS_OK)
		status = write_part(stlink, address, next, head, error);
	if (status == STATUS_OK)
		status = access_words(stlink, address + head, NULL, next + head, words, error);
	return status == STATUS_OK ? write_part(stlink, address + tail, next + tail, size - tail, error) : status;
}

static enum status access_register(struct stlink *stlink, uint64_t address, const struct access *access,
                                   struct error *error)
{
	if (address % WORD != 0)
		return status_fail(error, "%s: 0x%" PRIx64 " is not the address of a word", stlink->exchange->source,
		                   address);
	enum status status = check_range(stlink, address, WORD, error);
	return status == STATUS_OK ? measure(stlink, access, error) : status;
}

enum status stlink_read_register(struct stlink *stlink, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error)
{
	uint8_t *bytes = (uint8_t *)words;
	const struct access access = {.transfer = transfer_register,
	                              .address = (uint32_t)address,
	                              .in = bytes,
	                              .size = count * WORD,
	                              .size_max = WORD,
	                              .unit = WORD,
	                              .is_repeated = true};

	enum status status = access_register(stlink, address, &access, error);
	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		words[i] = stlink_word(bytes + WORD * i);
	return status;
}

enum status stlink_probe(struct stlink *stlink, uint64_t address, uint32_t *word, struct error *error)
{
	uint8_t bytes[WORD];
	const struct access access = {.transfer = transfer_register,
	                              .address = (uint32_t)address,
	                              .in = bytes,
	                              .size = WORD,
	                              .size_max = WORD,
	                              .unit = WORD,
	                              .may_be_absent = true};

	enum status status = access_register(stlink, address, &access, error);
	if (status == STATUS_OK)
		*word = stlink_word(bytes);
	return status;
}

enum status stlink_write_register(struct stlink *stlink, uint64_t address, uint32_t word, struct error *error)
{
	const uint8_t bytes[] = {STLINK_WORD(word)};
	const struct access access = {.transfer = transfer_register,
	                              .address = (uint32_t)address,
	                              .out = bytes,
	                              .size = WORD,
	                              .size_max = WORD,
	                              .unit = WORD};

	return access_register(stlink, address, &access, error);
}

/* in or out is NULL. */
static enum status access_port(struct stlink *stlink, unsigned port, unsigned address, uint8_t *in, const uint8_t *out,
                               bool may_be_absent, struct error *error)
{
	const struct access access = {.transfer = transfer_port,
	                              .address = address,
	                              .in = in,
	                              .out = out,
	                              .size = WORD,
	                              .size_max = WORD,
	                              .unit = WORD,
	                              .may_be_absent = may_be_absent,
	                              .port = port};

	return move(stlink, &access, error);
}

enum status stlink_read_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t *word, bool may_be_absent,
                             struct error *error)
{
	uint8_t bytes[WORD];

	enum status status = access_port(stlink, port, address, bytes, NULL, may_be_absent, error);
	if (status == STATUS_OK)
		*word = stlink_word(bytes);
	return status;
}

enum status stlink_write_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t word,
                              struct error *error)
{
	const uint8_t bytes[] = {STLINK_WORD(word)};

	return access_port(stlink, port, address, NULL, bytes, false, error);
}
