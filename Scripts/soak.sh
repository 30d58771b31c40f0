#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests, with `swift test`, again and again beside four busy loops: soak.sh [<times>], by default 10.
#
# Not a part of `make check`. Nothing may fail only because the machine has other things to do. The log of a run that
# failed, or was stopped after an hour, is kept in .build-soak.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests
mkdir -p .build-soak
loops=()
trap 'kill "${loops[@]}"' EXIT
for _ in 1 2 3 4; do
  yes > /dev/null &
  loops+=($!)
done

failed=0
for run in $(seq "${1:-10}"); do
  log=.build-soak/run-$run.log
  if timeout --foreground --signal=INT --kill-after=30 60m swift test > "$log" 2>&1; then
    echo "run $run passed"
    rm "$log"
  else
    echo "run $run FAILED: $log"
    grep -E '✘|error:|Fatal error|crashed' "$log" | head -n 20 || true
    failed=$((failed + 1))
  fi
done
exit $((failed > 0))
