/* SPDX-License-Identifier: MIT */
/* A TCP connection as a channel: QEMU's serial ports, ser2net, and whatever else hands bytes on unchanged. */
#include "channel/channel.h"
#include "channel/source.h"
#include "channel/tcp.h"

#include <stdlib.h>
#include <unistd.h>

struct tcp_channel {
	struct channel channel;
	struct tcp tcp;
};

static enum status connect_to(const char *address, struct tcp_channel *tcp, struct error *error)
{
	struct source_option timeout = {.name = "timeout"};
	char host_port[256], where[sizeof host_port + 8];

	enum status status = source_split(address, host_port, sizeof host_port, &timeout, 1, error);
	if (!status)
		status = source_milliseconds(&timeout, &tcp->channel.timeout, error);
	if (status)
		return status;
	snprintf(where, sizeof where, "tcp:%s", host_port);
	return tcp_connect(where, host_port, tcp->channel.timeout, &tcp->tcp, error);
}

static enum status tcp_channel_open(const char *address, int cancel, struct channel **channel, struct error *error)
{
	struct tcp_channel *tcp = calloc(1, sizeof *tcp);
	if (!tcp)
		return status_fail(error, "tcp:%s: out of memory", address);
	tcp->channel.ops = &channel_tcp;
	tcp->channel.timeout = CHANNEL_TIMEOUT_DEFAULT;
	tcp->tcp = (struct tcp){.descriptor = -1, .cancel = cancel};
	enum status status = connect_to(address, tcp, error);
	if (status) {
		free(tcp);
		return status;
	}
	*channel = &tcp->channel;
	return STATUS_OK;
}

static enum wait_result explain(struct channel *channel, enum wait_result result)
{
	if (result == WAIT_CLOSED)
		snprintf(channel->reason, sizeof channel->reason, "the other end closed the connection");
	return result;
}

static enum wait_result tcp_channel_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                         size_t *size)
{
	const struct tcp *tcp = &((struct tcp_channel *)channel)->tcp;
	return explain(channel, tcp_receive(tcp, bytes, capacity, deadline, size));
}

static enum wait_result tcp_channel_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	const struct tcp *tcp = &((struct tcp_channel *)channel)->tcp;
	return explain(channel, tcp_send(tcp, bytes, size, deadline));
}

static void tcp_channel_close(struct channel *channel)
{
	struct tcp_channel *tcp = (struct tcp_channel *)channel;
	close(tcp->tcp.descriptor);
	free(tcp);
}

const struct channel_ops channel_tcp = {
        .scheme = "tcp",
        .synopsis = ":HOST:PORT[,timeout=SECONDS]",
        .summary = "a serial port behind TCP: QEMU's, ser2net's",
        .open = tcp_channel_open,
        .read = tcp_channel_read,
        .write = tcp_channel_write,
        .close = tcp_channel_close,
        .has_no_rate = true,
};
