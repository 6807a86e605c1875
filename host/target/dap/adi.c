/* SPDX-License-Identifier: MIT */
/* See adi.h. */
#include "target/dap/adi.h"

#include "base/clock.h"
#include "target/dap/access_ports.h"

#include <stdlib.h>

/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300

struct adi {
	struct port port;
	struct memory_ap memory;
	uint64_t bytes, milliseconds; /* see struct adi_traffic */
};

static enum status connect_memory(struct adi *adi, struct error *error)
{
	struct port *port = &adi->port;

	enum status status = port->dap->ops->set_speed(port->dap, port->setup.speed, error);
	if (status == STATUS_OK)
		status = port_connect(port, error);
	if (status != STATUS_OK)
		return status;
	status = access_ports_choose(port, &adi->memory, error);
	if (status != STATUS_OK) {
		adi_finish(adi);
		port_disconnect(port);
	}
	return status;
}

enum status adi_connect(struct dap *dap, const struct adi_setup *setup, struct adi **adi, struct error *error)
{
	enum status status;

	*adi = calloc(1, sizeof **adi);
	if (*adi != NULL) {
		(*adi)->port = (struct port){
		        .dap = dap, .setup = *setup, .trace = {.line = setup->trace, .context = setup->context}};
		status = connect_memory(*adi, error);
	} else {
		status = status_fail(error, "%s: out of memory", dap->source);
	}
	if (status != STATUS_OK) {
		free(*adi);
		*adi = NULL;
		dap->ops->close(dap);
	}
	return status;
}

enum status adi_drive_reset(struct adi *adi, bool is_reset, struct error *error)
{
	trace_sequence(&adi->port.trace, is_reset ? "reset pin low" : "reset pin released", 0);
	return adi->port.dap->ops->drive_reset(adi->port.dap, is_reset, error);
}

void adi_finish(struct adi *adi)
{
	struct error ignored;

	/* An interruption is no loss. */
	if (port_fail_if_cancelled(&adi->port, &ignored) != STATUS_OK)
		adi->port.is_lost = false;
	adi->port.setup.cancel = -1;
	if (adi->port.setup.timeout > FINISH_TIME)
		adi->port.setup.timeout = FINISH_TIME;
	adi->port.dap->ops->finish(adi->port.dap);
}

bool adi_is_lost(const struct adi *adi)
{
	return adi->port.is_lost;
}

void adi_close(struct adi *adi)
{
	if (adi == NULL)
		return;
	adi_finish(adi);
	memory_ap_close(&adi->memory);
	port_disconnect(&adi->port);
	adi->port.dap->ops->close(adi->port.dap);
	free(adi);
}

struct adi_traffic adi_traffic(const struct adi *adi)
{
	return (struct adi_traffic){
	        .bytes = adi->bytes,
	        .seconds = (double)adi->milliseconds / 1000,
	        .lists = adi->memory.lists,
	        .repeats = adi->memory.repeats,
	        .damaged = adi->memory.damaged,
	        .packets_lost = adi->port.dap->packets_lost,
	        .speed = adi->port.setup.speed,
	};
}

/* Adds to the statistics. */
static enum status count(struct adi *adi, enum status status, uint64_t bytes, uint64_t since)
{
	adi->milliseconds += clock_now() - since;
	adi->bytes += status == STATUS_OK ? bytes : 0;
	return status;
}

enum status adi_read(struct adi *adi, uint64_t address, void *bytes, size_t size, struct error *error)
{
	uint64_t since = clock_now();

	return count(adi, memory_ap_read(&adi->memory, address, bytes, size, error), size, since);
}

enum status adi_probe(struct adi *adi, uint64_t address, uint32_t *word, struct error *error)
{
	uint64_t since = clock_now();

	return count(adi, memory_ap_probe(&adi->memory, address, word, error), 4, since);
}

enum status adi_write(struct adi *adi, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	uint64_t since = clock_now();

	return count(adi, memory_ap_write(&adi->memory, address, bytes, size, error), size, since);
}

enum status adi_read_repeatedly(struct adi *adi, uint64_t address, uint32_t *words, size_t times, struct error *error)
{
	uint64_t since = clock_now();

	return count(adi, memory_ap_read_repeatedly(&adi->memory, address, words, times, error), (uint64_t)times * 4,
	             since);
}
