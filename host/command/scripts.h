/* SPDX-License-Identifier: MIT */
/* The files of scripts/ as the build embeds them (host/embed.awk). Private to command/. */
#ifndef COMMAND_SCRIPTS_H
#define COMMAND_SCRIPTS_H

/* NULL-terminated arrays of lines. */
extern const char *const completion_bash[], *const completion_zsh[], *const completion_fish[];

#endif
