# SPDX-License-Identifier: MIT
# What tests/bench/channel.sh runs.
CHANNEL_BENCH := build/link/proxy build/link/target build/tests/make_capture
