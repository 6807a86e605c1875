/* SPDX-License-Identifier: MIT */
/*
 * Tasks that use everything of the RTOS: queues between tasks and from an interrupt, a mutex whose owner inherits a
 * priority, timers, and a task that is created and deleted again and again. Tasks become contexts by
 * <bareprof/freertos.h> alone. Each function counts its calls under the context that it is passed. Prints a line `calls
 * CONTEXT FUNCTION N` for each, and `switches CONTEXT N`.
 */
#include "FreeRTOSConfig.h"
#include "rtos.h"

#include <bareprof/bareprof.h>

#ifndef ROUNDS
#define ROUNDS 3000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define TICK_MICROSECONDS 997u

#if BAREPROF_STACKS != 0
extern const char bareprof_stack_start[], bareprof_stack_end[];
#define STACKS                                                                                \
	.stacks = {{(const char *)rtos_stacks, (const char *)(rtos_stacks + RTOS_TASKS + 1)}, \
	           {bareprof_stack_start, bareprof_stack_end}},                               \
	.stack_end = bareprof_task_stack_end, BOARD_STACKS
#else
#define STACKS
#endif

BAREPROF_DEFINE(512, BAREPROF_GRANULES(1024, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(6144);
#endif

enum context {
	CONTEXT_MAIN,
	CONTEXT_INTERRUPT,
	CONTEXT_PRODUCER,
	CONTEXT_CONSUMER,
	CONTEXT_LOW,
	CONTEXT_HIGH,
	CONTEXT_TIMERS,
	CONTEXT_IDLE,
	CONTEXT_CHILD,
	CONTEXTS
};
static const char *const context_names[CONTEXTS] = {"main", "interrupt", "producer", "consumer", "low",
                                                    "high", "timers",    "IDLE",     "child"};

#define COUNTED_FUNCTIONS(X) \
	X(produce) X(consume) X(hold) X(hurry) X(watch) X(idle) X(child) X(compress) X(check) X(serve) X(linger_in)
#include "counts.h"

static uint32_t interrupts; /* the context of interrupts */
static struct rtos_queue work, events;
static struct rtos_mutex mutex;
static void watch(void), beat(void);
static struct rtos_timer watchdog = {.function = watch}, heartbeat = {.function = beat};
static volatile bool producer_is_done, low_is_done;
static volatile uint32_t words[CONTEXTS];
static volatile uint32_t owners; /* of the mutex: never more than one */
static volatile uint32_t broken; /* how often the mutex or the order of a queue was */

static void compress(enum context context)
{
	COUNT(context, compress);
	for (uint32_t i = 0; i < 40; i++)
		words[context] = words[context] * 5u + i;
}

static void check(enum context context, uint32_t depth)
{
	COUNT(context, check);
	if (depth > 0)
		check(context, depth - 1);
	words[context] ^= words[context] >> 3;
}

static void linger_in(enum context context)
{
	COUNT(context, linger_in);
	linger(context);
}

static void use_mutex(enum context context, uint32_t compressions)
{
	rtos_mutex_lock(&mutex);
	broken += owners++ != 0;
	for (uint32_t i = 0; i < compressions; i++)
		compress(context);
	owners--;
	rtos_mutex_unlock(&mutex);
}

static void produce(uint32_t round)
{
	COUNT(CONTEXT_PRODUCER, produce);
	linger_in(CONTEXT_PRODUCER);
	check(CONTEXT_PRODUCER, 4);
	rtos_queue_send(&work, round, RTOS_FOREVER);
	if (round % 8 == 0)
		rtos_delay(1);
}

static void producer(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		produce(round);
	producer_is_done = true;
	rtos_task_exit();
}

static void consume(uint32_t *expected)
{
	uint32_t item;

	COUNT(CONTEXT_CONSUMER, consume);
	if (rtos_queue_receive(&work, &item, 5))
		broken += item != (*expected)++;
	compress(CONTEXT_CONSUMER);
	linger_in(CONTEXT_CONSUMER);
}

static void consumer(void)
{
	uint32_t expected = 0;

	for (;;)
		consume(&expected);
}

static void child(void)
{
	COUNT(CONTEXT_CHILD, child);
	check(CONTEXT_CHILD, 2);
	compress(CONTEXT_CHILD);
	linger_in(CONTEXT_CHILD);
	rtos_task_exit();
}

/* Starts a child, which ends by itself or is deleted before that. */
static void raise(uint32_t round)
{
	struct rtos_task *task = rtos_task_create("child", 1, child);

	if (task != NULL && round % 64 == 0)
		rtos_task_delete(task);
}

static void hold(uint32_t round)
{
	COUNT(CONTEXT_LOW, hold);
	use_mutex(CONTEXT_LOW, 6);
	check(CONTEXT_LOW, 3);
	linger_in(CONTEXT_LOW);
	if (round % 16 == 0)
		raise(round);
	if (round % 32 == 0)
		rtos_delay(2);
}

static void low(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		hold(round);
	low_is_done = true;
	rtos_task_exit();
}

static void hurry(void)
{
	uint32_t event;

	COUNT(CONTEXT_HIGH, hurry);
	rtos_queue_receive(&events, &event, RTOS_FOREVER);
	use_mutex(CONTEXT_HIGH, 2);
	linger_in(CONTEXT_HIGH);
}

static void high(void)
{
	for (;;)
		hurry();
}

static void watch(void)
{
	COUNT(CONTEXT_TIMERS, watch);
	check(CONTEXT_TIMERS, 5);
	linger_in(CONTEXT_TIMERS);
}

static void beat(void)
{
	rtos_timer_start(&watchdog, 7);
	check(CONTEXT_TIMERS, 0);
}

static void serve(void)
{
	COUNT(CONTEXT_INTERRUPT, serve);
	compress(CONTEXT_INTERRUPT);
	linger_in(CONTEXT_INTERRUPT);
}

/* Uninstrumented: its own arc would be filed under the task that it interrupts. */
UNINSTRUMENTED void work_interrupt(void)
{
	static uint32_t ticks;

	BAREPROF_IN_CONTEXT(interrupts);

	COUNT_SWITCH(CONTEXT_INTERRUPT);
	board_work_acknowledge();
	serve();
	if (++ticks % 3 == 0)
		rtos_queue_send_from_interrupt(&events, ticks);
	rtos_tick_from_interrupt();
}

UNINSTRUMENTED static bool are_equal(const char *left, const char *right)
{
	while (*left == *right && *left != '\0') {
		left++;
		right++;
	}
	return *left == *right;
}

UNINSTRUMENTED void rtos_switched(const char *name)
{
	for (unsigned context = CONTEXT_PRODUCER; context < CONTEXTS; context++)
		if (are_equal(name, context_names[context]))
			COUNT_SWITCH(context);
}

static void idle(void)
{
	COUNT(CONTEXT_IDLE, idle);
	linger_in(CONTEXT_IDLE);
	check(CONTEXT_IDLE, 1);
	if (!producer_is_done || !low_is_done)
		return;
	if (broken != 0)
		board_console_write("broken\n");
	counts_finish();
}

int main(void)
{
	board_init();
	rtos_task_create(context_names[CONTEXT_PRODUCER], 2, producer);
	bareprof_init();
	bareprof_context_name(0, context_names[CONTEXT_MAIN]);
	interrupts = bareprof_context_named(context_names[CONTEXT_INTERRUPT]);
	rtos_task_create(context_names[CONTEXT_CONSUMER], 3, consumer);
	rtos_task_create(context_names[CONTEXT_LOW], 1, low);
	rtos_task_create(context_names[CONTEXT_HIGH], 4, high);
	rtos_timer_start(&watchdog, 5);
	rtos_timer_start(&heartbeat, 4);
	counts_start();
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(TICK_MICROSECONDS);
	rtos_start(idle);
}
