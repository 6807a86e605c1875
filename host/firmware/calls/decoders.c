/* SPDX-License-Identifier: MIT */
/* The table of decoders. */
#include "firmware/calls/decoder.h"

extern const struct decoder decoder_riscv;
extern const struct decoder decoder_thumb;

static const struct decoder *const decoders[] = {
        &decoder_riscv,
        &decoder_thumb,
};

const struct decoder *decoder_of(const struct image *image)
{
	for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
		if (decoders[i]->machine == image->machine)
			return decoders[i];
	return NULL;
}
