/* SPDX-License-Identifier: MIT */
/* A line of text per request to a debug module, or per run of requests to one register. */
#ifndef ACQUIRE_RISCV_DTM_TRACE_H
#define ACQUIRE_RISCV_DTM_TRACE_H

#include "acquire/riscv/dtm.h"

/* Traces steps that were made together. ack: how they ended. */
void dtm_trace_steps(const struct dtm *dtm, const struct jtag_step *steps, size_t count, enum dap_ack ack);

#endif
