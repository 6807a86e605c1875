/* SPDX-License-Identifier: MIT */
/* Records of measurements, and sorting them in any order. */
#ifndef FIRMWARE_DEMO_SORT_H
#define FIRMWARE_DEMO_SORT_H

#include <stddef.h>
#include <stdint.h>

struct record {
	uint32_t time;
	int16_t value;
	uint16_t channel;
};

/* Below, equal to or above 0: left comes before, with or after right. */
typedef int (*record_comparison)(const struct record *left, const struct record *right);

int compare_by_value(const struct record *left, const struct record *right);
int compare_by_time(const struct record *left, const struct record *right);

void sort_records(struct record *records, size_t count, record_comparison compare);

#endif
