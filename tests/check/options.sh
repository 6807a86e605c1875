#!/bin/bash
# SPDX-License-Identifier: MIT
# options.sh: only host/command/ and host/main.c name options of the command line. Other folders report a reason or a hint
# (host/base/hint.h), which the command words.
set -eu
cd "$(dirname "$0")/../.."
# Rows of tables for getopt_long() begin with the name, rows of struct command_option with a letter.
names=$(grep -rhoE "^ *\{('[^']+', )?\"[a-z-]+\", *(no_argument|required_argument|NULL|\")" host/command |
	sed 's/^[^"]*"//; s/".*//' | sort -u | paste -sd '|')
if [ -z "$names" ]; then
	echo "not ok option names: none found in host/command/"
elif found=$(grep -rnE "\"[^\"]*--($names)([^a-z-]|$)" host --include='*.[ch]' | grep -v '^host/command/\|^host/main\.c'); then
	echo "not ok option names: named outside host/command/"
	echo "$found"
else
	echo "ok option names"
fi
