# SPDX-License-Identifier: MIT
# Suite `push`: `bareprof push` against HTTP servers of Python: NAME.sh BAREPROF FOLDER is a test. Each is run with the
# captures of FOLDER, which tests/exports/captures.sh makes; server.py is the server.
PUSH_TESTS := tests/push/sends.sh tests/push/failures.sh tests/push/fleet.sh
PUSH_NEEDS := docs/FLEET.md tests/push/server.py tests/exports/judge.py

RESULTS_push := $(PUSH_TESTS:tests/push/%.sh=build/results/push/%)
$(RESULTS_push): build/results/push/%: tests/push/%.sh $(PUSH_NEEDS) $(EXPORTS)/captures build/bareprof always
	@$(RECORD) $@ bash $< build/bareprof $(EXPORTS)

RESULTS_sanitize_push := $(PUSH_TESTS:tests/push/%.sh=build/results/sanitize/push/%)
$(RESULTS_sanitize_push): build/results/sanitize/push/%: tests/push/%.sh $(PUSH_NEEDS) $(EXPORTS_SANITIZED)/captures \
		build/sanitize/bareprof always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) bash $< build/sanitize/bareprof $(EXPORTS_SANITIZED)
RESULTS_sanitize += $(RESULTS_sanitize_push)
