/* SPDX-License-Identifier: MIT */
/* A client sends numbered bytes over TCP to a server that echoes them, both on the loopback interface. */
#include "profiling.h"

#include <lwip/init.h>
#include <lwip/netif.h>
#include <lwip/tcp.h>
#include <lwip/timeouts.h>

#define PORT        7u
#define BYTES       4000000u
#define CHUNK_BYTES 700u

static u32_t milliseconds;
static u32_t sent, received;
static bool is_right = true;

u32_t sys_now(void)
{
	return milliseconds;
}

static u8_t byte_at(u32_t place)
{
	return (u8_t)(place * 7u + (place >> 8));
}

static err_t echo(void *context, struct tcp_pcb *connection, struct pbuf *data, err_t error)
{
	(void)context;
	(void)error;
	if (data == NULL)
		return tcp_close(connection);
	for (struct pbuf *part = data; part != NULL; part = part->next)
		is_right = tcp_write(connection, part->payload, part->len, TCP_WRITE_FLAG_COPY) == ERR_OK && is_right;
	tcp_recved(connection, data->tot_len);
	pbuf_free(data);
	return tcp_output(connection);
}

static err_t serve(void *context, struct tcp_pcb *connection, err_t error)
{
	(void)context;
	(void)error;
	tcp_recv(connection, echo);
	return ERR_OK;
}

static void send_more(struct tcp_pcb *connection)
{
	u8_t chunk[CHUNK_BYTES];

	while (sent < BYTES && sent - received < 4 * CHUNK_BYTES && tcp_sndbuf(connection) >= CHUNK_BYTES) {
		u32_t size = BYTES - sent < CHUNK_BYTES ? BYTES - sent : CHUNK_BYTES;

		for (u32_t i = 0; i < size; i++)
			chunk[i] = byte_at(sent + i);
		if (tcp_write(connection, chunk, (u16_t)size, TCP_WRITE_FLAG_COPY) != ERR_OK)
			break;
		sent += size;
	}
	tcp_output(connection);
}

static err_t check(void *context, struct tcp_pcb *connection, struct pbuf *data, err_t error)
{
	(void)context;
	(void)error;
	if (data == NULL)
		return ERR_OK;
	for (struct pbuf *part = data; part != NULL; part = part->next)
		for (u16_t i = 0; i < part->len; i++)
			is_right = ((u8_t *)part->payload)[i] == byte_at(received++) && is_right;
	tcp_recved(connection, data->tot_len);
	pbuf_free(data);
	send_more(connection);
	return ERR_OK;
}

static err_t begin(void *context, struct tcp_pcb *connection, err_t error)
{
	(void)context;
	(void)error;
	tcp_recv(connection, check);
	send_more(connection);
	return ERR_OK;
}

int main(void)
{
	ip_addr_t loopback = IPADDR4_INIT_BYTES(127, 0, 0, 1);

	profiling_begin();
	lwip_init();
	struct tcp_pcb *server = tcp_new();
	struct tcp_pcb *client = tcp_new();
	is_right = tcp_bind(server, IP_ADDR_ANY, PORT) == ERR_OK;
	server = tcp_listen(server);
	tcp_accept(server, serve);
	is_right = tcp_connect(client, &loopback, PORT, begin) == ERR_OK && is_right;
	for (; received < BYTES && milliseconds < 10000000; milliseconds++) {
		netif_poll_all();
		sys_check_timeouts();
	}
	profiling_end(is_right && received == BYTES);
}
