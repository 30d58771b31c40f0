#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests, with `swift test`, again and again beside four busy loops: soak.sh [<times>], by default 10.
#
# Not a part of `make check`. Nothing may fail only because the machine has other things to do. The log of a run that
# failed, or was stopped after an hour, is kept.
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:-10}
if [[ ! $times =~ ^[1-9][0-9]{0,3}$ ]]; then
  echo "soak.sh: how many runs is a number from 1 to 9999, not '$times'" >&2
  exit 64
fi

swift build --build-tests
loops=()
trap 'kill "${loops[@]}"' EXIT
for _ in 1 2 3 4; do
  while kill -0 $$ 2> /dev/null; do for ((n = 0; n < 100000; n++)); do :; done; done &
  loops+=($!)
done

failed=0
for ((run = 1; run <= times; run++)); do
  log=.build-soak/run-$run.log
  mkdir -p .build-soak
  began=$SECONDS
  if timeout --foreground --signal=INT --kill-after=30 60m swift test > "$log" 2>&1; then result=passed; else result=FAILED; fi
  echo "run $run of $times: $result after $((SECONDS - began)) s"
  if [[ $result == passed ]]; then
    rm "$log"
  else
    failed=$((failed + 1))
    grep -E '✘|error:|Fatal error|crashed' "$log" | head -n 20 || true
    echo "all of it: $log"
  fi
done
if ((failed > 0)); then
  echo "$failed of $times runs failed" >&2
  exit 1
fi
echo "$times runs of swift test in a row passed, beside four busy loops"
