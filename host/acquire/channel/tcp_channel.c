/* SPDX-License-Identifier: MIT */
/* A TCP connection as a channel: QEMU's serial ports, ser2net, and other servers that pass bytes on unchanged. */
#include "acquire/channel/channel.h"
#include "acquire/channel/tcp.h"

#include <stdlib.h>
#include <unistd.h>

struct tcp_channel {
	struct channel channel;
	struct tcp connection;
};

enum status tcp_channel_connect(const char *where, const char *host_port, unsigned timeout, int cancel,
                                struct channel **channel, struct error *error)
{
	struct tcp_channel *tcp = calloc(1, sizeof *tcp);

	if (tcp == NULL)
		return status_no_memory(error, where);
	tcp->connection.cancel = cancel;
	enum status status = tcp_connect(where, host_port, timeout, &tcp->connection, error);
	if (status != STATUS_OK) {
		free(tcp);
		return status;
	}
	tcp->channel = (struct channel){.ops = &channel_tcp, .cancel = cancel, .timeout = timeout};
	*channel = &tcp->channel;
	return STATUS_OK;
}

static enum status tcp_channel_open(const struct source *source, int cancel, struct channel **channel,
                                    struct error *error)
{
	unsigned timeout = CHANNEL_TIMEOUT_DEFAULT;
	char where[256];

	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (status != STATUS_OK)
		return status;
	snprintf(where, sizeof where, "tcp:%.240s", source->address);
	return tcp_channel_connect(where, source->address, timeout, cancel, channel, error);
}

static enum wait_result explain_closing(struct channel *channel, enum wait_result result)
{
	if (result == WAIT_CLOSED)
		snprintf(channel->reason, sizeof channel->reason, "the other end closed the connection");
	return result;
}

/* The connection, with the channel's descriptor to cancel, which may have changed. */
static const struct tcp *prepare_connection(struct channel *channel)
{
	struct tcp *connection = &((struct tcp_channel *)channel)->connection;

	connection->cancel = channel->cancel;
	return connection;
}

static enum wait_result tcp_channel_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                         size_t *size)
{
	return explain_closing(channel, tcp_receive(prepare_connection(channel), bytes, capacity, deadline, size));
}

static enum wait_result tcp_channel_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	return explain_closing(channel, tcp_send(prepare_connection(channel), bytes, size, deadline));
}

static void tcp_channel_close(struct channel *channel)
{
	struct tcp_channel *tcp = (struct tcp_channel *)channel;

	close(tcp->connection.descriptor);
	free(tcp);
}

const struct channel_ops channel_tcp = {
        .syntax = {.scheme = "tcp",
                   .synopsis = ":HOST:PORT[,timeout=SECONDS]",
                   .summary = "a serial port over TCP, of QEMU or ser2net",
                   .options = {"timeout"}},
        .open = tcp_channel_open,
        .read = tcp_channel_read,
        .write = tcp_channel_write,
        .close = tcp_channel_close,
        .has_no_rate = true,
};
