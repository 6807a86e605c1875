/* SPDX-License-Identifier: MIT */
/* The sensor station's main loop, a round at a time. */
#include "station.h"

#include "acquisition.h"
#include "count.h"
#include "filter.h"
#include "message.h"
#include "parser.h"
#include "selftest.h"
#include "sort.h"

#define DECIMATION 2u
#define PEAKS      6u
#define FORMULAS   4u

static const char *const formulas[FORMULAS] = {
        "a + (b - a) / 2",
        ">(c, d) * 100 / (>(b - a, 1) + 8)",
        "-(e - c) * 37 + ((d - 12) * (d + 12)) / 64",
        "(a + b + c + (d * (2 + (e - 1) * 3))) / 7 - 40",
};

static struct measurement window[FILTER_WINDOW];
static struct record records[FILTER_WINDOW / DECIMATION];
static unsigned record_count;
static struct message message;
static uint32_t dither = 0x9E3779B9u;
static uint32_t failures;

/* The window moves along by what has been measured since the last round. */
static void collect_window(void)
{
	static uint32_t next;
	struct measurement measurement;

	COUNT(collect_window);
	while (acquisition_take(&measurement))
		window[next++ % FILTER_WINDOW] = measurement;
}

/* A little noise keeps the rounding of the filters from adding up. */
static inline int16_t dithered(int16_t value)
{
	dither = dither * 1664525u + 1013904223u;
	return (int16_t)(value + (int16_t)(dither >> 25) - 64);
}

/* Records are the values above the mean: how many there are depends on the signal. */
static void find_records(void)
{
	int16_t values[FILTER_WINDOW];
	int32_t sum = 0;

	COUNT(find_records);
	for (unsigned i = 0; i < FILTER_WINDOW; i++)
		values[i] = dithered(window[i].value);
	filter_window(values);
	for (unsigned i = 0; i < FILTER_WINDOW; i += DECIMATION)
		sum += values[i];
	record_count = 0;
	for (unsigned i = 0; i < FILTER_WINDOW; i += DECIMATION)
		if (values[i] * (int32_t)(FILTER_WINDOW / DECIMATION) > sum)
			records[record_count++] = (struct record){window[i].time, values[i], window[i].channel};
}

/* All by value; then the largest ones in the order of their arrival. */
static void rank_records(void)
{
	unsigned peaks = record_count < PEAKS ? record_count : PEAKS;

	COUNT(rank_records);
	sort_records(records, record_count, compare_by_value);
	sort_records(&records[record_count - peaks], peaks, compare_by_time);
}

/* In the ranked records, a is the minimum, b near the maximum, c the median, d the upper quartile. */
static void evaluate_formulas(uint32_t round, int32_t results[FORMULAS])
{
	const int32_t values[EXPRESSION_VARIABLES] = {
	        records[0].value,
	        records[record_count * 9 / 10].value,
	        records[record_count / 2].value,
	        records[record_count * 3 / 4].value,
	        (int32_t)(round & 0xFFFu),
	};

	COUNT(evaluate_formulas);
	for (unsigned i = 0; i < FORMULAS; i++)
		if (!expression_evaluate(formulas[i], values, &results[i]))
			failures++;
}

static void send_message(const int32_t results[FORMULAS])
{
	int32_t last = 0;

	COUNT(send_message);
	message_begin(&message, 'S');
	for (unsigned i = 0; i < FORMULAS; i++)
		message_put_number(&message, results[i]);
	for (unsigned i = 0; i < record_count; i++) {
		message_put_number(&message, records[i].value - last);
		last = records[i].value;
	}
	if (!message_finish(&message) || !message_check(&message))
		failures++;
}

void run_round(uint32_t round)
{
	int32_t results[FORMULAS];

	COUNT(run_round);
	collect_window();
	find_records();
	rank_records();
	evaluate_formulas(round, results);
	send_message(results);
	if (!selftest_step())
		failures++;
}

uint32_t station_failures(void)
{
	return failures;
}
