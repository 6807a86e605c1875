/* SPDX-License-Identifier: MIT */
/* Debug servers for tests: real ones in processes of their own, and speakers that misbehave. */
#ifndef UNIT_ACQUIRE_BACKEND_SERVER_H
#define UNIT_ACQUIRE_BACKEND_SERVER_H

#include "acquire/target/target.h"
#include "speaker.h"

#include <sys/types.h>

/* Milliseconds: less than a hang, and enough for a sanitizer on a busy machine. */
#define SERVER_LATEST 60000

/* A TCP port of this machine that was free a moment ago. */
unsigned server_free_port(void);
/* Runs a program without output until server_stop(), or until the test ends. arguments end with NULL. */
pid_t server_start(const char *const *arguments);
void server_stop(pid_t process);
/* Opens a source, waiting until its server has started. Fails the test if it does not. */
struct target *server_await(const char *source);
void server_close(struct target *target);

/* Builds counter.S, and reads its counter. */
void server_build_counter(const char *elf);
uint32_t server_read_counter(struct target *target);

/* Checks that cancelling ends a run of the source's target, which is lost afterwards. */
void server_check_cancelling(const char *source);
/* Reads 16 bytes from a speaker in time; the error is empty if they were read. */
void server_read_from(struct speaker *speaker, const char *scheme, uint8_t bytes[16], struct error *error);

#endif
