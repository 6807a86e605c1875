/* SPDX-License-Identifier: MIT */
/* Names of the states of a recorder. */
#include "capture/capture.h"

#include <bareprof/block.h>

static const struct {
	const char *name;
	bool is_clearing;
} states[] = {
        [BAREPROF_STATE_RUNNING] = {"running", false},
        [BAREPROF_STATE_ARMED] = {"armed", false},
        [BAREPROF_STATE_STOPPED] = {"stopped", false},
        [BAREPROF_STATE_CLEARING_TO_RUN] = {"being reset, then running", true},
        [BAREPROF_STATE_CLEARING_TO_ARM] = {"being reset, then armed", true},
        [BAREPROF_STATE_CLEARING_TO_STOP] = {"being reset, then stopped", true},
};

bool capture_state_is_valid(uint32_t state)
{
	return state < sizeof states / sizeof *states && states[state].name != NULL;
}

const char *capture_state_name(uint32_t state)
{
	return capture_state_is_valid(state) ? states[state].name : "not valid";
}

bool capture_state_is_clearing(uint32_t state)
{
	return capture_state_is_valid(state) && states[state].is_clearing;
}
