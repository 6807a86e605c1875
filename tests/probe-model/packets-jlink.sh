# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The model of a J-Link, for packets.sh.

expect "it reports its version, capabilities and state" reports --version "Model 1"
expect "it selects an interface" interfaces
expect "it drives RESET and TRST" pins
expect "it sets the clock" speed
expect_count kilohertz 1000
expect_count hertz 1000000
expect "its clock is the next lower one" speed --base 12000000 --divider 1
expect_count hertz 1000000
expect "it keeps a configuration" configuration
expect "it registers a program" registration
expect_count violations 0
expect_count connected 0
expect "it moves SWDIO, and samples it at the falling edge" swd
expect "it moves the pins of JTAG" jtag
expect "it joins a command that comes in two transfers" joined
expect_count violations 0
expect "it refuses bits that do not fit into its memory" too_long --memory 512
expect_count violations 1
expect "it ignores an unknown command" unknown
expect_count violations 1
expect "it ignores a command that it lacks" unregistered --caps 0x80020a33
expect_count violations 1
expect "it loses an answer" lose --lose 2
expect "it ends an answer early" shorten --shorten 2
expect "it sends an answer that is too long" lengthen --lengthen 2
expect "it sends wrong bytes" lie --lie 2
expect "it refuses a shift" refuse --refuse 2 --code 5
expect "it stalls before an answer" stall --stall 2
expect "it stalls before a command" stall_out --stall-out 2
expect "it sends 0xff without end" flood --flood 2
expect "it falls silent" mute --mute 2
expect "it is unplugged" unplug --unplug-after 2
expect "it is slow" slow --slow 500
expect "it sends answers to an earlier program" stale --stale 3000

for kind in v8 v9 ob; do
	expect_plain "the endpoints of a J-Link $kind are described" '^ *wMaxPacketSize +0x0040 ' --kind $kind
done
expect_plain "the packets of a J-Link v11 are described" '^ *wMaxPacketSize +0x0200 ' --kind v11
