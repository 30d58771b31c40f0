# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Each is a script of the same name in Scripts, and runs alone from any directory. Two run at a time, in this order.
FIRST = lint readme
CHECKS = build linkage api examples test specification shards snippets docs asan tables tsan benchmarks bench-check walks
OTHERS = check quick integrations platforms stress soak growth field foreign bugs mutants

SHELL = bash
.PHONY: help checks $(FIRST) $(CHECKS) $(OTHERS)

help:
	@for check in $(OTHERS) $(FIRST) $(CHECKS); do \
	  printf 'make %-13s ' $$check; sed -n '5{s/^# //p;q;}' Scripts/$$check.sh; done

checks: $(FIRST) $(CHECKS)

$(CHECKS): | $(FIRST)
# These share a folder with what was compiled; asan and tsan compile the library there for themselves.
test shards snippets docs specification asan tsan: | build
# All of them go in two lanes beside each other: make would begin late what has had to wait once. What uses the folder of
# the tests takes longest, and comes first also where both need a processor; what the other lane has left then goes in both.
ifeq ($(MAKECMDGOALS),checks)
shards: | test
snippets: | shards
asan: | snippets docs
tsan: | asan
walks: | tsan
OTHER_LANE = linkage api examples specification docs benchmarks bench-check tables
$(OTHER_LANE): AFTER = nice -n 5
api: | linkage
examples: | api
specification: | examples
docs: | specification
benchmarks: | docs
bench-check tables: | benchmarks
endif

$(FIRST) $(CHECKS):
	@echo "=== $@"; SECONDS=0; TIMEFORMAT='%0U and %0S'; exec 3>&1 4>&2; \
	  used=$$({ time $(AFTER) Scripts/$@.sh < /dev/null >&3 2>&4; } 2>&1) && \
	  echo "=== $@ passed after $$SECONDS s; the processors' time: $$used s"

check integrations platforms field foreign growth bugs:
	@Scripts/$@.sh

# make quick ONLY=Deadline, make mutants ONLY=Stage
quick mutants:
	@Scripts/$@.sh $(if $(ONLY),"$(ONLY)")

# make stress N=1000, make soak N=10
stress soak:
	@Scripts/$@.sh $(N)
