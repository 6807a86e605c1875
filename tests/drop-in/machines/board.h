/* SPDX-License-Identifier: MIT */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

int main(void);
void say(const char *text);

#endif
