#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Puts the faults of mutants.txt into a copy of the sources, one at a time, and lists those that no test notices.
#
# mutants.sh [<pattern>]: all, or those whose file or sentence matches. The table goes to .build-reports/mutants.md, once
# each fault has been put in: with a pattern, the other results are those of the last run. It builds once: each fault is
# behind a switch that is read from the environment. Not a part of `make check`: some twenty minutes on two idle cores.
# Fails if a fault is noticed by nothing, or by a time limit alone, and its entry doesn't say why.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-mutants/package
record=.build-mutants/results
python3 Scripts/shared/mutants.py copy Scripts/shared/mutants.txt "$copy"
swift build --build-tests --quiet --package-path "$copy"
program=$(swift build --show-bin-path --package-path "$copy")/RaceFreeFuturePackageTests.xctest

(($# > 0)) || rm -f "$record"
status=0
page=$(python3 Scripts/shared/mutants.py run Scripts/shared/mutants.txt "$program" "$record" "$@") || status=$?
if [[ $page == "| killed "* && $page != *"not run"* ]]; then
  mkdir -p .build-reports
  echo "$page" > .build-reports/mutants.md
fi
exit "$status"
