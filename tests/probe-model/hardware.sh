#!/bin/bash
# SPDX-License-Identifier: MIT
# hardware.sh UMOCKDEV FOLDER TOOL: tests/hardware/run.sh with models in place of probe and board: it passes, and fails if they do.
source tests/probe-model/support.sh
export BAREPROF=$tool
checks=(tests/hardware/run.sh cmsis-dap "$MODEL_ELF")

run probe --packet 512 pcs=0x8c,6180 -- "${checks[@]}" && grep -q '^15 passed, 0 failed: cmsis-dap$' "$output"
verdict $? "all checks pass" "they do not"
run probe --packet 512 -- "${checks[@]}" --transport=jtag && grep -q '^14 passed, 0 failed: cmsis-dap --transport=jtag$' "$output" &&
	grep -q '^none    sample: .*DWT_PCSR' "$output"
verdict $? "a core that cannot be sampled is not a failure" "output"
run probe --packet 512 unplug=3000 -- "${checks[@]}"
[[ $? == 1 ]] && grep -q '^FAILED  .*the target does not answer' "$output"
verdict $? "a target that falls silent fails checks" "output"
run tests/hardware/run.sh
[[ $? == 2 ]]
verdict $? "without arguments it prints its usage" "output"
