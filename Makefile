# SPDX-License-Identifier: MIT
# The index of what can be built, run and checked: `make help` prints it. File lists and rules are in the .mk files of
# the folders. Everything is built under build/.

VERSION := 0.1.0

# Seconds that each fuzz target runs: for `make fuzz`, and for each of the two starts within `make check-all`.
SECONDS ?= 60
FUZZ_SECONDS ?= 5

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# Recipes print the file they make; V=1 prints their commands.
Q := $(if $(V),,@)
say = $(if $(V),,$(info $()  $1	$2))

.PHONY: all help
all: build/bareprof ## Build the host tool, build/bareprof

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(filter Makefile %.mk,$(MAKEFILE_LIST))
	@echo "  make check-SUITE        Run one suite: $(ALL_SUITES)"
	@echo "V=1 shows the commands."

# The suites that the checks run, those with the longest checks first, so that no core waits for another at the end. Suites
# that take minutes, or download a kernel or sources, run in `make check-all` only.
ALL_SUITES := stress times simulations real linux-vm probe-modes shadows emulated porting drop-in packages unwind browser diff oracle \
	tutorial top probe-model rp2040js viewers install sanitize lint fuzz unit golden calls channel usb exports gprof help \
	push budgets pictures clang format layers
SLOW_SUITES := sanitize fuzz lint times simulations install stress linux-vm real rp2040js viewers probe-modes shadows
SUITES ?= $(filter-out $(SLOW_SUITES),$(ALL_SUITES))
EXPECTED := build/results/expected

# Goals that install what is missing and then run another make, or only a script. They need no rules, and what the rules
# ask the computer may change when packages are installed.
OUTER := check check-all $(ALL_SUITES:%=check-%) fuzz oracle simulate demo pictures bench size size-accept golden-accept \
	deps lines words format clean
ifneq ($(filter-out $(OUTER),$(or $(MAKECMDGOALS),all)),)
include target/target.mk host/host.mk package/package.mk boards/boards.mk docs/pictures.mk tests/tests.mk
endif

# A goal that starts another make must not run at the same time as goals that build the same files. Such goals run one
# after the other, and the inner make uses all jobs.
ALONE := $(OUTER) check-% run bench-relink $(INSTALL_GOALS)
ifneq ($(filter $(ALONE),$(MAKECMDGOALS)),)
ifneq ($(words $(MAKECMDGOALS)),1)
.NOTPARALLEL:
endif
endif

.PHONY: $(OUTER) run suite-times
deps: ## Install the Debian packages that are missing; NO_INSTALL=1 only lists them
	@tests/check/deps.sh

# The jobs of this make, or one more than processors: many tests wait for an emulator.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell echo $$(($$(nproc) + 1))))
SUBMAKE = $(MAKE) --no-print-directory $(JOBS)
# Not empty with `make -n`, which only prints the commands of the inner make.
DRY_RUN = $(findstring n,$(firstword -$(MAKEFLAGS)))

refuse_suites = $(if $1,echo "there is no suite $1; there are $(ALL_SUITES)" >&2; exit 2)

check: ## Run every suite except the slow ones; the last line is `N passed, N failed`
check-all: SUITES := $(ALL_SUITES) ## Run every suite, including the slow ones
$(ALL_SUITES:%=check-%): SUITES = $(@:check-%=%)
fuzz: SUITES := fuzz ## Fuzz every decoder for SECONDS=60 from its seeds and as long from nothing
fuzz: FUZZ_SECONDS := $(SECONDS)
check check-all $(ALL_SUITES:%=check-%) fuzz:
	@$(call refuse_suites,$(filter-out $(ALL_SUITES),$(SUITES)))
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) -k suites SUITES='$(SUITES)' FUZZ_SECONDS=$(FUZZ_SECONDS)$(if $(DRY_RUN),,; tests/check/summary.sh $(EXPECTED) $$?)

suite-times: ## Print the seconds that each suite took when it last ran
	@{ $(foreach suite,$(ALL_SUITES),printf '$(suite) %s\n' $(RESULTS_$(suite));) } | tests/check/times.sh

check-%:
	@$(call refuse_suites,$*)

golden-accept: ## Record what the golden tests print now; read it with git diff
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) accept

oracle: ## Compare N=5000 random profiles of SEED=1 with what GNU gprof prints
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) compare-profiles

simulate: ## Compare N=5000 pairs of captures drawn at random, for each row of the tables of docs/DIFF.md
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) print-simulations

DEMO_BOARD := mps2-an385
DEMO_ELF := build/firmware/$(DEMO_BOARD)/demo.elf

BENCH_BOARDS := microbit mps2-an385 qemu-virt-rv32 qemu-virt-rv64

.PHONY: prepare-demo prepare-bench
prepare-demo: build/bareprof $(DEMO_ELF)
	@:
prepare-bench: prepare-demo build/qemu/count.so $(GPROF_BENCH) $(CHANNEL_BENCH) $(SWD_BENCH) $(UNWIND_BENCH) build/page/input/large.bprof $(BENCH_BOARDS:%=build/firmware/%/demo+ROUNDS-200.elf)
	@:

demo: ## Profile a firmware on an emulated Cortex-M3 and print its report
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) prepare-demo
	tests/qemu/run.sh --until "demo: done" $(DEMO_BOARD) $(DEMO_ELF) \
		build/bareprof pull "gdb:127.0.0.1:{port}" -e $(DEMO_ELF) -o build/demo.bprof
	build/bareprof report $(DEMO_ELF) build/demo.bprof
	@printf '\nThe capture is build/demo.bprof. For its source lines, and a page to explore it in a browser:\n'
	@printf '  build/bareprof %s %s build/demo.bprof\n' annotate $(DEMO_ELF) 'report --html=build/demo.html' $(DEMO_ELF)

pictures: ## Draw the pictures of README.md and docs/
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) copy-pictures

RUN_ELF := build/firmware/$(BOARD)/$(FIRMWARE).elf
RUN_CAPTURE := $(RUN_ELF:.elf=.bprof)

.PHONY: prepare-run
prepare-run: build/bareprof $(RUN_ELF)
	@:

run: ## Profile FIRMWARE=demo in QEMU over the UART of BOARD=mps2-an385, its console on the terminal
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) prepare-run
ifeq ($(BOARD_QEMU_$(BOARD)),)
	@echo "Nothing was run: board $(BOARD) has no emulator. Flash $(RUN_ELF) (boards/README.md), connect the serial port and type"
	@echo "  build/bareprof devices"
	@echo "  build/bareprof pull uart:DEVICE --console -e $(RUN_ELF) -o $(RUN_CAPTURE)"
	@echo "  build/bareprof report $(RUN_ELF) $(RUN_CAPTURE)"
else
	tests/qemu/run.sh --serial tcp $(BOARD) $(RUN_ELF) \
		build/bareprof pull "tcp:{serial},timeout=60" --console -e $(RUN_ELF) -o $(RUN_CAPTURE)
	build/bareprof report $(RUN_ELF) $(RUN_CAPTURE)
endif

size: ## Measure text, RAM and stack of the target library, against baseline and budgets
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) print-sizes

size-accept: ## Record the sizes that `make size` prints as the baseline; read them with git diff
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) accept-sizes

bench: ## Measure time, instructions, probes, sizes, lines and wires; fails where a budget is exceeded
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) prepare-bench
	@set -e; for script in $(sort $(wildcard tests/bench/*.sh)); do bash $$script; done
	+@$(SUBMAKE) print-budgets

lines: ## Count lines of C without comments and blanks; REF=COMMIT compares
	@tests/check/lines.sh $(REF)

words: ## List phrases that tests/check/words.txt rejects, in PATHS if given
	@tests/check/words.sh $(PATHS)

format: ## Format every C file
	@tests/check/format.sh write

clean: ## Remove everything that was built
	rm -rf build
