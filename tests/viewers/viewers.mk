# SPDX-License-Identifier: MIT
# Suite `viewers`: exports opened by a viewer from the npm registry, whose version and hash package-lock.json has. Without npm, or
# without the registry, a line says that the suite was skipped.
build/viewers/installed: tests/check/npm.sh $(addprefix tests/viewers/,package.json package-lock.json)
	$(call say,GET,speedscope)
	$Q$< $(@D) $(filter-out $<,$^)

RESULTS_viewers := build/results/viewers/speedscope
build/results/viewers/speedscope: build/viewers/installed $(EXPORTS)/captures build/bareprof tests/viewers/viewers.sh \
		tests/exports/judge.py always
	@$(RECORD) $@ bash tests/viewers/viewers.sh $(<D) build/bareprof $(EXPORTS)
