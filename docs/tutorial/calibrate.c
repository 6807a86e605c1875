/* SPDX-License-Identifier: MIT */
/* Corrects the gain and offset of each sensor. */
#include "station.h"

int32_t calibrate(unsigned channel, int32_t raw)
{
	return raw * settings_get("gain", channel) / 1024 - settings_get("offset", channel);
}
