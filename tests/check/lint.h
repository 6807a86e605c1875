/* SPDX-License-Identifier: MIT */
/* Included before host sources while they are linted, never when they are compiled: the analyser looks at one file at a
 * time and could not know otherwise that these never return STATUS_OK. */
#include "base/status.h"
#include "command/command.h"

#define status_fail(...)   ((void)status_fail(__VA_ARGS__), STATUS_FAILED)
#define status_usage(...)  ((void)status_usage(__VA_ARGS__), STATUS_USAGE)
#define command_usage(...) ((void)command_usage(__VA_ARGS__), STATUS_USAGE)
