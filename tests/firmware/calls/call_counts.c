/* SPDX-License-Identifier: MIT */
/* The table of calls that the demo counted itself, and its way to the console. Knows nothing of the profile. */
#include "count.h"

#define COUNT_ENTRY(name) {#name, 0},
struct call_count call_counts[CALL_COUNT_ENTRIES] = {COUNTED_FUNCTIONS(COUNT_ENTRY)};
const uint32_t call_count_entries = CALL_COUNT_ENTRIES;
uint32_t call_counting;

static void write_number(uint32_t number)
{
	char digits[11];
	unsigned first = sizeof(digits) - 1;

	digits[first] = '\0';
	do {
		digits[--first] = (char)('0' + number % 10u);
		number /= 10u;
	} while (number != 0);
	board_console_write(&digits[first]);
}

void call_counts_write(void)
{
	for (uint32_t i = 0; i < call_count_entries; i++) {
		board_console_write("calls ");
		board_console_write(call_counts[i].name);
		board_console_write(" ");
		write_number(call_counts[i].count);
		board_console_write("\n");
	}
}
