/* SPDX-License-Identifier: MIT */
/* A core of which nothing is needed. */
#ifndef BOARDS_CORE_H
#define BOARDS_CORE_H

#endif
