#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the guide's lines for using all cores run an exploration in parts, each order once.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

guide=Sources/RaceFreeFutureTesting/RaceFreeFutureTesting.docc/ExploringEveryInterleaving.md
# The lines of the block that has them.
lines=$(awk '/^```/ { if (inside && text ~ /xargs/) printf "%s", text; inside = !inside; text = ""; next } { text = text $0 "\n" }' "$guide")
lines=${lines/WalletTests/\'What several processes may share\'}
# With the tests that `make test` has compiled.
lines=${lines/--build-tests/--build-tests ${strict[*]}}
lines=${lines/--skip-build/--skip-build ${strict[*]}}
if [[ $lines != *'What several'* ]]; then
  echo "$guide: no line with xargs and WalletTests" >&2
  exit 1
fi
output=$(RACEFREEFUTURE_REPORTS=1 bash -euo pipefail -c "$lines" 2>&1) || { echo "$output" >&2; exit 1; }
counts=$(grep -oE '"shared out" passed: [0-9]+ orders of part [1-4] of 4, all' <<< "$output" | sort -u -k 8)
echo "$counts"
sum=$(awk '{ sum += $4 } END { print NR ": " sum }' <<< "$counts")
if [[ $sum != "4: 90" ]]; then
  echo "$output" >&2
  echo "4 parts with 90 orders are wanted, and there are $sum" >&2
  exit 1
fi
