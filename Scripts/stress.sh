#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the race tests for long, in release: stress.sh [<times the usual rounds>], by default 100.
#
# Not a part of `make check`. RACEFREEFUTURE_SEED repeats the random numbers of an earlier run.
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:-100}
if [[ ! $times =~ ^([0-9]{1,7}|[0-9]{0,7}\.[0-9]+)$ || ! $times =~ [1-9] ]]; then
  echo "stress.sh: how many times the usual rounds is a number greater than 0 and less than ten million, not '$times'" >&2
  exit 64
fi
# The suites of these two folders, and those elsewhere whose names say so.
suites=$({
  grep -rhoE '@Suite.* struct [A-Za-z0-9]+' Tests/RaceFreeFutureTests/{Races,ReferenceModel}
  grep -rhoE '@Suite.* struct [A-Za-z0-9]*(Stress|Races)Tests' Tests/RaceFreeFuture{,Foundation}Tests
} | awk '{ print $NF }' | sort -u | paste -s -d '|' -)
export RACEFREEFUTURE_ITERATIONS=$times
exec swift test -c release --disable-xctest --scratch-path .build-stress -Xswiftc -enable-testing \
  --no-parallel --filter "$suites"
