/* SPDX-License-Identifier: MIT */
/* See rom_table.h. ROM tables come from the target and are untrusted: a table may list itself, endless components, or
 * components that do not exist. */
#include "acquire/dap/rom_table.h"

#include "acquire/dap/memory_ap.h"

/* Attempts to read BASEPTR over a noisy wire. */
#define BASE_TRIES 8
/* Limits of a walk through ROM tables. The largest known ones have a few dozen components. */
#define COMPONENTS_MAX 256u
#define WINDOWS_MAX    1024u

/* A walk through ROM tables. A component is examined only once, even if several tables list it. */
struct rom_walk {
	struct adi *adi;
	struct ports *ports;
	unsigned windows; /* windows of tables that were read so far */
	size_t count;
	uint64_t components[COMPONENTS_MAX];
};

static enum status fail_endless(const struct rom_walk *walk, struct error *error)
{
	return status_fail(error, "%s: the target's ROM tables do not end; choose the access port by its address",
	                   walk->adi->port.dap->source);
}

static enum status add_component(struct rom_walk *walk, uint64_t address, struct error *error)
{
	const unsigned bits = walk->adi->port.address_bits;

	if (bits < 64)
		address &= ((uint64_t)1 << bits) - 1;
	for (size_t i = 0; i < walk->count; i++)
		if (walk->components[i] == address)
			return STATUS_OK;
	if (walk->count == COMPONENTS_MAX)
		return fail_endless(walk, error);
	walk->components[walk->count++] = address;
	return STATUS_OK;
}

/* Reads up to four words in an aligned 16 bytes. *is_there: whether they could be read. */
static enum status read_window(struct rom_walk *walk, uint64_t address, uint32_t *words, unsigned count, bool *is_there,
                               struct error *error)
{
	enum status status = memory_ap_read_component(walk->adi, address, words, count, error);

	*is_there = status == STATUS_OK;
	return walk->adi->port.is_lost ? status : STATUS_OK;
}

/* An entry of a table. 32-bit entries are signed. */
static uint64_t table_entry(const uint32_t *words, bool is_long)
{
	return is_long ? (uint64_t)words[1] << 32 | words[0] : (uint64_t)(int32_t)words[0];
}

/* Adds entries of a table. *is_end: whether the last entry was among them. */
static enum status add_table_entries(struct rom_walk *walk, uint64_t table, const uint32_t words[4], bool is_long,
                                     bool *is_end, struct error *error)
{
	enum status status = STATUS_OK;

	for (unsigned i = 0; status == STATUS_OK && !*is_end && i < 4; i += is_long ? 2 : 1) {
		const uint64_t entry = table_entry(words + i, is_long);

		*is_end = (entry & ROM_ENTRY_STATE) == ROM_ENTRY_END;
		if ((entry & ROM_ENTRY_STATE) == ROM_ENTRY_PRESENT)
			status = add_component(walk, table + ROM_ENTRY_OFFSET(entry), error);
	}
	return status;
}

static enum status read_table(struct rom_walk *walk, uint64_t table, struct error *error)
{
	uint32_t id = 0, words[4];
	bool is_there = false, is_end = false;

	enum status status = read_window(walk, table + CORESIGHT_DEVID, &id, 1, &is_there, error);
	for (uint32_t at = 0; status == STATUS_OK && is_there && !is_end && at < ROM_TABLE_SIZE; at += sizeof words) {
		if (walk->windows++ == WINDOWS_MAX)
			return fail_endless(walk, error);
		status = read_window(walk, table + at, words, 4, &is_there, error);
		if (status == STATUS_OK && is_there)
			status = add_table_entries(walk, table, words, DEVID_LONG(id), &is_end, error);
	}
	return status;
}

static enum status add_port(struct rom_walk *walk, uint64_t address, struct error *error)
{
	uint32_t idr = 0;

	enum status status = memory_ap_identify(walk->adi, address, &idr, error);
	if (status == STATUS_OK && idr != 0)
		return ports_add(walk->ports, address, idr, error);
	return walk->adi->port.is_lost ? status : STATUS_OK;
}

static enum status examine_component(struct rom_walk *walk, uint64_t component, struct error *error)
{
	uint32_t identity[4], architecture = 0;
	bool is_there;

	enum status status = read_window(walk, component + CORESIGHT_CIDR0, identity, 4, &is_there, error);
	if (status != STATUS_OK || !is_there || !coresight_is_component(identity))
		return status;
	status = read_window(walk, component + CORESIGHT_DEVARCH, &architecture, 1, &is_there, error);
	if (status != STATUS_OK || !is_there || !(architecture & DEVARCH_PRESENT))
		return status;
	switch (DEVARCH_ID(architecture)) {
	case DEVARCH_ROM_TABLE:
		return read_table(walk, component, error);
	case DEVARCH_MEMORY_AP:
	case DEVARCH_UNKNOWN_AP:
		return add_port(walk, component, error);
	default:
		return STATUS_OK;
	}
}

static enum status find_table_base(struct rom_walk *walk, uint64_t *base, struct error *error)
{
	struct port *port = &walk->adi->port;
	enum dap_ack ack = DAP_OK;

	for (unsigned tries = 0; tries < BASE_TRIES; tries++) {
		uint32_t flags;
		enum status status = port_read_base(port, base, &ack, error);

		if (status == STATUS_OK && ack == DAP_OK)
			return STATUS_OK;
		if (status == STATUS_OK)
			status = port_recover(port, ack, tries, &flags, error);
		if (status != STATUS_OK)
			return status;
	}
	port->is_lost = true;
	return status_fail(error, "%s: %s", port->dap->source, port_reason(port_is_jtag(port), ack, 0));
}

enum status rom_table_scan(struct adi *adi, struct ports *ports, struct error *error)
{
	struct rom_walk walk = {.adi = adi, .ports = ports};
	uint64_t base = 0;

	enum status status = find_table_base(&walk, &base, error);
	if (status != STATUS_OK)
		return status;
	if (!(base & BASEPTR_VALID))
		return status_fail(
		        error, "%s: the target's debug port names no ROM table; choose the access port by its address",
		        adi->port.dap->source);
	status = add_component(&walk, base & ~(uint64_t)(CORESIGHT_SIZE - 1), error);
	for (size_t i = 0; status == STATUS_OK && !ports->is_open && i < walk.count; i++)
		status = examine_component(&walk, walk.components[i], error);
	return status;
}
