/* SPDX-License-Identifier: MIT */
#include "Arduino.h"

int main(void)
{
	setup();
	for (;;)
		loop();
}
