#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the race tests for long, in release: stress.sh [<times the usual rounds>], by default 100.
#
# Not a part of `make check`. RACEFREEFUTURE_SEED repeats the random numbers of an earlier run.
set -euo pipefail
cd "$(dirname "$0")/.."

# The suites of these two folders.
suites=$(grep -rhoE '@Suite.* struct [A-Za-z0-9]+' Tests/RaceFreeFutureTests/{Races,ReferenceModel} |
  awk '{ print $NF }' | paste -s -d '|' -)
export RACEFREEFUTURE_ITERATIONS=${1:-100}
exec swift test -c release --disable-xctest --scratch-path .build-stress -Xswiftc -enable-testing \
  --no-parallel --filter "$suites"
