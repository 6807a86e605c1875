#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls in the profile are those that the firmware counted itself, whatever compiler, language and options it and the
# library were compiled with.
source tests/target/support.sh
run_counting_calls
exit $((failures != 0))
