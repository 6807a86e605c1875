/* SPDX-License-Identifier: MIT */
/* What same_name.c needs. */
extern volatile int sink;
volatile int sink;
void use3(void);
void use5(void);

void start(void)
{
	for (;;) {
		use3();
		use5();
	}
}
