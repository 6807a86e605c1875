/* SPDX-License-Identifier: MIT */
/* A matrix test and a list sort, made of small global functions in one file: which of them a compiler inlines depends
 * on its level, and each keeps its symbol. */
#ifndef FIRMWARE_INLINING_KERNELS_H
#define FIRMWARE_INLINING_KERNELS_H

#include <stdint.h>

#define MATRIX_SIZE 8u
#define LIST_LENGTH 40u

struct matrix {
	int32_t rows[MATRIX_SIZE][MATRIX_SIZE];
};

int32_t row_fill(int32_t row[MATRIX_SIZE], int32_t seed);
void row_add(int32_t row[MATRIX_SIZE], int32_t constant);
int32_t row_times_column(const int32_t row[MATRIX_SIZE], const struct matrix *matrix, uint32_t column);
int32_t row_count_rising(const int32_t row[MATRIX_SIZE], int32_t previous);
void matrix_scale(struct matrix *result, const struct matrix *matrix, int32_t factor);
void matrix_multiply(struct matrix *result, const struct matrix *left, const struct matrix *right);
int32_t matrix_test(struct matrix *matrix, int32_t seed);

struct item {
	struct item *next;
	int32_t value;
	uint32_t place;
};

struct item *list_fill(struct item items[LIST_LENGTH], uint32_t seed);
int32_t compare_values(const struct item *left, const struct item *right);
int32_t compare_places(const struct item *left, const struct item *right);
struct item *list_merge(struct item *left, struct item *right, int by_place);
struct item *list_split(struct item *list, uint32_t length);
struct item *list_sort(struct item *list, int by_place);
const struct item *list_find(const struct item *list, int32_t value);
uint32_t list_checksum(const struct item *list);
uint32_t list_test(struct item items[LIST_LENGTH], uint32_t seed);

#endif
