/* SPDX-License-Identifier: MIT */
/* A folder of the test's own with a baseline in it, FOLDER/kept, and firmware and captures beside it. */
#ifndef UNIT_DIFF_BASELINE_SHELF_H
#define UNIT_DIFF_BASELINE_SHELF_H

#include "diff/baseline/baseline.h"

#define SHELF_ID_SIZE 20

/* The setup and teardown of a test: the folder is there, and empty; FOLDER/kept is not. */
int shelf_open(void **state);
int shelf_close(void **state);

/* FOLDER/NAME; the last eight answers are valid. */
const char *shelf_path(const char *name);
const char *shelf_baseline(void);

void shelf_write(const char *name, const char *text);
void shelf_expect(const char *name, const char *text);
/* How many names a folder holds. */
size_t shelf_count(const char *name);

/* A firmware of FOLDER/fw.elf, written with this text, whose build-id is SHELF_ID_SIZE times the byte. */
struct image *shelf_image(uint8_t byte, const char *text);
/* Its digits; the last answer is valid. */
const char *shelf_id(uint8_t byte);

/* Keeps a firmware with one capture of this text. */
enum status shelf_try(uint8_t byte, const char *capture, struct error *error);
void shelf_keep(uint8_t byte, const char *capture);

#endif
