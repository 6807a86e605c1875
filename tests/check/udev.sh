#!/bin/bash
# SPDX-License-Identifier: MIT
# udev.sh RULES SOURCE...: the rules are such as udev takes, by its grammar (udev(7)), and name each device that the
# tables of the sources do.
set -u
rules=$1
shift

key='(ACTION|SUBSYSTEM|ENV\{[A-Z]+\}|ATTR\{[A-Za-z]+\}|MODE|GROUP|TAG|GOTO|LABEL)'
wrong=$(grep -vnE "^(#.*)?$|^$key(==|!=|\+=|=)\"[^\"]*\"(, $key(==|!=|\+=|=)\"[^\"]*\")*$" "$rules")
lost=$(comm -3 <(grep -oP 'GOTO="\K[^"]+' "$rules" | sort -u) <(grep -oP 'LABEL="\K[^"]+' "$rules" | sort -u))
if [[ -z $wrong && -z $lost ]]; then
	echo "ok the rules are in udev's grammar"
else
	echo "not ok the rules are in udev's grammar: not so: $wrong $lost"
fi

known=$(grep -ohP '\.vendor = 0x\K[0-9a-f]{4}, \.product = 0x[0-9a-f]{4}' "$@" | sed 's/, .*0x/:/' | sort -u)
ruled=$(sed -nE 's/^ATTR\{idVendor\}=="(....)", ATTR\{idProduct\}=="(....)", MODE="0660", GROUP="plugdev", TAG\+="uaccess"$/\1:\2/p' \
	"$rules" | sort -u)
if [[ -n $known && $known == "$ruled" ]]; then
	echo "ok the rules name the devices that are known"
else
	printf 'not ok the rules name the devices that are known: only here or there:\n%s\n' "$(comm -3 <(echo "$known") <(echo "$ruled"))"
fi
