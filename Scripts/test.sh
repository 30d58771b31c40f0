#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests, with the command that the README names.
set -euo pipefail
cd "$(dirname "$0")/.."

command=(swift test)
grep -qxF "${command[*]}" README.md || {
  echo "the README doesn't name the test command: ${command[*]}" >&2
  exit 1
}
# Without the first, a thousand tests run at the same time, and each waits for minutes between two of its steps. Swift
# before 6.3 doesn't know it: there patience has to do.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}
export RACEFREEFUTURE_PATIENCE=${RACEFREEFUTURE_PATIENCE:-5}
exec Scripts/limit.sh 10 "${command[@]}"
