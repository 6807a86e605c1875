/* SPDX-License-Identifier: MIT */
/* See fake.h. */
#include "fake.h"
#include "base/wait.h"
#include "test.h"

#include <string.h>

struct fake fake;

#define POWER_REQ 0x50000000u
#define STICKYERR 0x20u
#define RP2040    0x01002927u

uint32_t fake_random(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % below);
}

static void reset(void)
{
	fake.is_awake = false;
	fake.control = fake.select = fake.tar = 0;
	for (unsigned i = 0; i < FAKE_PORTS; i++)
		fake.ports[i].csw = 0x40;
}

static enum status send_bits(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error)
{
	static const uint8_t alert[] = {0x92, 0xF3, 0x09, 0x62, 0x95, 0x2D, 0x85, 0x86,
	                                0xE9, 0xAF, 0xDD, 0xE3, 0xA2, 0x0E, 0xBC, 0x19};

	fake.wakeups++;
	if (memmem(bits, count / 8, alert, sizeof alert) != NULL)
		fake.is_dormant = false;
	fake.is_awake = !fake.is_dormant;
	fake.target = 0;
	return STATUS_OK;
}

static enum status select_target(struct dap *dap, uint32_t target, struct error *error)
{
	if (fake.cannot_select)
		return status_fail(error, "fake:probe: unknown command");
	fake.target = target;
	return STATUS_OK;
}

static bool is_selected(void)
{
	if (fake.is_multi_drop)
		return fake.target ? (fake.target & 0x0FFFFFFFu) == RP2040 : !fake.is_deaf;
	return fake.target == 0;
}

static uint32_t csw_stored(uint32_t csw)
{
	uint32_t size = fake.sizes & 1u << (csw & 7u) ? csw & 7u : 2u;

	return (csw & fake.protection) | (csw & 0x30u) | 0x40u | size;
}

static enum dap_ack access_memory(struct fake_port *port, bool is_read, uint32_t *word)
{
	const uint32_t size = 1u << (port->csw & 7u);
	const uint64_t address = (uint64_t)fake.tar_high << 32 | fake.tar;
	uint8_t id[4] = {0x31, 0xC2, 0x2F, 0x41}, *place = NULL;

	if (address == FAKE_CPUID && port->has_core)
		place = id;
	else if (address >= fake.base && address - fake.base <= FAKE_SIZE - size && !port->is_off)
		place = fake.memory + (address - fake.base);
	if (place == NULL) {
		if (fake.fails_late && !is_read) {
			fake.late = STICKYERR;
			return DAP_OK;
		}
		fake.control |= STICKYERR;
		return DAP_FAULT;
	}
	for (uint32_t i = 0; i < size; i++) {
		const unsigned shift = 8 * ((address + i) % 4);

		if (is_read)
			*word = (i ? *word : 0) | (uint32_t)place[i] << shift;
		else
			place[i] = (uint8_t)(*word >> shift);
	}
	fake.words_read += is_read;
	if ((port->csw & 0x30u) == 0x10u)
		fake.tar = (fake.tar & ~1023u) | ((fake.tar + size) & 1023u);
	return DAP_OK;
}

static enum dap_ack access_port(uint8_t reg, uint32_t *word)
{
	static struct fake_port none;
	const uint32_t number = fake.select >> 24;
	struct fake_port *port = number < FAKE_PORTS ? &fake.ports[number] : &none;
	const bool is_read = (reg & DAP_READ) != 0;

	if (port->has_failed) {
		fake.control |= STICKYERR;
		return DAP_FAULT;
	}
	switch ((fake.select & 0xF0u) | (reg & 0xCu)) {
	case 0x00:
		if (is_read)
			*word = port->is_off ? port->csw & ~0x40u : port->csw;
		else
			port->csw = csw_stored(*word);
		return DAP_OK;
	case 0x04:
		fake.tar = *word;
		fake.tar_writes++;
		return DAP_OK;
	case 0x08:
		fake.tar_high = *word;
		return DAP_OK;
	case 0x0C:
		return access_memory(port, is_read, word);
	case 0xF4:
		*word = port->cfg;
		return DAP_OK;
	case 0xFC:
		*word = port->idr;
		return DAP_OK;
	default:
		return DAP_OK;
	}
}

static void abort_access(uint32_t flags)
{
	fake.aborts++;
	if (flags & 4u)
		fake.control &= ~STICKYERR;
}

static uint32_t read_bank(void)
{
	switch (fake.select & 0xFu) {
	case 0:
		return fake.control | (fake.never_powers ? 0 : (fake.control & POWER_REQ) << 1);
	case 2:
		return fake.is_multi_drop ? RP2040 : 0;
	default:
		if (fake.shows_rescue)
			return 0xF0000001;
		return fake.is_multi_drop ? (fake.target & 0xF0000000u) | 1 : 0;
	}
}

static void write_control(uint32_t value)
{
	bool hears_rescue = fake.is_multi_drop && (fake.target == 0 || fake.target >> 28 == 15);

	if ((value & POWER_REQ) && hears_rescue)
		fake.rescues++;
	fake.control = (fake.control & STICKYERR) | (value & POWER_REQ);
}

static enum dap_ack access_debug_port(uint8_t reg, uint32_t *word)
{
	switch (reg) {
	case DAP_READ:
		*word = fake.id;
		break;
	case 0:
		abort_access(*word);
		break;
	case 4 | DAP_READ:
		*word = read_bank();
		break;
	case 4:
		write_control(*word);
		break;
	case 8:
		if (fake.control & STICKYERR)
			return DAP_FAULT;
		fake.select = *word;
		break;
	default: /* RDBUFF */
		return fake.control & STICKYERR ? DAP_FAULT : DAP_OK;
	}
	return DAP_OK;
}

/* A line error needs a line reset before anything is answered. */
static enum dap_ack damage(enum dap_ack ack)
{
	fake.is_awake = false;
	return ack;
}

static enum dap_ack access_one(uint8_t reg, uint32_t *word)
{
	if (++fake.accesses == fake.reset_at)
		reset();
	if (fake.is_dead || !fake.is_awake || !is_selected())
		return DAP_NO_ACK;
	if (fake.accesses == fake.garble_at || (fake.garble_every != 0 && fake.accesses % fake.garble_every == 0))
		return damage(DAP_PROTOCOL_ERROR);
	if (fake.accesses == fake.lose_at)
		return damage(DAP_LOST);
	if ((reg & DAP_AP) || reg == (0xC | DAP_READ)) {
		fake.control |= fake.late;
		fake.late = 0;
	}
	if (!(reg & DAP_AP))
		return access_debug_port(reg, word);
	if (fake.is_blank_unpowered && fake.control == 0) {
		*word = 0;
		return DAP_OK;
	}
	if ((fake.control & STICKYERR) || (read_bank() >> 28) != 0xF)
		return DAP_FAULT;
	return access_port(reg, word);
}

static enum status transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                            struct error *error)
{
	fake.lists++;
	*ack = DAP_OK;
	for (size_t i = 0; i < count; i++)
		for (uint32_t word = 0; word < transfers[i].count; word++) {
			if (*ack == DAP_OK)
				*ack = access_one(transfers[i].reg, &transfers[i].words[word]);
			if (*ack != DAP_OK && (transfers[i].reg & DAP_READ))
				transfers[i].words[word] = 0xDEADDEAD;
		}
	return STATUS_OK;
}

static enum status set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	fake.speed = *speed;
	return STATUS_OK;
}

static void finish_fake(struct dap *dap)
{
}

static void close_fake(struct dap *dap)
{
	fake.closed++;
}

static const struct dap_ops fake_ops = {
        .send_bits = send_bits,
        .select_target = select_target,
        .transfer = transfer,
        .set_speed = set_speed,
        .finish = finish_fake,
        .close = close_fake,
};

void fake_init(void)
{
	uint64_t seed = 1;

	fake_disconnect();
	memset(&fake, 0, sizeof fake);
	fake.setup = fake_setup();
	fake.dap = (struct dap){.ops = &fake_ops, .source = "fake:probe"};
	fake.base = FAKE_BASE;
	fake.id = 0x2BA01477;
	fake.sizes = 7;
	fake.protection = 0x7F000000;
	fake.ports[0] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x43000040, .has_core = true};
	for (unsigned i = 0; i < FAKE_SIZE; i++)
		fake.memory[i] = (uint8_t)fake_random(&seed, 256);
}

struct target_setup fake_setup(void)
{
	return (struct target_setup){.speed = 4000000,
	                             .access_port = -1,
	                             .core = -1,
	                             .cancel = -1,
	                             .timeout = 200,
	                             .clock = &clock_system,
	                             .observer = &target_nobody};
}

void fake_connect(void)
{
	assert_success(arm_debug_connect(&fake.dap, &fake.setup, &fake.adi, &failure), &failure);
}

void fake_disconnect(void)
{
	access_close(fake.adi);
	fake.adi = NULL;
}

int fake_set_up(void **state)
{
	fake_init();
	return 0;
}

int fake_tear_down(void **state)
{
	fake_disconnect();
	return 0;
}

static uint8_t bytes[FAKE_SIZE + 8];

void fake_check_read(struct access *adi, uint64_t address, const uint8_t *expected, size_t size)
{
	memset(bytes, 0x55, sizeof bytes);
	assert_success(access_read(adi, address, bytes, size, &failure), &failure);
	assert_memory_equal(bytes, expected, size);
	for (size_t i = size; i < size + 8; i++)
		assert_int_equal(bytes[i], 0x55);
}

void fake_check_write(struct access *adi, uint64_t base, const uint8_t *memory, size_t offset, size_t size)
{
	static uint8_t expected[FAKE_SIZE];

	memcpy(expected, memory, FAKE_SIZE);
	for (size_t i = 0; i < size; i++)
		bytes[i] = expected[offset + i] = (uint8_t)(expected[offset + i] * 5 + 3);
	assert_success(access_write(adi, base + offset, bytes, size, &failure), &failure);
	assert_memory_equal(memory, expected, FAKE_SIZE);
}

void fake_check_read_fails(struct access *adi, uint64_t address, size_t size, const char *message)
{
	struct error error;

	assert_int_equal(access_read(adi, address, bytes, size, &error), STATUS_FAILED);
	assert_contains(error.message, message);
}
