/* SPDX-License-Identifier: MIT */
/* See kernels.h. */
#include "kernels.h"

#include <stddef.h>

/* --- Matrices. */

int32_t row_fill(int32_t row[MATRIX_SIZE], int32_t seed)
{
	for (uint32_t i = 0; i < MATRIX_SIZE; i++)
		row[i] = seed = (seed * 31 + 17) & 0xFFF;
	return seed;
}

void row_add(int32_t row[MATRIX_SIZE], int32_t constant)
{
	for (uint32_t i = 0; i < MATRIX_SIZE; i++)
		row[i] += constant;
}

int32_t row_times_column(const int32_t row[MATRIX_SIZE], const struct matrix *matrix, uint32_t column)
{
	int32_t sum = 0;

	for (uint32_t i = 0; i < MATRIX_SIZE; i++)
		sum += row[i] * matrix->rows[i][column] >> 4;
	return sum;
}

int32_t row_count_rising(const int32_t row[MATRIX_SIZE], int32_t previous)
{
	int32_t found = 0;

	for (uint32_t i = 0; i < MATRIX_SIZE; i++) {
		found += row[i] > previous;
		previous = row[i];
	}
	return found;
}

void matrix_scale(struct matrix *result, const struct matrix *matrix, int32_t factor)
{
	for (uint32_t row = 0; row < MATRIX_SIZE; row++)
		for (uint32_t column = 0; column < MATRIX_SIZE; column++)
			result->rows[row][column] = matrix->rows[row][column] * factor >> 2;
}

void matrix_multiply(struct matrix *result, const struct matrix *left, const struct matrix *right)
{
	for (uint32_t row = 0; row < MATRIX_SIZE; row++)
		for (uint32_t column = 0; column < MATRIX_SIZE; column++)
			result->rows[row][column] = row_times_column(left->rows[row], right, column);
}

int32_t matrix_test(struct matrix *matrix, int32_t seed)
{
	static struct matrix scaled, product;
	int32_t sum = 0;

	for (uint32_t row = 0; row < MATRIX_SIZE; row++)
		seed = row_fill(matrix->rows[row], seed);
	for (uint32_t row = 0; row < MATRIX_SIZE; row++)
		row_add(matrix->rows[row], -seed);
	matrix_scale(&scaled, matrix, seed | 1);
	matrix_multiply(&product, matrix, &scaled);
	for (uint32_t row = 0; row < MATRIX_SIZE; row++)
		sum += row_count_rising(product.rows[row], sum);
	return sum;
}

/* --- Lists. */

struct item *list_fill(struct item items[LIST_LENGTH], uint32_t seed)
{
	for (uint32_t i = 0; i < LIST_LENGTH; i++) {
		seed = seed * 1664525u + 1013904223u;
		items[i].next = i + 1 < LIST_LENGTH ? &items[i + 1] : NULL;
		items[i].value = (int32_t)(seed >> 20);
		items[i].place = i;
	}
	return items;
}

int32_t compare_values(const struct item *left, const struct item *right)
{
	return left->value - right->value;
}

int32_t compare_places(const struct item *left, const struct item *right)
{
	return (int32_t)left->place - (int32_t)right->place;
}

struct item *list_merge(struct item *left, struct item *right, int by_place)
{
	struct item *first = NULL, **end = &first;

	while (left != NULL && right != NULL) {
		int32_t order = by_place ? compare_places(left, right) : compare_values(left, right);
		struct item **taken = order <= 0 ? &left : &right;

		*end = *taken;
		end = &(*taken)->next;
		*taken = (*taken)->next;
	}
	*end = left != NULL ? left : right;
	return first;
}

/* Cuts the list after this many items; returns the rest. */
struct item *list_split(struct item *list, uint32_t length)
{
	while (list != NULL && --length > 0)
		list = list->next;
	if (list == NULL)
		return NULL;

	struct item *rest = list->next;

	list->next = NULL;
	return rest;
}

struct item *list_sort(struct item *list, int by_place)
{
	for (uint32_t length = 1; length < LIST_LENGTH; length *= 2) {
		struct item *sorted = NULL, **end = &sorted;

		while (list != NULL) {
			struct item *right = list_split(list, length), *rest = list_split(right, length);

			*end = list_merge(list, right, by_place);
			while (*end != NULL)
				end = &(*end)->next;
			list = rest;
		}
		list = sorted;
	}
	return list;
}

const struct item *list_find(const struct item *list, int32_t value)
{
	while (list != NULL && list->value < value)
		list = list->next;
	return list;
}

uint32_t list_checksum(const struct item *list)
{
	uint32_t sum = 0;

	for (; list != NULL; list = list->next)
		sum = sum * 31 + list->place;
	return sum;
}

uint32_t list_test(struct item items[LIST_LENGTH], uint32_t seed)
{
	struct item *list = list_sort(list_fill(items, seed), 0);
	uint32_t sum = list_checksum(list);

	for (int32_t value = 0; value < 4096; value += 512)
		sum += list_find(list, value) != NULL;
	return sum + list_checksum(list_sort(list, 1));
}
