/* SPDX-License-Identifier: MIT */
/* The summary of traffic between host and target, if it was counted. Private to command/. */
#ifndef COMMAND_TRAFFIC_H
#define COMMAND_TRAFFIC_H

#include "acquire/target/target.h"

#include <stdio.h>

void traffic_print(FILE *stream, const struct target_traffic *traffic);

#endif
