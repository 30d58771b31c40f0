#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests within so many minutes, and says only what failed: run-tests.sh <minutes> <option of swift test> ...
#
# A hanging test doesn't end by itself, and a killed `swift test` leaves its test process behind; an interrupt is handed
# on to that process. When the time is up this names the tests that had begun and not ended.
set -euo pipefail
cd "$(dirname "$0")/../.."

minutes=$1
shift
events=$(mktemp)
trap 'rm -f "$events"' EXIT
status=0
timeout --foreground --signal=INT --kill-after=30 "${minutes}m" swift test --quiet --disable-xctest --event-stream-output-path "$events" "$@" || status=$?
if ((status == 124)); then
  echo "error: $minutes minutes were not enough; begun and not ended:" >&2
  sed -nE 's/.*"kind":"testCase(Started|Ended)".*"testID":"([^"]*)".*/\1 \2/p' "$events" |
    awk '{ test = substr($0, index($0, " ") + 1); open[test] += $1 == "Started" ? 1 : -1 }
      END { for (test in open) if (open[test] > 0) print "  " test }' >&2
fi
exit "$status"
