/* SPDX-License-Identifier: MIT */
/* A folder for each test, with a baseline in FOLDER/kept, a firmware and captures. */
#ifndef UNIT_DIFF_BASELINE_SHELF_H
#define UNIT_DIFF_BASELINE_SHELF_H

#include "diff/baseline/baseline.h"

#define SHELF_ID_SIZE 20

/* Set up and tear down a test: the folder is empty, without FOLDER/kept. */
int shelf_open(void **state);
int shelf_close(void **state);

/* FOLDER/NAME; the last eight answers are valid. */
const char *shelf_path(const char *name);
const char *shelf_baseline(void);

void shelf_write(const char *name, const char *text);
void shelf_expect(const char *name, const char *text);
/* The number of entries of a folder. */
size_t shelf_count(const char *name);

/* A firmware of FOLDER/fw.elf, written with this text, whose build-id is SHELF_ID_SIZE times the byte. */
struct image *shelf_image(uint8_t byte, const char *text);
/* The digits of that build-id; valid until the next call. */
const char *shelf_id(uint8_t byte);

/* Keeps a firmware with one capture of this text; the test fails if that fails. */
void shelf_keep_image(const struct image *firmware, const char *capture);
void shelf_keep(uint8_t byte, const char *capture);
/* The test fails unless that fails, with a message that contains this one. */
void shelf_refuse(uint8_t byte, const char *capture, const char *message);

#endif
