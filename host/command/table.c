/* SPDX-License-Identifier: MIT */
/* The table of commands. */
#include "command/command.h"

#include <stddef.h>

const struct command *const command_table[] = {
        &command_pull,         &command_sample,     &command_top,  &command_devices,
        &command_report,       &command_annotate,   &command_diff, &command_info,
        &command_export,       &command_merge,      &command_push, &command_gprof,
        &command_unwind_table, &command_completion, &command_help, NULL,
};
