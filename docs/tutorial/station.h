/* SPDX-License-Identifier: MIT */
/* The parts of the sensor station, a small firmware to learn profiling with: docs/TUTORIAL.md. */
#ifndef TUTORIAL_STATION_H
#define TUTORIAL_STATION_H

#include <stdint.h>

#define CHANNELS 8u

/* settings.c: the number that the settings have for a name, such as "gain.3". */
int32_t settings_get(const char *name, unsigned index);

/* sensors.c: one raw measurement of each channel. */
void sensors_read(int32_t raw[CHANNELS]);

/* calibrate.c: a raw measurement in millivolts. */
int32_t calibrate(unsigned channel, int32_t raw);

/* filter.c: the value smoothed over the last measurements of its channel. */
int32_t filter_smooth(unsigned channel, int32_t value);

/* packet.c: sends the values over the radio, with a checksum. */
void packet_send(const int32_t values[CHANNELS]);

/* profiling.c: starts the profile. */
void profiling_start(void);

#endif
