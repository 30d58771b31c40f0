#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the explorer runs no order twice, and finds the seeded bugs, and writes .build-reports/bugs.md.
#
# Not a part of `make check`: its tests assert the same. The numbers are those of the reports of these tests.
set -euo pipefail
cd "$(dirname "$0")/.."

# Of each program its title in the reports, the least orders, the orders before there was a search of races, and what it is.
programs='own actors(2)|1|14|tasks that call an actor of their own, and state that they share nothing else
own actors(3)|1|636|
own actors(4)|1|61,800|
own actors in a group(4)|1|8,374|
one actor(3)|6|30|tasks that call the same actor: the order of their calls
one actor(4)|24|336|
one actor in a group(4)|24|18,554|
one actor, results(3)|36|7,812|… and, in a group, the order of their ends
one actor, results(4)|576|over 28,139|
readers(2)|4|6|one writer and some readers, all sequentially consistent
readers(4)|16|120|
readers(8)|256|over 583|
ownLocks(4 × 4)|1|1, in 0.7 s|threads × uses of a lock of their own
ownLocks(5 × 3)|1|1, in 6.4 s|
indexer(11)|1|not all in 190 s|threads that insert into a hash table
indexer(12)|8|not all in 190 s|
fileSystem(6)|1|1, in 8.5 s|threads that allocate blocks of a disk under locks
lastZero(3)|12||threads that count up beside one that searches
lastZero(5)|64|64|'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift build --build-tests -q
RACEFREEFUTURE_REPORTS=1 swift test --skip-build --filter 'No order is run twice|Tasks that call actors have no two' \
  > "$folder/reports" 2>&1 || { grep -A 5 '✘' "$folder/reports" >&2; exit 1; }

failed=0
{
  echo '| program | orders before | orders now | least | |'
  echo '| --- | ---: | ---: | ---: | --- |'
} > "$folder/orders"
while IFS='|' read -r name least before words; do
  now=$(grep -F "explore \"$name\" passed: " "$folder/reports" | sed -E 's/.* passed: ([0-9,]+) orders?, all .*/\1/; t; s/.*/not all/')
  echo "| $name | $before | $now | $least | $words |" >> "$folder/orders"
  if [[ $now != "$least" ]]; then
    echo "$name: $now orders, and $least are wanted" >&2
    failed=1
  fi
done <<< "$programs"
cat "$folder/orders"

RACEFREEFUTURE_FAILURES=$folder/found swift test --skip-build \
  --filter 'A program with a mistake fails|A mistake of tasks with locks|A mistake between suspensions' \
  > "$folder/reports" 2>&1 || { grep -A 5 '✘' "$folder/reports" >&2; exit 1; }
{
  echo '| what should hold | order that fails | it says |'
  echo '| --- | ---: | --- |'
  for file in "$folder"/found/*.txt; do
    # The verdict may take two lines; the failure follows it.
    awk 'NR == 1 { split($0, part, "\"") }
      !verdict { head = head " " $0; if (head ~ /(as it can|have continued|with seed [0-9]+)$/) verdict = NR; next }
      NR == verdict + 1 { said = $0 }
      NR == verdict + 2 && $0 != "" { said = said " …" }
      END { match(head, /FAILED: order [0-9,]*[0-9]/); sub(/, but .*/, ", but …", said)
        print "| " part[2] " | " substr(head, RSTART + 14, RLENGTH - 14) " | " said " |" }' "$file"
  done | sort
} > "$folder/bugs"
cat "$folder/bugs"
mkdir -p .build-reports
{ cat "$folder/orders"; echo; cat "$folder/bugs"; } > .build-reports/bugs.md
exit $failed
