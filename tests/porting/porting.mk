# SPDX-License-Identifier: MIT
# Firmware that is built by the steps of docs/PORTING.md, docs/CHANNELS.md and docs/RTOS-BUILDS.md, each in an empty
# folder.
PORTING_TESTS := $(addprefix tests/porting/,added.sh channels.sh cmake.sh mistakes.sh pkg_config.sh plain.sh rtos.sh stacks.sh tinyusb.sh)
PORTING_SUPPORT := tests/porting/support.sh
# Files that they link, install, or run.
PORTING_LIBRARIES := $(DROP_IN) build/firmware/mps2-an385/demo+LIVE-1.elf $(foreach core,arm_m-cortex-m0 arm_m-cortex-m4 arm_m-cortex-m4f arm_m-cortex-m4f+contexts arm_m-cortex-m4f+stacks arm_m-cortex-m4f+paths \
	riscv-rv32imac riscv-rv32imac+stacks riscv-rv32imac+paths,$(foreach suffix,a options,build/target/$(core)/libbareprof.$(suffix)))
