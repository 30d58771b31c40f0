# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# In this order, the quick ones first. Each is a script of the same name in Scripts, and runs alone from any directory.
CHECKS = lint readme build test linkage api snippets docs specification examples tsan asan benchmarks bench-check

.PHONY: help check quick $(CHECKS) integrations platforms stress soak field

help:
	@echo "make check         everything that CI runs"
	@for check in quick $(CHECKS) integrations platforms stress soak field; do \
	  printf 'make %-13s ' $$check; sed -n '5{s/^# //p;q;}' Scripts/$$check.sh; done

check:
	@Scripts/check.sh $(CHECKS)

$(CHECKS):
	@Scripts/$@.sh

# make quick ONLY=Deadline
quick:
	@Scripts/quick.sh $(ONLY)

# make stress N=1000
stress:
	@Scripts/stress.sh $(N)

# make soak N=10
soak:
	@Scripts/soak.sh $(N)

integrations:
	@Scripts/integrations.sh

platforms:
	@Scripts/platforms.sh

field:
	@Scripts/field.sh
