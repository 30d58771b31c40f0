#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the tests in which threads meet under ThreadSanitizer.
#
# A data race fails the run, also if every test passed. RFF_TSAN makes the package's lock known to the sanitizer,
# which can't see into `Mutex`. The back-tracer is off, because in a program that is stopped on purpose (an exit test)
# it collides with the sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/sanitized.sh

export SWIFT_BACKTRACE=enable=no
# A task that is resumed before it has got as far as to wait passes by the runtime's own flag, which the sanitizer can't
# see: what it does next looks like a race with the thread that resumed it. Only this step of the wait is left out.
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
echo 'race:withUnsafeContinuation*TY0_' > "$suppressions"
export TSAN_OPTIONS="second_deadlock_stack=1 suppressions=$suppressions ${TSAN_OPTIONS:-}"
# The sanitizer is slow: a tenth of the rounds, unless told otherwise.
export RACEFREEFUTURE_ITERATIONS=${RACEFREEFUTURE_ITERATIONS:-0.1}
# Without the tests that are left out anyway, and with the lines that a report names, but no variables.
export RACEFREEFUTURE_TSAN=1
Scripts/shared/run-tests.sh 40 --sanitize=thread --scratch-path .build-tsan \
  -Xswiftc -DRFF_TSAN -Xswiftc -gline-tables-only "${sanitized[@]}"
