#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the tests in which threads meet under ThreadSanitizer.
#
# A data race fails the run, also if every test passed. RFF_TSAN makes the package's lock known to the sanitizer,
# which can't see into `Mutex`.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/sanitized.sh

# A task that is resumed before it has got as far as to wait passes by the runtime's own flag, which the sanitizer can't
# see: what it does next looks like a race with the thread that resumed it. Only this step of the wait is left out.
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
echo 'race:withUnsafeContinuation*TY0_' > "$suppressions"
# A process, such as that of an exit test, needn't wait a second at its end for what other threads do.
export TSAN_OPTIONS="second_deadlock_stack=1 atexit_sleep_ms=0 suppressions=$suppressions ${TSAN_OPTIONS:-}"
sanitize thread
