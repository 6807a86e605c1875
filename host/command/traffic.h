/* SPDX-License-Identifier: MIT */
/* The line that tells what a pull took of the wire, if that was counted. Private to command/. */
#ifndef COMMAND_TRAFFIC_H
#define COMMAND_TRAFFIC_H

#include "target/backend/target.h"

#include <stdio.h>

void traffic_print(FILE *stream, const struct target_traffic *traffic);

#endif
