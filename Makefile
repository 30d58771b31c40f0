# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Each is a script of the same name in Scripts, and runs alone from any directory. The quick ones come first, and then two
# groups beside each other, in this order.
FIRST = lint readme
ONE = build test linkage api snippets docs specification benchmarks bench-check
OTHER = tsan asan examples
CHECKS = $(FIRST) $(ONE) $(OTHER)

.PHONY: help check quick $(CHECKS) integrations platforms stress soak growth field mutants

help:
	@echo "make check         everything that CI runs"
	@for check in quick $(CHECKS) integrations platforms stress soak growth field mutants; do \
	  printf 'make %-13s ' $$check; sed -n '5{s/^# //p;q;}' Scripts/$$check.sh; done

check:
	@Scripts/check.sh $(FIRST) : $(ONE) : $(OTHER)

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

# make mutants ONLY=Stage
mutants:
	@Scripts/mutants.sh $(ONLY)

# make growth UPDATE=1
growth:
	@Scripts/growth.sh
