#!/bin/bash
# SPDX-License-Identifier: MIT
# udev.sh RULES SOURCE...: the rules follow the grammar of udev(7), and name exactly the devices in the tables of the
# sources.
set -u
rules=$1
shift

key='(ACTION|SUBSYSTEM|ENV\{[A-Z]+\}|ATTR\{[A-Za-z]+\}|MODE|GROUP|TAG|GOTO|LABEL)'
wrong=$(grep -vnE "^(#.*)?$|^$key(==|!=|\+=|=)\"[^\"]*\"(, $key(==|!=|\+=|=)\"[^\"]*\")*$" "$rules")
lost=$(comm -3 <(grep -oP 'GOTO="\K[^"]+' "$rules" | sort -u) <(grep -oP 'LABEL="\K[^"]+' "$rules" | sort -u))
if [[ -z $wrong && -z $lost ]]; then
	echo "ok the rules follow udev's grammar"
else
	echo "not ok the rules follow udev's grammar: these do not: $wrong $lost"
fi

known=$(grep -ohP '\.vendor = 0x\K[0-9a-f]{4}, \.product = 0x[0-9a-f]{4}' "$@" | sed 's/, .*0x/:/' | sort -u)
ruled=$(sed -nE 's/^ATTR\{idVendor\}=="(....)", ATTR\{idProduct\}=="(....)", MODE="0660", GROUP="plugdev", TAG\+="uaccess"$/\1:\2/p' \
	"$rules" | sort -u)
if [[ -n $known && $known == "$ruled" ]]; then
	echo "ok the rules name the known devices"
else
	printf 'not ok the rules name the known devices: in one list only:\n%s\n' "$(comm -3 <(echo "$known") <(echo "$ruled"))"
fi
