/* SPDX-License-Identifier: MIT */
extern "C" void setup(void);
extern "C" void loop(void);
