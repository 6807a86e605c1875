# SPDX-License-Identifier: MIT
# Suite `top`: `bareprof top` on terminals of tmux, with firmware that runs in QEMU. NAME.py is a test; tmux.py has what they
# share. The folder of a test must be short enough for a socket.
TOP_FIRMWARE := build/firmware/mps2-an385/demo+LIVE-1.elf
TOP_OTHER := build/firmware/mps2-an385/demo+LIVE-1+O3.elf
TOP_STACKS := build/firmware/mps2-an385/demo+plain+stacks+LIVE-1.elf
TOP_NEEDS := build/bareprof tests/top/tmux.py tests/qemu/run.sh
TOP_PYTHON := env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3

RESULTS_top := $(addprefix build/results/top/,screen events batch probe stacks)
build/results/top/screen build/results/top/batch: build/results/top/%: tests/top/%.py $(TOP_FIRMWARE) $(TOP_NEEDS) always
	@rm -rf build/top/$* && mkdir -p build/top/$*
	@$(RECORD) $@ tests/qemu/run.sh --serial tcp --until 'demo: round 16' mps2-an385 $(TOP_FIRMWARE) \
		$(TOP_PYTHON) $< build/bareprof build/top/$* $(TOP_FIRMWARE)
build/results/top/events: tests/top/events.py $(TOP_FIRMWARE) $(TOP_OTHER) $(TOP_NEEDS) always
	@rm -rf build/top/events && mkdir -p build/top/events
	@$(RECORD) $@ tests/qemu/run.sh --qmp build/top/events/qmp --until 'demo: round 16' mps2-an385 $(TOP_FIRMWARE) \
		$(TOP_PYTHON) $< build/bareprof build/top/events $(TOP_FIRMWARE) $(TOP_OTHER)
build/results/top/probe: tests/top/probe.py $(TOP_NEEDS) $(MODEL_NEEDS) always
	@rm -rf build/top/probe && mkdir -p build/top/probe
	@$(RECORD) $@ tests/probe-model/firmware.sh build/top/probe build/probe-model/demo+LIVE-1.elf \
		$(TOP_PYTHON) $< build/bareprof build/top/probe build/probe-model/umockdev
build/results/top/stacks: tests/top/stacks.py $(TOP_STACKS) $(TOP_NEEDS) always
	@rm -rf build/top/stacks && mkdir -p build/top/stacks
	@$(RECORD) $@ tests/qemu/run.sh --until 'demo: round 16' mps2-an385 $(TOP_STACKS) \
		$(TOP_PYTHON) $< build/bareprof build/top/stacks $(TOP_STACKS)
