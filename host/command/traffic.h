/* SPDX-License-Identifier: MIT */
/* The line that tells what a pull took of the wire. Private to command/. */
#ifndef COMMAND_TRAFFIC_H
#define COMMAND_TRAFFIC_H

#include "channel/client.h"

#include <stdio.h>

void traffic_print(FILE *stream, const struct client_traffic *traffic);

#endif
