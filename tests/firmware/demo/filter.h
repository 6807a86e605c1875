/* SPDX-License-Identifier: MIT */
/* Fixed-point smoothing of a window of measurements. */
#ifndef FIRMWARE_DEMO_FILTER_H
#define FIRMWARE_DEMO_FILTER_H

#include <stddef.h>
#include <stdint.h>

#define FILTER_WINDOW 96

/* Low-pass (two biquads), then a finite smoother over the filtered values, in place. */
void filter_window(int16_t values[FILTER_WINDOW]);

#endif
