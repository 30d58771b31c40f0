# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Each is a script of the same name in Scripts, and runs alone from any directory. All of them run in three lanes, in this
# order, which are about equally long.
FIRST = lint readme
LANE1 = build docs shards snippets asan tsan walks
LANE2 = test graphs linkage api examples
LANE3 = specification benchmarks bench-check tables
CHECKS = $(LANE1) $(LANE2) $(LANE3)
OTHERS = check quick integrations platforms stress soak growth field foreign bugs mutants

SHELL = bash
.PHONY: help checks $(FIRST) $(CHECKS) $(OTHERS)

help:
	@for check in $(OTHERS) $(FIRST) $(CHECKS); do \
	  printf 'make %-13s ' $$check; sed -n '5{s/^# //p;q;}' Scripts/$$check.sh; done

checks: $(FIRST) $(CHECKS)

$(CHECKS): | $(FIRST)
# These use what was compiled. The tests run from a copy: asan and tsan compile the library anew in the folder of the tests.
docs shards snippets asan tsan test graphs: | build
graphs: | specification
# make would begin late what has had to wait once, so each waits for the one before.
ifeq ($(MAKECMDGOALS),checks)
shards: | docs
snippets: | shards
asan: | snippets
tsan: | asan
walks: | tsan
graphs: | test
linkage: | graphs
api: | linkage
examples: | api
benchmarks: | specification
bench-check: | benchmarks
tables: | bench-check
endif

$(FIRST) $(CHECKS):
	@echo "=== $@"; SECONDS=0; TIMEFORMAT='%0U and %0S'; exec 3>&1 4>&2; \
	  used=$$({ time Scripts/$@.sh < /dev/null >&3 2>&4; } 2>&1) && \
	  echo "=== $@ passed after $$SECONDS s; the processors' time: $$used s"

check integrations platforms field foreign growth bugs:
	@Scripts/$@.sh

# make quick ONLY=Deadline, make mutants ONLY=Stage
quick mutants:
	@Scripts/$@.sh $(if $(ONLY),"$(ONLY)")

# make stress N=1000, make soak N=10
stress soak:
	@Scripts/$@.sh $(N)
