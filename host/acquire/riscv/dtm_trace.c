/* SPDX-License-Identifier: MIT */
/* See dtm_trace.h. */
#include "acquire/riscv/dtm_trace.h"

#include "acquire/dap/trace.h"
#include "acquire/riscv/registers.h"

#include <inttypes.h>
#include <stdio.h>

/* More words are usually memory. */
#define WORDS_SHOWN 4

static unsigned step_address(const struct jtag_step *step)
{
	return (unsigned)(step->bits >> DTM_ADDRESS_SHIFT);
}

static void format_module_register(unsigned address, char *text, size_t size)
{
	static const char *const names[0x40] = {
	        [DM_DATA0] = "data0",
	        [DM_DATA0 + 1] = "data1",
	        [DM_DATA0 + 2] = "data2",
	        [DM_DATA0 + 3] = "data3",
	        [DM_CONTROL] = "dmcontrol",
	        [DM_STATUS] = "dmstatus",
	        [DM_ABSTRACTCS] = "abstractcs",
	        [DM_COMMAND] = "command",
	        [DM_ABSTRACTAUTO] = "abstractauto",
	        [DM_PROGBUF0] = "progbuf0",
	        [DM_PROGBUF0 + 1] = "progbuf1",
	        [DM_PROGBUF0 + 2] = "progbuf2",
	        [DM_SBCS] = "sbcs",
	        [DM_SBADDRESS0] = "sbaddress0",
	        [DM_SBADDRESS1] = "sbaddress1",
	        [DM_SBDATA0] = "sbdata0",
	};

	if (address < sizeof names / sizeof names[0] && names[address] != NULL)
		snprintf(text, size, "%s", names[address]);
	else
		snprintf(text, size, "0x%02x", address);
}

static void trace_row(const struct dtm *dtm, const struct jtag_step *steps, size_t count, enum dap_ack ack)
{
	char name[16], words[WORDS_SHOWN * sizeof " 0x01234567"] = "", line[128];
	const bool is_read = steps->destination != NULL;
	size_t length = 0;

	format_module_register(step_address(steps), name, sizeof name);
	for (size_t i = 0; i < count && count <= WORDS_SHOWN && (!is_read || ack == DAP_OK); i++)
		length +=
		        (size_t)snprintf(words + length, sizeof words - length, " 0x%08" PRIX32,
		                         is_read ? *steps[i].destination : (uint32_t)(steps[i].bits >> DTM_DATA_SHIFT));
	if (length == 0)
		snprintf(words, sizeof words, " x %zu", count);
	snprintf(line, sizeof line, "%-12s %-5s%-19s : %s", name, is_read ? "read" : "write", words,
	         trace_ack_name(ack));
	dtm->observer->trace(dtm->observer->context, line);
}

void dtm_trace_steps(const struct dtm *dtm, const struct jtag_step *steps, size_t count, enum dap_ack ack)
{
	size_t end;

	for (size_t i = 0; dtm->observer->trace != NULL && i < count; i = end) {
		for (end = i + 1; end < count && step_address(&steps[end]) == step_address(&steps[i]) &&
		                  (steps[end].destination == NULL) == (steps[i].destination == NULL);)
			end++;
		trace_row(dtm, steps + i, end - i, ack);
	}
}
