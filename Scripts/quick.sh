#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks form, builds what has changed, and runs the quick tests with few rounds: quick.sh [<filter>]
#
# For use while one works; `make check` runs everything. It shares its build with build.sh and test.sh. It leaves out
# stress tests, races between threads and tests that start processes, and gives the other random tests a twentieth of
# their rounds. With a filter, as in `make quick ONLY=Deadline`, it runs the tests whose names match, the slow ones too.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

Scripts/lint.sh
swift build --build-tests --quiet "${strict[@]}"
selection=(--skip 'Stress|Races|MemoryTests|[Pp]rocess')
if (($# > 0)); then selection=(--filter "$1"); fi
RACEFREEFUTURE_ITERATIONS=${RACEFREEFUTURE_ITERATIONS:-0.05} \
  Scripts/shared/run-tests.sh 5 --skip-build "${selection[@]}" "${strict[@]}"
