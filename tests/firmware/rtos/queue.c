/* SPDX-License-Identifier: MIT */
/* See rtos.h: queues. Senders wait on the items, receivers on the count. */
#include "kernel.h"
#include "port.h"

#include <stddef.h>

UNINSTRUMENTED static void put(struct rtos_queue *queue, uint32_t item)
{
	queue->items[(queue->first + queue->count++) % RTOS_QUEUE_ITEMS] = item;
	kernel_wake(&queue->count);
}

static uint32_t take(struct rtos_queue *queue)
{
	const uint32_t item = queue->items[queue->first];

	queue->first = (queue->first + 1) % RTOS_QUEUE_ITEMS;
	queue->count--;
	kernel_wake(queue->items);
	return item;
}

/* Another task may be faster than the one that was woken, which then waits again. */
bool rtos_queue_send(struct rtos_queue *queue, uint32_t item, uint32_t ticks)
{
	uint32_t state = kernel_lock();

	while (queue->count == RTOS_QUEUE_ITEMS) {
		if (!kernel_wait(queue->items, ticks, state))
			return false;
		state = kernel_lock();
	}
	put(queue, item);
	kernel_yield(state);
	return true;
}

bool rtos_queue_receive(struct rtos_queue *queue, uint32_t *item, uint32_t ticks)
{
	uint32_t state = kernel_lock();

	while (queue->count == 0) {
		if (!kernel_wait(&queue->count, ticks, state))
			return false;
		state = kernel_lock();
	}
	*item = take(queue);
	kernel_yield(state);
	return true;
}

UNINSTRUMENTED bool rtos_queue_send_from_interrupt(struct rtos_queue *queue, uint32_t item)
{
	const uint32_t state = kernel_lock();
	const bool has_room = queue->count < RTOS_QUEUE_ITEMS;

	if (has_room)
		put(queue, item);
	kernel_unlock(state);
	port_switch_from_interrupt();
	return has_room;
}
