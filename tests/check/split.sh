#!/bin/bash
# SPDX-License-Identifier: MIT
# For tests whose functions take options for one program and words for another.

# split LEFT RIGHT WORD... -- WORD...: sets the caller's arrays of these names to the words before and after --.
split() {
	local -n left=$1 right=$2
	shift 2
	left=()
	while [[ $1 != -- ]]; do
		left+=("$1")
		shift
	done
	right=("${@:2}")
}
