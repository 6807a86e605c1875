/* SPDX-License-Identifier: MIT */
/* A core of which nothing is needed. */
#ifndef UNIT_BOARDS_CORE_H
#define UNIT_BOARDS_CORE_H

#endif
