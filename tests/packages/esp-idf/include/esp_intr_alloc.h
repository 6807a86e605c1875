/* SPDX-License-Identifier: MIT */
/* ESP-IDF's declarations, as far as the example uses them. */
#include <stddef.h>

#define ETS_SYSTIMER_TARGET1_INTR_SOURCE 38
#define ESP_INTR_FLAG_LEVEL3             (1 << 3)

int esp_intr_alloc(int source, int flags, void (*handler)(void *), void *argument, void **handle);
