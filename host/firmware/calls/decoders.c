/* SPDX-License-Identifier: MIT */
/* The table of decoders. */
#include "firmware/calls/decoder.h"

extern const struct decoder decoder_riscv;
extern const struct decoder decoder_thumb;
extern const struct decoder decoder_x86;
extern const struct decoder decoder_x86_64;

static const struct decoder *const decoders[] = {
        &decoder_riscv,
        &decoder_thumb,
        &decoder_x86,
        &decoder_x86_64,
};

const struct decoder *decoder_of(const struct image *image)
{
	for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
		if (decoders[i]->machine == image->machine)
			return decoders[i];
	return NULL;
}
