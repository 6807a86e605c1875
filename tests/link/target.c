/* SPDX-License-Identifier: MIT */
/*
 * A firmware that runs as a process: the native port of the target library, with its link on a local stream.
 *
 *	target END CONTENT [NAME=VALUE]...
 *
 * END is opened as in end.h; the block is filled with CONTENT, see memory.h.
 *
 *	seed=N		the seed of the content
 *	frame=BYTES	the longest frame (default 128)
 *	rate=BITS	bits per second of the line, in each direction
 *	text=PERCENT	the share of console text, between frames, in the output
 *	sends=MS	sends the block at this interval, and ignores its input
 *	reset=BYTES	resets once after sending BYTES: RAM holds garbage, then the content of the next seed
 *	dump=FILE	writes the block, when filled and again at the end
 *
 * Exits at the end of its standard input, or on SIGTERM.
 */
#include "../options/options.h"
#include "end.h"
#include "line.h"
#include "memory.h"

#include <bareprof/link.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define TICK_MICROSECONDS     1000
#define BOOT_NANOSECONDS      20000000u
#define MILLISECOND           1000000u
#define ROUNDS_WITHOUT_A_WAIT 64

struct options {
	const char *content, *dump, *resume;
	uint64_t seed, frame_size, rate, text_percent, send_milliseconds, reset_bytes;
};

/* Global, as on a board: the link's pipe functions have no argument for it. */
static struct target {
	struct options options;
	char **arguments;
	struct end end;
	struct line in, out;
	uint64_t sent, text;
	uint64_t moved;   /* bytes that the link read or wrote */
	bool is_in_frame; /* toggled by the delimiters around frames */
	uint64_t fill_at; /* RAM holds garbage until then; 0: the block is filled */
} target = {.options.frame_size = 128};

static void tick(int signal)
{
	(void)signal;
	memory_tick();
}

/* --- The line */

static void receive(void)
{
	uint8_t bytes[256];
	const size_t room = LINE_CAPACITY - target.in.count;

	const size_t size = end_read(&target.end, bytes, room < sizeof bytes ? room : sizeof bytes);
	line_put(&target.in, bytes, size);
}

static void transmit(void)
{
	const uint8_t *bytes;
	size_t arrived, taken;

	do {
		arrived = line_arrived(&target.out, &bytes);
		taken = arrived > 0 ? end_write(&target.end, bytes, arrived) : 0;
		line_drop(&target.out, taken);
		target.sent += taken;
	} while (taken > 0 && taken == arrived);
}

/* Waits for input, for room for output, for bytes due on the line, or until `due`. */
static void wait_until(uint64_t due)
{
	struct pollfd entries[END_ENTRIES];
	const uint8_t *bytes;
	const bool is_stuck = line_arrived(&target.out, &bytes) > 0;

	if (!is_stuck)
		due = earlier(due, line_due(&target.out));
	due = earlier(due, line_due(&target.in));
	end_entries(&target.end, target.in.count < LINE_CAPACITY, is_stuck, entries);
	end_wait(entries, END_ENTRIES, due, target.end.is_away);
}

static void turn(uint64_t due)
{
	wait_until(due);
	end_attend(&target.end);
	receive();
	transmit();
}

/* --- The pipe of the link */

static bool is_sending(void)
{
	return target.options.send_milliseconds != 0;
}

static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	const size_t taken = line_put(&target.out, bytes, size);

	for (size_t i = 0; i < taken; i++)
		target.is_in_frame ^= bytes[i] == BAREPROF_FRAME_DELIMITER;
	target.moved += taken;
	/* bareprof_send() spins until the pipe accepts everything; on a board, an interrupt would make room meanwhile.
	 */
	if (taken == 0 && is_sending())
		turn(UINT64_MAX);
	return taken;
}

static size_t pipe_read(uint8_t *bytes, size_t size)
{
	const uint8_t *arrived;
	const size_t count = line_arrived(&target.in, &arrived);
	const size_t taken = count < size ? count : size;

	memcpy(bytes, arrived, taken);
	line_drop(&target.in, taken);
	target.moved += taken;
	return taken;
}

static uint8_t frame[BAREPROF_FRAME_MAX];

/* Like the link that BAREPROF_LINK defines, but writable: options change its sizes. */
__attribute__((used)) struct bareprof_link target_link = {
        .pipe = {.write = pipe_write, .read = pipe_read},
        .frame = frame,
};
__asm__(".globl bareprof_link\n.set bareprof_link, target_link\n");

static void open_link(void)
{
	const uint64_t frame_size = target.options.frame_size;

	if (frame_size < BAREPROF_FRAME_MIN || frame_size > BAREPROF_FRAME_MAX) {
		fprintf(stderr, "target: frames have 64 to 1024 bytes\n");
		exit(2);
	}
	target_link.frame_size = (uint16_t)frame_size;
	target_link.identity = BAREPROF_LINK_VERSION | (uint32_t)frame_size << 16;
}

/* --- The firmware */

static void dump(void)
{
	FILE *file = target.options.dump != NULL ? fopen(target.options.dump, "wb") : NULL;

	if (file == NULL)
		return;
	fwrite(memory_bytes(), 1, memory_size(), file);
	fclose(file);
}

static void sample_every(long microseconds)
{
	const struct itimerval timer = {.it_interval.tv_usec = microseconds, .it_value.tv_usec = microseconds};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void fill(void)
{
	const struct options *options = &target.options;

	if (!memory_fill(options->content, (uint32_t)options->seed)) {
		fprintf(stderr, "target: %s: unknown content\n", options->content);
		exit(2);
	}
	target_link.memory_size = (uint32_t)memory_size();
	target.fill_at = 0;
	dump();
	if (strcmp(options->content, "running") == 0)
		sample_every(TICK_MICROSECONDS);
}

/* Prints whole lines, and never within a frame, like a console that waits for the frame to end. */
static void print_text(void)
{
	static unsigned line_number;
	char text[64];

	while (!target.is_in_frame && target.text * 100 < target.options.text_percent * (target.text + target.moved)) {
		const int size = snprintf(text, sizeof text, "line %u of the console\r\n", line_number);

		if (LINE_CAPACITY - target.out.count < (size_t)size)
			return;
		target.text += line_put(&target.out, (const uint8_t *)text, (size_t)size);
		line_number++;
	}
}

/* Replaces this process by a new one that keeps only the connection. */
static void reset(void)
{
	char resume[64], seed[32];
	char **words = target.arguments;
	size_t count = 0;

	sample_every(0);
	snprintf(resume, sizeof resume, "resume=%d,%d,%d", target.end.listener, target.end.in, target.end.out);
	snprintf(seed, sizeof seed, "seed=%" PRIu64, target.options.seed + 1);
	while (words[count] != NULL)
		count++;
	char **again = calloc(count + 4, sizeof *again);
	if (again == NULL)
		abort();
	memcpy(again, words, count * sizeof *again);
	again[count] = resume;
	again[count + 1] = seed;
	again[count + 2] = "reset=0";
	execv("/proc/self/exe", again);
	abort();
}

static void poll_link(void)
{
	unsigned still = 0;

	for (unsigned round = 0; round < ROUNDS_WITHOUT_A_WAIT && still < 2; round++) {
		const uint64_t before = target.moved;

		bareprof_poll();
		print_text();
		transmit();
		still = target.moved == before ? still + 1 : 0;
	}
}

static void answer(void)
{
	const struct options *options = &target.options;
	bool was_busy = false;

	while (!termination_is_requested && !target.end.is_over) {
		const uint64_t before = target.moved;

		turn(was_busy ? 0 : target.fill_at != 0 ? target.fill_at : UINT64_MAX);
		if (target.fill_at != 0 && line_clock() >= target.fill_at)
			fill();
		poll_link();
		was_busy = target.moved != before && target.out.count != LINE_CAPACITY;
		if (options->reset_bytes != 0 && target.sent >= options->reset_bytes)
			reset();
	}
}

static void send_repeatedly(void)
{
	uint64_t next = 0;

	while (!termination_is_requested && !target.end.is_over) {
		turn(next);
		line_drop(&target.in, target.in.count);
		print_text();
		if (target.end.is_away || target.end.in < 0 || line_clock() < next)
			continue;
		bareprof_send();
		next = line_clock() + target.options.send_milliseconds * MILLISECOND;
	}
}

/* --- Arguments */

static void read_options(struct options *options, char **words)
{
	const struct option_row rows[] = {
	        {"seed", OPTION_NUMBER, &options->seed},
	        {"frame", OPTION_NUMBER, &options->frame_size},
	        {"rate", OPTION_NUMBER, &options->rate},
	        {"text", OPTION_NUMBER, &options->text_percent},
	        {"sends", OPTION_NUMBER, &options->send_milliseconds},
	        {"reset", OPTION_NUMBER, &options->reset_bytes},
	        {"dump", OPTION_TEXT, &options->dump},
	        {"resume", OPTION_TEXT, &options->resume},
	};

	for (; *words != NULL; words++) {
		if (options_set(rows, sizeof rows / sizeof *rows, *words))
			continue;
		fprintf(stderr, "target: %s is not an option\n", *words);
		exit(2);
	}
}

static void open_end(const char *name)
{
	int listener, in, out;

	if (target.options.resume != NULL && sscanf(target.options.resume, "%d,%d,%d", &listener, &in, &out) == 3)
		end_resume(&target.end, name, listener, in, out);
	else
		end_open(&target.end, name);
}

static void start(void)
{
	open_link();
	line_open(&target.in, target.options.rate);
	line_open(&target.out, target.options.rate);
	if (target.options.resume == NULL) {
		fill();
		return;
	}
	memory_garble((uint32_t)target.options.seed);
	target_link.memory_size = (uint32_t)memory_size();
	target.fill_at = line_clock() + BOOT_NANOSECONDS;
}

int main(int count, char **words)
{
	const struct sigaction ticking = {.sa_handler = tick, .sa_flags = SA_RESTART};

	if (count < 3) {
		fprintf(stderr, "usage: target END CONTENT [NAME=VALUE]...\n");
		return 2;
	}
	target.arguments = words;
	target.options.content = words[2];
	read_options(&target.options, words + 3);
	end_catch_signals();
	sigaction(SIGALRM, &ticking, NULL);
	start();
	open_end(words[1]);
	if (is_sending())
		send_repeatedly();
	else
		answer();
	sample_every(0);
	dump();
	return 0;
}
