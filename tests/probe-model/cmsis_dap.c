/* SPDX-License-Identifier: MIT */
/* See cmsis_dap.h. Commands: Arm, "CMSIS-DAP", 2.1, "CMSIS-DAP Commands"; bits on the wires: IHI 0031, B4.2. */
#include "cmsis_dap.h"

#include <string.h>

/* Bits of a transfer request; 0 to 3 are sent on the wire. */
enum { AP = 0x01, READ = 0x02, VALUE_MATCH = 0x10, MATCH_MASK = 0x20, WIRE = 0x0F };
enum { ABORT = 0x00, RDBUFF = 0x0C | READ };
/* Bits of an acknowledge. */
enum { ACK_OK = 1, ACK_WAIT = 2, ACK_FAULT = 4, ACK_ERROR = 8, ACK_MISMATCH = 0x10 };
enum { PIN_SWCLK = 0x01, PIN_SWDIO = 0x02, PIN_RESET = 0x80 };
enum { STATUS_OK = 0, STATUS_ERROR = 0xFF };

/* A request, read up to `read`, and its answer so far. */
struct exchange {
	struct cmsis_dap *dap;
	const uint8_t *request;
	size_t size, read;
	uint8_t *answer;
	size_t length;
};

/* Returns 0 after the end. */
static uint8_t get_byte(struct exchange *exchange)
{
	if (exchange->read < exchange->size)
		return exchange->request[exchange->read++];
	exchange->dap->violations++;
	return 0;
}

static uint16_t get_half(struct exchange *exchange)
{
	uint16_t low = get_byte(exchange);

	return (uint16_t)(low | get_byte(exchange) << 8);
}

static uint32_t get_word(struct exchange *exchange)
{
	uint32_t low = get_half(exchange);

	return low | (uint32_t)get_half(exchange) << 16;
}

static void put_byte(struct exchange *exchange, uint8_t byte)
{
	if (exchange->length < exchange->dap->packet_size)
		exchange->answer[exchange->length++] = byte;
	else
		exchange->dap->violations++;
}

static void put_word(struct exchange *exchange, uint32_t word)
{
	for (unsigned shift = 0; shift < 32; shift += 8)
		put_byte(exchange, (uint8_t)(word >> shift));
}

static void drive(struct cmsis_dap *dap, uint64_t bits, unsigned count)
{
	for (; count > 0; count--, bits >>= 1)
		if (dap->is_jtag)
			swd_clock_jtag(dap->target, bits & 1, true);
		else
			swd_clock(dap->target, true, bits & 1);
}

static uint32_t sample(struct cmsis_dap *dap, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (uint64_t)swd_clock(dap->target, false, true) << i;
	return (uint32_t)bits;
}

static unsigned parity(uint32_t word)
{
	return (unsigned)__builtin_parity(word);
}

/* Clocks the phases after an acknowledge other than OK. */
static void skip_data(struct cmsis_dap *dap, uint8_t request, uint8_t ack)
{
	if (ack != ACK_WAIT && ack != ACK_FAULT) {
		/* The target's next phase is unknown: give it the time of a data phase. */
		sample(dap, dap->turnaround);
		sample(dap, 33);
		return;
	}
	if (dap->has_data_phase && request & READ)
		sample(dap, 33);
	sample(dap, dap->turnaround);
	if (dap->has_data_phase && !(request & READ))
		drive(dap, 0, 33);
}

static uint8_t transfer_once(struct cmsis_dap *dap, uint8_t request, uint32_t *word)
{
	uint32_t wire = request & WIRE;

	drive(dap, 0x81 | wire << 1 | parity(wire) << 5, 8);
	sample(dap, dap->turnaround);
	uint8_t ack = (uint8_t)sample(dap, 3);
	if (ack != ACK_OK) {
		skip_data(dap, request, ack);
		return ack;
	}
	if (request & READ) {
		*word = sample(dap, 32);
		if (sample(dap, 1) != parity(*word))
			ack = ACK_ERROR;
		sample(dap, dap->turnaround);
	} else {
		sample(dap, dap->turnaround);
		drive(dap, *word, 32);
		drive(dap, parity(*word), 1);
	}
	drive(dap, 0, dap->idle_clocks);
	return ack;
}

static uint8_t transfer(struct cmsis_dap *dap, uint8_t request, uint32_t *word)
{
	unsigned tries = dap->wait_retries;
	uint8_t ack;

	do
		ack = transfer_once(dap, request, word);
	while (ack == ACK_WAIT && tries-- > 0 && !dap->is_aborted);
	return ack;
}

/* Reads a word, and appends it if that succeeded. */
static uint8_t read_and_put(struct exchange *exchange, uint8_t request)
{
	uint32_t word = 0;
	uint8_t ack = transfer(exchange->dap, request, &word);

	if (ack == ACK_OK)
		put_word(exchange, word);
	return ack;
}

static uint8_t read_until_match(struct exchange *exchange, uint8_t request)
{
	struct cmsis_dap *dap = exchange->dap;
	uint32_t wanted = get_word(exchange), word = 0;
	unsigned tries = dap->match_retries;
	uint8_t ack = ACK_OK;

	if (request & AP)
		ack = transfer(dap, request, &word);
	if (ack != ACK_OK)
		return ack;
	do
		ack = transfer(dap, request, &word);
	while (ack == ACK_OK && (word & dap->match_mask) != wanted && tries-- > 0 && !dap->is_aborted);
	return ack == ACK_OK && (word & dap->match_mask) != wanted ? ACK_OK | ACK_MISMATCH : ack;
}

/* Executes one transfer of DAP_Transfer. A read of an access port returns the value of the previous read (IHI 0031,
 * B4.2.2): *is_posted while such a value has yet to be fetched. */
static uint8_t do_transfer(struct exchange *exchange, uint8_t request, bool *is_posted)
{
	struct cmsis_dap *dap = exchange->dap;
	uint32_t word = 0;
	bool is_plain_ap_read = (request & (AP | READ | VALUE_MATCH)) == (AP | READ);

	if (*is_posted) {
		uint8_t ack = read_and_put(exchange, is_plain_ap_read ? request : RDBUFF);

		*is_posted = is_plain_ap_read;
		if (ack != ACK_OK || is_plain_ap_read)
			return ack;
	}
	if (is_plain_ap_read) {
		*is_posted = true;
		return transfer(dap, request, &word);
	}
	if (request & READ)
		return request & VALUE_MATCH ? read_until_match(exchange, request) : read_and_put(exchange, request);
	word = get_word(exchange);
	if (!(request & MATCH_MASK))
		return transfer(dap, request, &word);
	dap->match_mask = word;
	return ACK_OK;
}

static bool can_transfer(const struct cmsis_dap *dap)
{
	return dap->is_connected && !dap->is_jtag;
}

/* The count includes posted reads: when the next transfer fails, the answer has one word less. */
static void do_transfers(struct exchange *exchange)
{
	struct cmsis_dap *dap = exchange->dap;
	uint8_t index = get_byte(exchange), count = get_byte(exchange);
	size_t answer_at = exchange->length;
	uint8_t done = 0, ack = 0, request = READ;
	bool is_posted = false;

	(void)index; /* of a device in a JTAG chain */
	put_byte(exchange, 0);
	put_byte(exchange, 0);
	while (can_transfer(dap) && !dap->is_aborted && done < count) {
		request = get_byte(exchange);
		ack = do_transfer(exchange, request, &is_posted);
		if (ack != ACK_OK)
			break;
		done++;
	}
	uint32_t unused;
	if (ack == ACK_OK && is_posted)
		ack = read_and_put(exchange, RDBUFF);
	else if (ack == ACK_OK && !(request & READ))
		ack = transfer(dap, RDBUFF, &unused); /* the next access reports the error of a write */
	exchange->answer[answer_at] = done;
	exchange->answer[answer_at + 1] = ack;
}

static uint8_t read_block(struct exchange *exchange, uint8_t request, uint16_t count, uint16_t *done)
{
	struct cmsis_dap *dap = exchange->dap;
	uint32_t word = 0;
	uint8_t ack = ACK_OK;

	if (request & AP)
		ack = transfer(dap, request, &word);
	while (ack == ACK_OK && *done < count && !dap->is_aborted) {
		bool is_last_of_ap = request & AP && *done + 1 == count;

		ack = read_and_put(exchange, is_last_of_ap ? RDBUFF : request);
		*done = (uint16_t)(*done + (ack == ACK_OK));
	}
	return ack;
}

static uint8_t write_block(struct exchange *exchange, uint8_t request, uint16_t count, uint16_t *done)
{
	struct cmsis_dap *dap = exchange->dap;
	uint32_t word;
	uint8_t ack = ACK_OK;

	while (ack == ACK_OK && *done < count && !dap->is_aborted) {
		word = get_word(exchange);
		ack = transfer(dap, request, &word);
		*done = (uint16_t)(*done + (ack == ACK_OK));
	}
	return ack == ACK_OK ? transfer(dap, RDBUFF, &word) : ack;
}

static void do_block(struct exchange *exchange)
{
	struct cmsis_dap *dap = exchange->dap;
	uint8_t index = get_byte(exchange);
	uint16_t count = get_half(exchange), done = 0;
	uint8_t request = get_byte(exchange), ack = 0;
	size_t answer_at = exchange->length;

	(void)index;
	for (unsigned i = 0; i < 3; i++)
		put_byte(exchange, 0);
	if (can_transfer(dap) && !dap->is_aborted && count > 0)
		ack = request & READ ? read_block(exchange, request, count, &done)
		                     : write_block(exchange, request, count, &done);
	exchange->answer[answer_at] = (uint8_t)done;
	exchange->answer[answer_at + 1] = (uint8_t)(done >> 8);
	exchange->answer[answer_at + 2] = ack;
}

/* DAP_Info. Text is sent with its zero byte, numbers as their bytes. */
static void report_info(struct exchange *exchange)
{
	enum { CAN_SWD = 0x01, CAN_JTAG = 0x02, CAN_QUEUE = 0x10 };
	const struct cmsis_dap *dap = exchange->dap;
	const unsigned size = dap->packet_size;
	const char numbers[] = {CAN_SWD | CAN_JTAG | CAN_QUEUE, (char)dap->packet_count, (char)size, (char)(size >> 8)};
	const struct {
		uint8_t id;
		const char *bytes;
		size_t size;
	} items[] = {
	        {0x01, "Example", 8},
	        {0x02, "Example probe CMSIS-DAP", 24},
	        {0x03, dap->serial, strlen(dap->serial) + 1},
	        {0x04, "2.1.0", 6},
	        {0x09, "1.0", 4},
	        {0xF0, numbers, 1},
	        {0xFE, numbers + 1, 1},
	        {0xFF, numbers + 2, 2},
	};
	const uint8_t id = get_byte(exchange);

	for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
		if (items[i].id != id)
			continue;
		put_byte(exchange, (uint8_t)items[i].size);
		for (size_t j = 0; j < items[i].size; j++)
			put_byte(exchange, (uint8_t)items[i].bytes[j]);
		return;
	}
	put_byte(exchange, 0);
}

/* For lights and delays, which the model lacks. */
static void ignore_two_bytes(struct exchange *exchange)
{
	get_half(exchange);
	put_byte(exchange, STATUS_OK);
}

static void connect(struct exchange *exchange)
{
	enum { DEFAULT, SWD, JTAG, FAILED = 0 };
	uint8_t port = get_byte(exchange);

	exchange->dap->is_connected = port <= JTAG;
	exchange->dap->is_jtag = port == JTAG;
	put_byte(exchange, port > JTAG ? FAILED : port == DEFAULT ? SWD : port);
}

static void disconnect(struct exchange *exchange)
{
	exchange->dap->is_connected = false;
	put_byte(exchange, STATUS_OK);
}

static void configure_transfers(struct exchange *exchange)
{
	exchange->dap->idle_clocks = get_byte(exchange);
	exchange->dap->wait_retries = get_half(exchange);
	exchange->dap->match_retries = get_half(exchange);
	put_byte(exchange, STATUS_OK);
}

static void write_abort(struct exchange *exchange)
{
	get_byte(exchange);
	uint32_t word = get_word(exchange);
	if (can_transfer(exchange->dap))
		transfer(exchange->dap, ABORT, &word);
	put_byte(exchange, can_transfer(exchange->dap) ? STATUS_OK : STATUS_ERROR);
}

/* The model has no reset sequence of its own. */
static void reset_target(struct exchange *exchange)
{
	put_byte(exchange, STATUS_OK);
	put_byte(exchange, 0);
}

static void set_pins(struct exchange *exchange)
{
	struct cmsis_dap *dap = exchange->dap;
	uint8_t values = get_byte(exchange), selected = get_byte(exchange), before = dap->pins;

	get_word(exchange); /* time to wait; pins follow at once */
	dap->pins = (uint8_t)((before & ~selected) | (values & selected));
	if (dap->pins & ~before & PIN_SWCLK)
		drive(dap, (dap->pins & PIN_SWDIO) != 0, 1);
	swd_drive_reset(dap->target, !(dap->pins & PIN_RESET));
	put_byte(exchange, dap->pins);
}

static void set_clock(struct exchange *exchange)
{
	put_byte(exchange, get_word(exchange) != 0 ? STATUS_OK : STATUS_ERROR);
}

static void configure_swd(struct exchange *exchange)
{
	uint8_t configuration = get_byte(exchange);

	exchange->dap->turnaround = (uint8_t)((configuration & 3) + 1);
	exchange->dap->has_data_phase = configuration & 4;
	put_byte(exchange, STATUS_OK);
}

static void send_sequence(struct exchange *exchange, unsigned count)
{
	for (; count > 8; count -= 8)
		drive(exchange->dap, get_byte(exchange), 8);
	drive(exchange->dap, get_byte(exchange), count);
}

static void sample_sequence(struct exchange *exchange, unsigned count)
{
	for (; count > 8; count -= 8)
		put_byte(exchange, (uint8_t)sample(exchange->dap, 8));
	put_byte(exchange, (uint8_t)sample(exchange->dap, count));
}

static void do_swj_sequence(struct exchange *exchange)
{
	uint8_t count = get_byte(exchange);

	send_sequence(exchange, count ? count : 256);
	put_byte(exchange, STATUS_OK);
}

static void do_swd_sequences(struct exchange *exchange)
{
	enum { IS_INPUT = 0x80, CLOCKS = 0x3F };

	put_byte(exchange, STATUS_OK);
	for (unsigned left = get_byte(exchange); left > 0; left--) {
		uint8_t info = get_byte(exchange);
		unsigned count = info & CLOCKS ? info & CLOCKS : 64;

		if (info & IS_INPUT)
			sample_sequence(exchange, count);
		else
			send_sequence(exchange, count);
	}
}

static void do_jtag_sequences(struct exchange *exchange)
{
	enum { CAPTURE = 0x80, TMS = 0x40, CLOCKS = 0x3F };

	put_byte(exchange, STATUS_OK);
	for (unsigned left = get_byte(exchange); left > 0; left--) {
		uint8_t info = get_byte(exchange), tdi = 0, tdo = 0;
		unsigned count = info & CLOCKS ? info & CLOCKS : 64;

		for (unsigned i = 0; i < count; i++) {
			if (i % 8 == 0)
				tdi = get_byte(exchange), tdo = 0;
			tdo |= (uint8_t)(swd_clock_jtag(exchange->dap->target, info & TMS, tdi >> i % 8 & 1) << i % 8);
			if (info & CAPTURE && (i % 8 == 7 || i + 1 == count))
				put_byte(exchange, tdo);
		}
	}
}

/* Instruction lengths matter only to JTAG transfers, which the model lacks. */
static void configure_jtag(struct exchange *exchange)
{
	for (unsigned left = get_byte(exchange); left > 0; left--)
		get_byte(exchange);
	put_byte(exchange, STATUS_OK);
}

static void execute_all(struct exchange *exchange);

static const struct {
	uint8_t id;
	void (*execute)(struct exchange *exchange);
} commands[] = {
        {0x00, report_info},
        {0x01, ignore_two_bytes},
        {0x02, connect},
        {0x03, disconnect},
        {0x04, configure_transfers},
        {0x05, do_transfers},
        {0x06, do_block},
        {0x08, write_abort},
        {0x09, ignore_two_bytes},
        {0x0A, reset_target},
        {0x10, set_pins},
        {0x11, set_clock},
        {0x12, do_swj_sequence},
        {0x13, configure_swd},
        {0x14, do_jtag_sequences},
        {0x15, configure_jtag},
        {0x1D, do_swd_sequences},
        {CMSIS_DAP_EXECUTE, execute_all},
};

/* An unknown command ends the packet, because where the next one begins is unknown. */
static void execute_one(struct exchange *exchange)
{
	uint8_t id = get_byte(exchange);

	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (commands[i].id == id && (id == 0 || id != exchange->dap->unknown)) {
			put_byte(exchange, id);
			commands[i].execute(exchange);
			return;
		}
	put_byte(exchange, STATUS_ERROR);
	exchange->read = exchange->size;
}

static void execute_all(struct exchange *exchange)
{
	uint8_t count = get_byte(exchange);

	put_byte(exchange, count);
	for (; count > 0 && exchange->read < exchange->size; count--)
		execute_one(exchange);
}

void cmsis_dap_start(struct cmsis_dap *dap, struct swd_target *target, const char *serial, unsigned packet_size,
                     unsigned packet_count)
{
	*dap = (struct cmsis_dap){.target = target,
	                          .serial = serial,
	                          .packet_size = packet_size,
	                          .packet_count = packet_count,
	                          .pins = PIN_RESET,
	                          .turnaround = 1,
	                          .wait_retries = 100};
}

size_t cmsis_dap_execute(struct cmsis_dap *dap, const uint8_t *request, size_t size, uint8_t *answer)
{
	struct exchange exchange = {.dap = dap, .request = request, .size = size, .answer = answer};

	execute_one(&exchange);
	dap->is_aborted = false;
	return exchange.length;
}
