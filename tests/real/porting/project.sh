#!/bin/bash
# SPDX-License-Identifier: MIT
# project.sh MACHINE FOLDER: writes the firmware of docs/PORTING.md to FOLDER, with the lines for stacks, tables for a
# large program, and PERIODS times its period.
work_of=$1
source tests/porting/support.sh

fail() {
	echo "project.sh: $*" >&2
	exit 1
}

# edit FILE SED_SCRIPT: fails if the script changes nothing, because then the page has changed.
edit() {
	cp "$1" "$1.before"
	sed -i "$2" "$1"
	! cmp -s "$1" "$1.before" || fail "$1: nothing was changed by $2"
}

project "$1" "$2"
name_stack "$2/link.ld"
edit "$2/sampling.c" 's/(64, BAREPROF_GRANULES(256, 8, 64)/(4096, BAREPROF_GRANULES(8192, 4, 64)/'
edit "$2/sampling.c" 's/^#define PERIOD [0-9]*/& * PERIODS/; s|\.rate_hz = [0-9]*|.period = 1009 * PERIODS|'
