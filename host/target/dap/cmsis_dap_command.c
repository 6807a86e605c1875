/* SPDX-License-Identifier: MIT */
/* See cmsis_dap_command.h. */
#include "target/dap/cmsis_dap_command.h"

#include "base/clock.h"

#include <string.h>

#define INFO    0x00 /* DAP_Info */
#define UNKNOWN 0xff /* the answer to an unknown command */

enum status cmsis_dap_send(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error)
{
	return peer->packets->ops->send(peer->packets, request, size, clock_now() + peer->timeout, error);
}

static enum status receive_until(struct cmsis_dap_peer *peer, uint64_t deadline, struct error *error)
{
	return peer->packets->ops->receive(peer->packets, peer->answer, sizeof peer->answer, deadline,
	                                   &peer->answer_size, error);
}

enum status cmsis_dap_receive(struct cmsis_dap_peer *peer, struct error *error)
{
	return receive_until(peer, clock_now() + peer->timeout, error);
}

enum status cmsis_dap_misbehaves(const struct cmsis_dap_peer *peer, struct error *error)
{
	return status_fail(error,
	                   "%s: the probe's answers do not match the commands; end any other program that uses "
	                   "it, or plug it in again",
	                   peer->source);
}

static enum status unknown(const struct cmsis_dap_peer *peer, uint8_t request, struct error *error)
{
	return status_fail(
	        error,
	        "%s: the probe does not know command 0x%02x of CMSIS-DAP (it speaks version %s); update its firmware",
	        peer->source, request, peer->protocol);
}

enum status cmsis_dap_ask(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error)
{
	uint64_t deadline = clock_now() + peer->timeout;
	bool is_other = false; /* an answer, but not to this command */

	peer->answer_size = 0;
	enum status status = cmsis_dap_send(peer, request, size, error);
	do {
		if (status == STATUS_OK)
			status = receive_until(peer, deadline, error);
		if (status != STATUS_OK)
			return is_other && clock_now() >= deadline ? cmsis_dap_misbehaves(peer, error) : status;
		if (peer->answer_size > 0 && peer->answer[0] == UNKNOWN)
			return unknown(peer, request[0], error);
		if (peer->answer_size > 0 && peer->answer[0] == request[0])
			return peer->answer_size >= 2 ? STATUS_OK : cmsis_dap_misbehaves(peer, error);
		peer->answer_size = 0;
		is_other = true;
	} while (clock_now() < deadline);
	return cmsis_dap_misbehaves(peer, error);
}

enum status cmsis_dap_order(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error)
{
	enum status status = cmsis_dap_ask(peer, request, size, error);
	if (status == STATUS_OK && peer->answer[1] != 0)
		status = status_fail(error, "%s: the probe refuses command 0x%02x of CMSIS-DAP", peer->source,
		                     request[0]);
	return status;
}

enum status cmsis_dap_ask_info(struct cmsis_dap_peer *peer, enum cmsis_dap_info info, void *bytes, size_t capacity,
                               struct error *error)
{
	const uint8_t request[] = {INFO, (uint8_t)info};

	enum status status = cmsis_dap_ask(peer, request, sizeof request, error);
	if (status != STATUS_OK)
		return status;
	size_t size = peer->answer[1];
	if (size > peer->answer_size - 2)
		return cmsis_dap_misbehaves(peer, error);
	memset(bytes, 0, capacity);
	memcpy(bytes, peer->answer + 2, size < capacity ? size : capacity);
	return STATUS_OK;
}
