/* SPDX-License-Identifier: MIT */
/* An empty core.h: the console needs nothing of it. */
#ifndef UNIT_BOARDS_CORE_H
#define UNIT_BOARDS_CORE_H

#endif
