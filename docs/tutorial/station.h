/* SPDX-License-Identifier: MIT */
/* The parts of the sensor station, the example firmware of docs/TUTORIAL.md. */
#ifndef TUTORIAL_STATION_H
#define TUTORIAL_STATION_H

#include <stdint.h>

#define CHANNELS 8u

/* settings.c: the value of a setting: settings_get("gain", 3) returns the value of "gain.3". */
int32_t settings_get(const char *name, unsigned index);

/* sensors.c: one raw measurement of each channel. */
void sensors_read(int32_t raw[CHANNELS]);

/* calibrate.c: converts a raw measurement to millivolts. */
int32_t calibrate(unsigned channel, int32_t raw);

/* filter.c: the value, smoothed over the last 32 of its channel. */
int32_t filter_smooth(unsigned channel, int32_t value);

/* packet.c: sends the values over the radio, with a checksum. */
void packet_send(const int32_t values[CHANNELS]);

/* profiling.c: starts the profile. */
void profiling_start(void);

#endif
